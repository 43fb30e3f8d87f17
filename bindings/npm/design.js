// A design: its row keys, queries, findings and exports.
import { analyze } from './analyze.js';
import { call, optionsOf, wrongKind } from './error.js';
import { json } from './given.js';
import { READ_OPTIONS } from './reading.js';
import { held, KeyDesign, parsed, recordsOf } from './rowkeys.js';
import { fixed, summarize } from './summary.js';
import * as wasm from './wasm/rowscape.js';

/** @import { DesignDocument } from './document.d.ts' */
/** @import { FieldValue } from './columns.js' */
/** @import { Analysis } from './analyze.js' */
/** @import { Finding } from './finding.js' */
/** @import { Problem } from './error.js' */
/** @import { KindSources, ReadOptions, Source } from './reading.js' */
/** @import { Summary } from './summary.js' */

/**
 * A query, as in `queries` of a design document: conditions on fields, an order, a limit.
 * @typedef {object} Query
 * @property {string} [name]
 * @property {Record<string, unknown>} where by field: a value, or `{ eq }`, `{ in }`, `{ prefix }` (one or a list), `{ from, to }` with `to` exclusive
 * @property {string | { field: string, direction: 'ascending' | 'descending' }} [order]
 * @property {number} [limit]
 */

/**
 * The plan of a query: the scans that answer it.
 * @typedef {object} Plan
 * @property {'nothing' | 'get' | 'scan' | 'fullScan'} kind
 * @property {{ start: string, stop: string, startBytes: Uint8Array, stopBytes: Uint8Array }[]} ranges start row inclusive,
 *   stop row exclusive, in `\xNN` notation and as bytes; an empty row is the beginning or end of the table
 * @property {boolean} exact true if every row in the ranges matches
 * @property {{ name: string, exact?: boolean, pattern?: string, pairs?: { key: string, mask: string }[] }[]} filters server-side
 *   filters that drop the other rows
 * @property {{ reversed: boolean, merge: boolean, sort: boolean, tied?: number, basis?: 'records' | 'notNegative' }} delivery
 *   what the order requires; `tied`: number of key bytes that ties share; `basis`: the values that the order relies on
 * @property {number[]} turns indexes of the ranges in the order their scans must run, if that is not the order of the keys
 * @property {number | null} stopsAfter number of matching rows after which reading stops; for merged scans, of each scan
 * @property {number[] | null} regions the regions that it touches; null if split points depend on records
 * @property {number | null} leastRpcs requests at least: one per range and region; null if split points depend on records
 * @property {Problem[]} reasons the reasons for this plan
 * @property {RowCount} [rows] rows in the ranges and rows returned, with records
 * @property {RowCount | null} [limited] the same up to the limit; null if no limit ends reading
 * @property {{ fields: string[], scans: number } & RowCount | null} [shortScans] short scans for the known values of `fields`, if they cost less
 * @property {ReadCost} [cost] the estimated cost up to the limit, with records
 * @property {ScanChoice | null} [choice] short scans against one long scan, if both answer the query
 * @property {NextPage | null} [next] the page after the limit, if there are more rows
 */

/**
 * Rows that a plan reads and returns; `records`: the records of these rows, where some share one.
 * @typedef {{ read: number, returned: number, records?: { read: number, returned: number } }} RowCount
 */

/**
 * The cost of a plan: estimates under the cost model of docs/suggest.md.
 * @typedef {object} ReadCost
 * @property {true} estimated
 * @property {number} rows rows read
 * @property {number} rpcs requests to region servers
 * @property {number} scanners one per range and region
 * @property {number} regions regions touched
 * @property {number} seeks seeks in store files
 * @property {number} blocks blocks read, of all families and store files
 * @property {number} bytes bytes sent to the client
 * @property {number} units price in requests served from cache
 */

