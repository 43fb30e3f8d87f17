// A first design for records or row keys.
import { call, optionsOf, wrongKind } from './error.js';
import { checkDamage, checkOptions, checkReadable, nameOf, opened, refusedSql } from './reading.js';
import { HEAD, headOf, isSource } from './sources.js';
import { joined } from './wasm/packed.js';
import * as wasm from './wasm/rowscape.js';
import { mayBeSql } from './wasm/sql.js';

/** @import { DesignDocument } from './document.d.ts' */
/** @import { Encoding, Source } from './reading.js' */

/** Bytes of row keys that are looked at. */
const KEYS = 1 << 25;

/**
 * Options of a guess. header: whether the first record of CSV or TSV holds names, default detected; keys: whether every line is a row
 * key, default detected; signal, name and encoding as for `Design.analyze`.
 * @typedef {{ header?: boolean, keys?: boolean, signal?: AbortSignal, name?: string, encoding?: Encoding }} GuessOptions
 */

/**
 * The design of statements of Phoenix; null of a text that is no SQL.
 * @param {string} text
 * @param {string} name
 * @returns {Promise<DesignDocument | null>}
 */
async function designOfSql(text, name) {
  const { phoenixDesign } = await import('./wasm/formats.js');
  const sql = JSON.parse(phoenixDesign(text));
  if (sql && !sql.design) throw refusedSql(sql.problems[0], name);
  return sql?.design ?? null;
}

/**
 * Guesses a design document for records, for row keys, one per line, or for the output of a `scan` in the HBase shell: the fields with
 * their types, and a row key. The key of records is a proposal to start from; that of row keys is the formula that gives them, and a
 * `scan` also shows when rows were written. Phoenix SQL gives the design of the table that it creates, with its queries. Only the first
 * 256 KiB of the text are looked at.
 * @param {Source} source as for `Design.analyze`
 * @param {GuessOptions} [options]
 * @returns {Promise<DesignDocument>} for `parseDesign`
 * @throws {RowscapeError} if the source has no records or is damaged. The reason of the signal if it aborts
 */
export async function guess(source, options = {}) {
  optionsOf(options, ['header', 'keys', 'signal', 'name', 'encoding']);
  if (!isSource(source)) throw wrongKind('source', 'a source of records', source);
  checkOptions(options);
  const { header, keys = false, signal, encoding } = options;
  const name = nameOf(source, options.name);
  const open = await opened(source, { signal, fields: [], threads: 1 }, name);
  const first = open.first();
  try {
    const { head, ended } = await headOf(first);
    const looked = head.subarray(0, HEAD);
    checkDamage(open, name);
    const text = keys ? '' : new TextDecoder().decode(looked);
    const design = mayBeSql(text) ? await designOfSql(text, name) : null;
    if (design) return design;
    const found = call(() => wasm.guessFile(looked, name, keys, header, [], encoding, open.stated));
    checkReadable(open, found, name);
    if (!found.keys) return found.design;
    // The first keys of a table are alike in much in which others differ.
    const all = ended ? head : joined([head, (await headOf(first, KEYS - head.length)).head]);
    checkDamage(open, name);
    const { guessKeys } = await import('./wasm/formats.js');
    const parts = JSON.parse(guessKeys(all, name, keys, header));
    if (!parts) return found.design;
    const known = JSON.stringify({ name, header, encoding, document: JSON.stringify(parts.design) });
    const tried = call(() => wasm.guessOfDesign(all, known));
    return tried.input.keys ? parts.design : found.design;
  } finally {
    await first.return(undefined);
    await open.end();
  }
}
