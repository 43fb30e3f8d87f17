// Row keys of a design: records to keys and back, keys to regions.
import { column } from './columns.js';
import { call, optionsOf, RowscapeError, wrongKind } from './error.js';
import { documentText, keyBytes, list } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Key } from './given.js' */
/** @import { FieldValue } from './columns.js' */
/** @import { Problem } from './error.js' */

/**
 * A field of a record.
 * @typedef {object} Field
 * @property {string} name
 * @property {string} type `text`, `integer`, `time`, `bytes`, `float`, `decimal` or `boolean`
 * @property {string} [format] of times and bytes
 * @property {string} [zone] of times: `Z`, `UTC` or an offset
 * @property {number} [width] bytes of every value, of text and bytes
 * @property {string[]} [from] columns of a file whose texts, joined by a space, form its text
 */

/**
 * A decoded row key. Values are in the notation of their field; `null` is a value that the key does not contain.
 * @typedef {object} Decoded
 * @property {string} [kind] the kind of the record, if the table holds several
 * @property {Record<string, string | null>} record the values of the fields
 * @property {{ name: string, value: string | null, lost: Problem | null }[]} fields the same, with the reason for each lost value
 * @property {{ text: string, span: [number, number] | null, fields: string[] }[]} parts the parts of the formula; span:
 *   first byte and byte after the last one
 * @property {{ spans: [number, number][], values: (string | null)[] }[]} readings all ways to read the key
 * @property {boolean} more true if there may be more readings
 * @property {Problem[]} problems of the key as a whole: it is ambiguous, or contradicts itself
 */

/** Row keys of many records, concatenated: `bytes` up to `ends[0]` is the first key. */
export class Keys {
  /** @param {{ bytes: Uint8Array, ends: Uint32Array, refused: number, first: Problem[] }} keys */
  constructor({ bytes, ends, refused, first }) {
    /** The keys, concatenated. @type {Uint8Array} */
    this.bytes = bytes;
    /** Where each key ends. @type {Uint32Array} */
    this.ends = ends;
    /** Number of records without a key. */
    this.refused = refused;
    /** The problems of the first of them; `place.row` is 1-based. */
    this.problems = first;
  }

  /** Number of records. */
  get length() {
    return this.ends.length;
  }

  /**
   * The key of a record, as a view; `null` if the record was rejected.
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
 * Records as the module takes them.
 * @param {readonly Field[]} fields
 * @param {Record<string, ArrayLike<FieldValue>>} columns
 */
export function recordsOf(fields, columns) {
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns))
    throw wrongKind('columns', 'an object with a list per field', columns);
  const rows = Math.max(0, ...fields.map(({ name }) => columns[name]?.length ?? 0));
  const missing = new Array(rows).fill(null);
  const given = fields.map((field) => column(field, columns[field.name] ?? missing));
  const records = new wasm.Columns();
  for (const { bytes, ends, missing, format } of given) records.add(bytes, ends, missing, format);
  return records;
}

/** The handle of a design in the wasm module. @type {(design: KeyDesign) => wasm.Design} */
export let held;

/** The row keys of a table in a design document. Create it with `parseDesign` of `rowscape/keys`. */
export class KeyDesign {
  static {
    held = (design) => design.#held;
  }

  /** @type {wasm.Design | undefined} */
  #handle;

  /** @param {wasm.Design} handle */
  constructor(handle) {
    this.#handle = handle;
    /** The fields of a record. @type {readonly Field[]} */
    this.fields = handle.fields();
    /** Name of the table. @type {string} */
    this.name = handle.name;
    /** The row key formula in canonical form; empty if each kind of record has its own. @type {string} */
    this.rowkey = handle.rowkey;
    /** The kinds of records, if they have row keys of their own. @type {readonly string[]} */
    this.kinds = handle.kinds;
  }

  /**
   * The design as records of one kind see it: with their row key and cells, in the regions of the whole table.
   * @param {string} name one of {@link kinds}
   * @returns {this}
   * @throws {RowscapeError} if the table has no such kind
   */
  ofKind(name) {
    const Same = /** @type {new (handle: wasm.Design) => this} */ (this.constructor);
    return call(() => new Same(this.#held.ofKind(name)));
  }

  /**
   * The row key of a record.
   * @param {Record<string, FieldValue>} record
   * @returns {Uint8Array}
   * @throws {RowscapeError} if a field of the key is missing or invalid, or HBase does not accept the key
   */
  encode(record) {
    if (typeof record !== 'object' || record === null) throw wrongKind('record', 'an object', record);
    const columns = Object.fromEntries(this.fields.map(({ name }) => [name, [record[name]]]));
    const keys = this.encodeColumns(columns);
    if (keys.refused) {
      const [{ place, ...problem }] = keys.problems;
      throw new RowscapeError({ ...problem, place: { field: place.field } });
    }
    return keys.bytes;
  }

  /**
   * The row keys of many records, given as one list per field, all of the same length. An omitted field is missing in every record.
   * @param {Record<string, ArrayLike<FieldValue>>} columns
   * @returns {Keys}
   */
  encodeColumns(columns) {
    return call(() => {
      const records = recordsOf(this.fields, columns);
      try {
        return new Keys(this.#held.encode(records));
      } finally {
        records.free();
      }
    });
  }

  /** The handle of this design in the wasm module. */
  get #held() {
    if (this.#handle) return this.#handle;
    const message = 'the design was freed; call parseDesign again';
    throw new RowscapeError({ code: 'value.freed', place: {}, args: {}, message });
  }

  /**
   * Decodes a key into fields, as far as it contains them.
   * @param {Key} key
   * @returns {Decoded}
   * @throws {RowscapeError} if the formula cannot produce this key
   */
  decode(key) {
    const bytes = keyBytes(key);
    const decoded = call(() => this.#held.decode(bytes));
    const values = decoded.fields.map((/** @type {Decoded['fields'][0]} */ { name, value }) => [name, value]);
    return { record: Object.fromEntries(values), ...decoded };
  }

  /**
   * The split points, ascending.
   * @returns {Uint8Array[]}
   */
  get splitPoints() {
    return call(() => list(this.#held.splitPoints()));
  }

  /**
   * The 0-based index of the region that holds a key.
   * @param {Key} key
   * @returns {number}
   */
  regionOf(key) {
    const bytes = keyBytes(key);
    return call(() => this.#held.regionOf(bytes));
  }

  /** Frees its memory in the wasm module. This also happens automatically once the object is unreachable. */
  free() {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose]() {
    this.free();
  }
}

/**
 * Reads a design document as a design of a kind.
 * @template T
 * @param {new (handle: wasm.Design) => T} kind
 * @param {string | object} document JSON text, or the parsed object: a `DesignDocument`
 * @param {{ table?: string | number }} [options] table: name or 0-based index, if the document has several
 * @returns {T}
 */
export function parsed(kind, document, options) {
  const { table } = optionsOf(options, ['table']);
  const text = documentText(document, 'document');
  return call(() => new kind(new wasm.Design(text, table === undefined ? undefined : String(table))));
}