/**
 * Short scans against one long scan, priced with the same constants.
 * @typedef {object} ScanChoice
 * @property {boolean} short true if the short scans cost less
 * @property {number} scans number of short scans
 * @property {string[]} fields fields whose known values are read one by one; empty if the plan itself has several ranges
 * @property {[string, string]} long start and stop row of the long scan
 * @property {ReadCost} shortCost
 * @property {ReadCost} longCost
 */

/**
 * The page of results after a row.
 * @typedef {object} NextPage
 * @property {string} after the last row of the page before, in `\xNN` notation
 * @property {Plan['ranges']} ranges
 * @property {number[]} turns as in {@link Plan}
 * @property {boolean} repeats true if rows already returned are read again; drop them
 * @property {number} read
 * @property {number} returned
 * @property {ReadCost} cost
 */

/** An export format, for {@link Design.emit}. @typedef {{ name: string, language: string }} Emitter */

/** An export: its text and the name of its file. @typedef {{ file: string, language: string, text: string }} Emitted */

/**
 * Two records with the same key.
 * @typedef {object} Collision
 * @property {[Record<string, string>, Record<string, string>]} records of each, the fields that the key depends on
 * @property {string} key in `\xNN` notation
 * @property {[number, number] | null} rows 0-based indexes of the given records; `null` for generated records
 */

/** A table of a design document. Create it with {@link parseDesign}. */
export class Design extends KeyDesign {
  /**
   * Plans a query: the fewest scan ranges that contain every matching row. With records, also counts the rows that it reads,
   * and estimates requests, seeks and blocks.
   * @param {Query} query
   * @param {{ after?: string, cost?: Record<string, number>, columns?: Record<string, ArrayLike<FieldValue>> }} [options]
   *   after: the last row returned before, in `\xNN` notation, to plan the next page; cost: constants of the cost model, such as
   *   `{ files: 1, caching: 100 }`; columns: records, as for {@link Design.encodeColumns}
   * @returns {Plan}
   * @throws {RowscapeError} for an unknown field, an invalid value or a reversed range; `problems` lists everything
   */
  plan(query, options) {
    const { after, cost, columns } = optionsOf(options, ['after', 'cost', 'columns']);
    if (typeof query !== 'object' || query === null) throw wrongKind('query', 'an object', query);
    if (after !== undefined && typeof after !== 'string') throw wrongKind('after', 'a string', after);
    const constants = cost === undefined ? undefined : json(cost, 'cost');
    // The module takes the columns and frees them.
    const records = columns === undefined ? undefined : recordsOf(this.fields, columns);
    return call(() => held(this).plan(json(query, 'query'), after, constants, records));
  }

  /**
   * The findings about the design, worst first. Pass records as for {@link Design.encodeColumns} to include findings about
   * them.
   * @param {Record<string, ArrayLike<FieldValue>>} [columns]
   * @returns {Finding[]}
   */
  findings(columns) {
    if (columns === undefined) return call(() => held(this).findings());
    // The module takes the columns and frees them.
    return call(() => held(this).findings(recordsOf(this.fields, columns)));
  }

  /**
   * Two records that share a key although their fields differ: two of the given records if possible, otherwise generated
   * ones. `null` if the formula distinguishes all records, or no such pair was found.
   * @param {Record<string, ArrayLike<FieldValue>>} [columns] records, one list per field, as for {@link Design.encodeColumns}
   * @returns {Collision | null}
   * @throws {RowscapeError} as {@link Design.encodeColumns}
   */
  collision(columns) {
    if (columns === undefined) return call(() => held(this).collision());
    // The module takes the columns and frees them.
    return call(() => held(this).collision(recordsOf(this.fields, columns)));
  }

