// A design: records to row keys, row keys to regions.
import { analyze } from './analyze.js';
import { column } from './columns.js';
import { call, RowscapeError, wrongKind } from './error.js';
import { json, keyBytes, list } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Key } from './given.js' */
/** @import { FieldValue } from './columns.js' */
/** @import { Analysis, Progress, Source } from './analyze.js' */
/** @import { Problem } from './error.js' */

/**
 * A field of a record.
 * @typedef {object} Field
 * @property {string} name
 * @property {string} type `text`, `integer`, `time`, `bytes` …
 * @property {string} [format]
 * @property {string} [zone]
 * @property {number} [width]
 * @property {string[]} [from] columns of a file whose texts, joined by a blank, are its text
 */

/**
 * A row key read back. Values are written in the field's own notation; `null` stands for what the key does not tell.
 * @typedef {object} Decoded
 * @property {Record<string, string | null>} record the fields' values
 * @property {{ name: string, value: string | null, lost: Problem | null }[]} fields the same, with why a value is lost
 * @property {{ text: string, span: [number, number] | null, fields: string[] }[]} parts the parts of the formula; span:
 *   first byte and byte after the last
 * @property {{ spans: [number, number][], values: (string | null)[] }[]} readings the ways in which the key can be read
 * @property {boolean} more whether there may be more of them
 * @property {Problem[]} problems of the key as a whole: that it is ambiguous, or contradicts itself
 */

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
 * @property {{ reversed: boolean, merge: boolean, sort: boolean }} delivery what the order asked for takes
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
 * @property {string} message what was found
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

/** Row keys of many records, laid end to end: `bytes` up to `ends[0]` is the first key. */
export class Keys {
  /** @param {{ bytes: Uint8Array, ends: Uint32Array, refused: number, first: Problem[] }} keys */
  constructor({ bytes, ends, refused, first }) {
    /** The keys laid end to end. @type {Uint8Array} */
    this.bytes = bytes;
    /** Where each key ends. @type {Uint32Array} */
    this.ends = ends;
    /** How many records got no key. */
    this.refused = refused;
    /** Why, for the first of them; `place.row` counts records from 1. */
    this.problems = first;
  }

  /** Number of records. */
  get length() {
    return this.ends.length;
  }

  /**
   * The key of a record, a view; `null` when it was refused.
   * @param {number} index
   * @returns {Uint8Array | null}
   */
  at(index) {
    const start = index > 0 ? this.ends[index - 1] : 0;
    const end = this.ends[index];
    return end > start ? this.bytes.subarray(start, end) : null;
  }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

/**
 * Two records of one key.
 * @typedef {object} Collision
 * @property {[Record<string, string>, Record<string, string>]} records the fields of each that the key is made of
 * @property {string} key in `\xNN` notation
 * @property {[number, number] | null} rows which of the records given they are, counted from 0; `null`: they were made up
 */

/** Columns as the module takes them. @param {import('./columns.js').Column[]} columns */
function given(columns) {
  const records = new wasm.Columns();
  for (const { bytes, ends, missing, format } of columns) records.add(bytes, ends, missing, format);
  return records;
}

/** A table of a design document. Made by {@link parseDesign}. */
export class Design {
  /** @type {wasm.Design | undefined} */
  #handle;

  /** @param {wasm.Design} handle */
  constructor(handle) {
    this.#handle = handle;
    /** The fields of a record. @type {readonly Field[]} */
    this.fields = handle.fields();
    /** Name of the table. @type {string} */
    this.name = handle.name;
    /** The row key formula in canonical form. @type {string} */
    this.rowkey = handle.rowkey;
  }

  /**
   * The row key of a record.
   * @param {Record<string, FieldValue>} record
   * @returns {Uint8Array}
   * @throws {RowscapeError} when a field the key needs is missing or can't be read, or HBase takes no such key
   */
  encode(record) {
    if (typeof record !== 'object' || record === null) throw wrongKind('record', 'an object', record);
    const keys = this.#encode(this.fields.map((field) => column(field, [record[field.name]])));
    if (keys.refused) {
      const [{ place, ...problem }] = keys.problems;
      throw new RowscapeError({ ...problem, place: { field: place.field } });
    }
    return keys.bytes;
  }

