// A design: its row keys, its queries, what is to be said of it, what to leave with.
import { analyze } from './analyze.js';
import { call, wrongKind } from './error.js';
import { json } from './given.js';
import { held, KeyDesign, parsed, recordsOf } from './rowkeys.js';
import * as wasm from './wasm/rowscape.js';

/** @import { FieldValue } from './columns.js' */
/** @import { Analysis, Progress, Source } from './analyze.js' */
/** @import { Problem } from './error.js' */

/**
 * What is asked of a table: values of fields, prefixes and ranges (`to` exclusive), an order, a limit; as in `queries`
 * of a design document.
 * @typedef {object} Query
 * @property {string} [name]
 * @property {Record<string, unknown>} where by field: a value, or `{ eq }`, `{ in }`, `{ prefix }`, `{ from, to }`
 * @property {string | { field: string, direction: 'ascending' | 'descending' }} [order]
 * @property {number} [limit]
 */

/**
 * How a query is answered.
 * @typedef {object} Plan
 * @property {'nothing' | 'get' | 'scan' | 'fullScan'} kind
 * @property {{ start: string, stop: string, startBytes: Uint8Array, stopBytes: Uint8Array }[]} ranges start row inclusive,
 *   stop row exclusive, in `\xNN` notation and as bytes; an empty row is the table's beginning or end
 * @property {boolean} exact whether every row in the ranges matches
 * @property {{ name: string, exact?: boolean, pattern?: string, pairs?: { key: string, mask: string }[] }[]} filters what
 *   drops the other rows in the region server
 * @property {{ reversed: boolean, merge: boolean, sort: boolean, tied?: number, basis?: 'records' | 'notNegative' }} delivery
 *   what the order asked for takes, bytes of a key by which rows that tie are told, and by which values the order is known
 * @property {number[]} turns ranges by index in the order their scans run, where that is not the order of the keys
 * @property {number | null} stopsAfter matching rows after which reading stops, of each scan where they are merged
 * @property {number[] | null} regions those that it touches; null where split points follow from records
 * @property {Problem[]} reasons why it is so
 */

/**
 * Something to be said of a design in a review; FINDINGS.md lists all codes.
 * @typedef {object} Finding
 * @property {string} code such as `RS101`
 * @property {string} name
 * @property {'bad' | 'warning' | 'note'} severity
 * @property {[number, number]} [columns] of the formula, from 1, end exclusive
 * @property {Record<string, string>} args the evidence
 * @property {string} title the state of affairs, without a final full stop
 * @property {string} detail the evidence; empty where the title has it all
 * @property {string} message title and detail as one text
 * @property {string} why why it matters
 * @property {string} remedy what to do
 * @property {Fix} [fix] the edit of the design that does it
 * @property {string} reference where to read more
 */

/**
 * An edit of the design: members of its table, and the queries of the document.
 * @typedef {object} Fix
 * @property {string} [rowkey]
 * @property {Record<string, unknown>} [splits]
 * @property {Record<string, unknown>[]} [families]
 * @property {Query[]} [queries]
 * @property {Record<string, unknown>[]} [tables] all tables of the document, in place of those it has
 * @property {Problem[]} [costs] queries that it makes dearer, and how
 */

/** A text that a design can be taken as. @typedef {{ name: string, language: string }} Emitter */

/** A text, and the name of the file it belongs into. @typedef {{ file: string, language: string, text: string }} Emitted */

/**
 * Two records of one key.
 * @typedef {object} Collision
 * @property {[Record<string, string>, Record<string, string>]} records the fields of each that the key is made of
 * @property {string} key in `\xNN` notation
 * @property {[number, number] | null} rows which of the records given they are, counted from 0; `null`: they were made up
 */

/** A table of a design document. Made by {@link parseDesign}. */
export class Design extends KeyDesign {
  /**
   * How a query is answered: the fewest scan ranges that hold every matching row.
   * @param {Query} query
   * @returns {Plan}
   * @throws {RowscapeError} on an unknown field, a value the field can't hold, a range turned around; `problems` holds all
   */
  plan(query) {
    if (typeof query !== 'object' || query === null) throw wrongKind('query', 'an object', query);
    return call(() => held(this).plan(json(query, 'query')));
  }

  /**
   * What an experienced engineer would say of the design, the worst first; of records too, when they are given as for
   * {@link Design.encodeColumns}.
   * @param {Record<string, ArrayLike<FieldValue>>} [columns]
   * @returns {Finding[]}
   */
  findings(columns) {
    if (columns === undefined) return call(() => held(this).findings());
    // The module takes the columns and frees them.
    return call(() => held(this).findings(recordsOf(this.fields, columns)));
  }

  /**
   * Two records that share a key although fields of it differ: two of those given, if there are such, else two made up;
   * `null` when the formula keeps all apart, or none were found.
   * @param {Record<string, ArrayLike<FieldValue>>} [columns] records, field by field, as for {@link Design.encodeColumns}
   * @returns {Collision | null}
   * @throws {RowscapeError} as {@link Design.encodeColumns}
   */
  collision(columns) {
    if (columns === undefined) return call(() => held(this).collision());
    // The module takes the columns and frees them.
    return call(() => held(this).collision(recordsOf(this.fields, columns)));
  }

  /**
   * Reads records and lays them out: how many rows each region gets, when, and what is to be said of that.
   * @param {Source} source
   * @param {{ signal?: AbortSignal, onProgress?: (progress: Progress) => void, name?: string, timeBuckets?: number }} [options]
   *   name: of the file, for errors; timeBuckets: stretches of time to count in
   * @returns {Promise<Analysis>}
   * @throws {RowscapeError} when no records are found in it; a `DamagedInputError` when it is gzip that is damaged, with what
   *   was read until there as `error.analysis`; the reason of the signal when that aborts
   */
  async analyze(source, options) {
    const document = this.toJSON();
    const tables = /** @type {{ name?: string }[]} */ (document.tables ?? []);
    const table = Math.max(
      0,
      tables.findIndex(({ name }) => name === this.name),
    );
    return analyze({ document: JSON.stringify(document), table, fields: this.fields }, source, options ?? {});
  }

  /**
   * A text to leave with: the commands that make the table, code that makes its row keys in another language.
   * @param {string} name of one of the {@link emitters}
   * @returns {Emitted}
   * @throws {RowscapeError} when the text can't say what the design does, as a step that the language has no code for
   */
  emit(name) {
    if (typeof name !== 'string') throw wrongKind('name', 'a text', name);
    return call(() => held(this).emit(name, undefined));
  }

  /**
   * The document in normal form.
   * @returns {Record<string, unknown>}
   */
  toJSON() {
    return call(() => held(this).document());
  }
}

/**
 * Reads a design document.
 * @param {string | object} document JSON text, or what it says
 * @param {{ table?: string | number }} [options] table: its name or number, when the document has several
 * @returns {Design}
 * @throws {RowscapeError} `problems` holds all that is wrong, each with its path
 */
export function parseDesign(document, options) {
  return parsed(Design, document, options);
}

/**
 * What a design can be taken as, for {@link Design.emit}.
 * @returns {Emitter[]}
 */
export const emitters = () => call(() => wasm.emitters());