  /**
   * Reads records and analyzes where they land: rows by region and time, the verdict and the findings.
   * @param {Source | KindSources} source records; for a table of several {@link kinds} also `{ order: source, customer: source }`,
   *   each source with the records of one kind
   * @param {ReadOptions & { timeBuckets?: number }} [options]
   *   name: name of the file, for errors; timeBuckets: number of time buckets, 1 to 10,000, default 240; encoding: of a source without a byte order mark, default UTF-8
   * @returns {Promise<Analysis>}
   * @throws {RowscapeError} if the source has no records; a `DamagedInputError` if its gzip data is damaged, with the analysis
   *   of the records before the damage as `error.analysis`; the reason of the signal if it aborts
   */
  async analyze(source, options) {
    return analyze(this.#ofKinds(), source, optionsOf(options, [...READ_OPTIONS, 'timeBuckets']));
  }

  /** The document with what reading files of it needs. */
  #ofKinds() {
    const document = this.toJSON();
    const tables = /** @type {{ name?: string }[]} */ (document.tables ?? []);
    const table = Math.max(
      0,
      tables.findIndex(({ name }) => name === this.name),
    );
    return { document: JSON.stringify(document), table, fields: this.fields, kinds: this.kinds };
  }

  /**
   * Counts records into a summary, for all tables of the document. Summaries of other records of the same design merge, and
   * `rowscape analyze` opens them.
   * @param {Source | KindSources} source as for {@link Design.analyze}
   * @param {ReadOptions & { part?: string, samples?: boolean }} [options] name: name of the file; rows are sampled by it and their
   *   place in the file, otherwise by their values; part: tells this part from others with equal records; samples: `false`
   *   leaves out sampled rows, keys and values
   * @returns {Promise<Summary>}
   * @throws {RowscapeError} if the source has no records or is damaged; `summary.splits-follow` if the split points follow from the
   *   records: see {@link Design.fixSplits}
   */
  async summarize(source, options) {
    return summarize(this.#ofKinds(), source, optionsOf(options, [...READ_OPTIONS, 'part', 'samples']));
  }

  /**
   * The document with split points fixed that follow from records, as they follow from these: parts that are summarized
   * apart then agree.
   * @param {Source | KindSources} source all records, or a sample
   * @param {ReadOptions} [options]
   * @returns {Promise<DesignDocument>}
   * @throws {RowscapeError} if the source has no records or is damaged
   */
  async fixSplits(source, options) {
    return fixed(this.#ofKinds(), source, optionsOf(options, READ_OPTIONS));
  }

  /**
   * Exports the design, for example as the commands that create the table, or as code that computes its row keys.
   * @param {string} name the name of one of the {@link emitters}
   * @param {{ hbase?: '2.4' | '2.5' | '2.6' | '3.0', from?: Design }} [options] hbase: the version of HBase that uses the export
   *   (default 2.6); from: the design that the table has so far, for `alter-shell` and others that lead from it to this design
   * @returns {Emitted}
   * @throws {RowscapeError} if the format cannot express the design, for example a step without code in that language
   */
  emit(name, options) {
    const { hbase, from } = optionsOf(options, ['hbase', 'from']);
    if (typeof name !== 'string') throw wrongKind('name', 'a text', name);
    if (hbase !== undefined && typeof hbase !== 'string') throw wrongKind('hbase', 'a text', hbase);
    if (from === undefined) return call(() => held(this).emit(name, undefined, hbase));
    if (!(from instanceof Design)) throw wrongKind('from', 'a design from parseDesign', from);
    return call(() => held(this).emitFrom(name, held(from), hbase));
  }

  /**
   * The document in normal form.
   * @returns {DesignDocument}
   */
  toJSON() {
    return call(() => held(this).document());
  }
}

/**
 * Reads a design document.
 * @param {string | object} document JSON text, or the parsed object: a `DesignDocument`
 * @param {{ table?: string | number }} [options] table: name or 0-based index, if the document has several
 * @returns {Design}
 * @throws {RowscapeError} `problems` lists everything that is wrong, each with its path
 */
export function parseDesign(document, options) {
  return parsed(Design, document, options);
}

/**
 * The export formats, for {@link Design.emit}.
 * @returns {Emitter[]}
 */
export const emitters = () => call(() => wasm.emitters());