  /**
   * The row keys of many records, given field by field: lists of equal length. A field left out is missing in all.
   * @param {Record<string, ArrayLike<FieldValue>>} columns
   * @returns {Keys}
   */
  encodeColumns(columns) {
    return this.#encode(this.#columns(columns));
  }

  /**
   * How a query is answered: the fewest scan ranges that hold every matching row.
   * @param {Query} query
   * @returns {Plan}
   * @throws {RowscapeError} on an unknown field, a value the field can't hold, a range turned around; `problems` holds all
   */
  plan(query) {
    if (typeof query !== 'object' || query === null) throw wrongKind('query', 'an object', query);
    return call(() => this.#held.plan(json(query, 'query')));
  }

  /**
   * What an experienced engineer would say of the design, the worst first; of records too, when they are given as for
   * {@link Design.encodeColumns}.
   * @param {Record<string, ArrayLike<FieldValue>>} [columns]
   * @returns {Finding[]}
   */
  findings(columns) {
    if (columns === undefined) return call(() => this.#held.findings());
    // The module takes the columns and frees them.
    return call(() => this.#held.findings(given(this.#columns(columns))));
  }

  /** @param {Record<string, ArrayLike<FieldValue>>} columns */
  #columns(columns) {
    if (typeof columns !== 'object' || columns === null) throw wrongKind('columns', 'an object', columns);
    const rows = Math.max(0, ...this.fields.map(({ name }) => columns[name]?.length ?? 0));
    const missing = new Array(rows).fill(null);
    return this.fields.map((field) => column(field, columns[field.name] ?? missing));
  }

  /** What the wasm module holds of it. */
  get #held() {
    if (this.#handle) return this.#handle;
    const message = 'the design was freed; call parseDesign again';
    throw new RowscapeError({ code: 'value.freed', place: {}, args: {}, message });
  }

  /** @param {import('./columns.js').Column[]} columns */
  #encode(columns) {
    return call(() => {
      const records = given(columns);
      try {
        return new Keys(this.#held.encode(records));
      } finally {
        records.free();
      }
    });
  }

  /**
   * What a key was made of, as far as it tells.
   * @param {Key} key
   * @returns {Decoded}
   * @throws {RowscapeError} when the formula can't have made it
   */
  decode(key) {
    const bytes = keyBytes(key);
    const decoded = call(() => this.#held.decode(bytes));
    const values = decoded.fields.map((/** @type {Decoded['fields'][0]} */ { name, value }) => [name, value]);
    return { record: Object.fromEntries(values), ...decoded };
  }

  /**
   * Two records that share a key although fields of it differ: two of those given, if there are such, else two made up;
   * `null` when the formula keeps all apart, or none were found.
   * @param {Record<string, ArrayLike<FieldValue>>} [columns] records, field by field, as for {@link Design.encodeColumns}
   * @returns {Collision | null}
   * @throws {RowscapeError} as {@link Design.encodeColumns}
   */
  collision(columns) {
    if (columns === undefined) return call(() => this.#held.collision());
    // The module takes the columns and frees them.
    return call(() => this.#held.collision(given(this.#columns(columns))));
  }

  /**
   * The split points, ascending.
   * @returns {Uint8Array[]}
   */
  get splitPoints() {
    return call(() => list(this.#held.splitPoints()));
  }

  /**
   * The region that holds a key, counted from 0.
   * @param {Key} key
   * @returns {number}
   */
  regionOf(key) {
    const bytes = keyBytes(key);
    return call(() => this.#held.regionOf(bytes));
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
    return call(() => this.#held.emit(name, undefined));
  }

  /**
   * The document in normal form.
   * @returns {Record<string, unknown>}
   */
  toJSON() {
    return call(() => this.#held.document());
  }

  /** Frees its memory in the wasm module; happens by itself when nothing refers to it any more. */
  free() {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose]() {
    this.free();
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
  const { table } = options ?? {};
  if (document === null || !['string', 'object'].includes(typeof document)) {
    throw wrongKind('document', 'a design as JSON text or as an object', document);
  }
  const text = typeof document === 'string' ? document : json(document, 'document');
  return call(() => new Design(new wasm.Design(text, table === undefined ? undefined : String(table))));
}

/**
 * What a design can be taken as, for {@link Design.emit}.
 * @returns {Emitter[]}
 */
export const emitters = () => call(() => wasm.emitters());
