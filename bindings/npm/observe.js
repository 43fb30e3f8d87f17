// Tables as HBase's own files show them, and as a cluster counts their requests.
import { call, optionsOf, RowscapeError, wrongKind } from './error.js';
import { observeFiles } from './wasm/observe-files.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Problem } from './error.js' */

/** Bytes of memory by default. */
const MEMORY = 256 * 2 ** 20;
const METRICS = ['reads', 'writes', 'requests', 'size'];

/**
 * A file of HBase: an HFile, a write-ahead log, `.regioninfo`, the manifest of a snapshot, or anything else of its folders. The path says
 * the table, the region and the family, as in `data/default/orders/1588…/d/f00d…`. Or a dump: the JSON of `/status/cluster`, of `/jmx` or of
 * `live_servers`, metrics for Prometheus, output of the shell or of `hbtop`. `changed` is the time of a dump that tells none, in milliseconds since 1970.
 * @typedef {{ path: string, data: Blob | Uint8Array, changed?: number } | File} StoreFile
 */

/**
 * @typedef {object} ObserveOptions
 * @property {boolean} [all] read every cell of HFiles, not only their index
 * @property {string} [table] the only table that counts, with its namespace unless that is the default one
 * @property {number | Date} [since] count nothing before this time
 * @property {number | Date} [until] count nothing from this time on
 * @property {Metric} [metric] the figure of dumps that shares and pictures are of; by default reads or writes, whichever one region takes more of
 * @property {number} [regions] so many regions are to share the cells evenly; `splits` has their split points
 * @property {number} [memory] bytes of memory at most, about; by default 256 MiB
 * @property {(read: number, total: number) => void} [onProgress] is told of bytes
 * @property {AbortSignal} [signal] ends the reading
 */

/** @typedef {{ cells: number, rows: number, bytes: number, deletes: number }} ObservedCounts */

/**
 * A row, or the beginning of rows.
 * @typedef {{ key: string, cells: { value: number, low: number, high: number }, share: number }} HotKey
 */

/** @typedef {'reads' | 'writes' | 'requests' | 'size'} Metric */

/**
 * Requests; reads and writes are 0 where a dump has both in one number.
 * @typedef {{ reads: number, writes: number, requests: number }} RequestCounts
 */

/**
 * Requests to a table, as dumps of its counters show them.
 * @typedef {object} ObservedRequests
 * @property {Metric} metric of shares and of the picture
 * @property {'server' | 'master' | 'totals' | 'rates'} origin whose counters these are; `totals` of `list_regions`, `rates` of `hbtop`
 * @property {number} dumps
 * @property {[number, number] | null} times of the first and the last dump
 * @property {number} reads between them; since the regions were opened, where there is one
 * @property {number} writes
 * @property {number} requests
 * @property {({ region: string, start: string | null, end: string | null, server?: string, covered: number, last: RequestCounts, size?: number, share: number,
 *   gone: boolean } & RequestCounts)[]} regions `covered`: milliseconds in which they were counted; `last`: the counters in the last dump
 * @property {({ server: string, regions: number, share: number } & RequestCounts)[]} servers busiest first
 * @property {Heat | null} heat the metric by region and time
 * @property {Problem} headline
 * @property {{ time: number, kind: 'split' | 'merge' | 'move' | 'reset' | 'missing', region: string, start?: string, to?: string }[]} events
 */

/** @typedef {{ starts: string[], times: number[], step: number, counts: number[][] }} Heat figures by key and time */

/**
 * A table. Keys are in `\xNN` notation, times in milliseconds since 1970.
 * @typedef {object} ObservedTable
 * @property {string} table its name; empty where nothing says it
 * @property {'wal' | 'hfile' | 'index' | 'both' | 'counters'} source where the cells are from; `counters`: there are none
 * @property {number} cells
 * @property {number} rows each as often as it was written; the busiest are in `hotRows`
 * @property {number} bytes without any encoding; of an index as they lie
 * @property {number} deletes
 * @property {[number, number] | null} times of writes in logs, of cells in HFiles
 * @property {number} untimed cells whose time is none of a clock
 * @property {'regioninfo' | 'manifest' | 'shell' | 'dumps' | 'wal' | 'design' | 'files' | 'keys'} borders how the regions are known; `keys`: ranges of about as many cells
 * @property {({ start: string, end: string, server?: string, share: number } & ObservedCounts)[]} regions
 * @property {Heat | null} heat cells by key and time
 * @property {HotKey[]} hotRows the rows with most cells
 * @property {HotKey[]} prefixes beginnings of rows that take much
 * @property {{ family: string, files: number, stored: number, cells: number, rowBytes: number, qualifierBytes: number, valueBytes: number,
 *   tagBytes: number, encodings: string[], compressions: string[] }[]} families
 * @property {ObservedRequests} [requests]
 * @property {string[]} [splits] split points of the regions that were asked for
 * @property {Problem} headline what it comes to
 * @property {Problem[]} notes what limits these figures
 */

/**
 * @typedef {object} Observed
 * @property {ObservedTable[]} tables the one with most cells first
 * @property {{ path: string, bytes: number, kind: string, counted: boolean, problem?: Problem }[]} files at most 1,000, those with problems first
 * @property {[string, number][]} kinds files by kind
 * @property {number} unread bytes that reading all cells would take, where only indexes were read
 */

/** @param {StoreFile} file @param {number} at */
function named(file, at) {
  if (typeof File !== 'undefined' && file instanceof File)
    return { path: file.webkitRelativePath || file.name, data: /** @type {Blob} */ (file) };
  const { path, data, changed } = /** @type {{ path: string, data: Blob | Uint8Array, changed?: number }} */ (
    file ?? {}
  );
  if (typeof path !== 'string') throw wrongKind(`files[${at}].path`, 'a text', path);
  if (data instanceof Uint8Array) return { path, changed, data: new Blob([/** @type {BlobPart} */ (data)]) };
  if (data instanceof Blob) return { path, data, changed };
  throw wrongKind(`files[${at}].data`, 'a Blob (openAsBlob of node:fs) or a Uint8Array', data);
}

/** @param {number | Date | undefined} time */
const millis = (time) => (time === undefined ? undefined : Number(time));

/**
 * Shows which keys of a table were written, when and how much, from files of HBase, and which regions took the requests, from dumps. Nothing but ranges of the files is held.
 * @param {readonly StoreFile[]} files
 * @param {ObserveOptions} [options]
 * @returns {Promise<Observed>}
 */
export async function observe(files, options) {
  const names = ['all', 'table', 'since', 'until', 'metric', 'regions', 'memory', 'onProgress', 'signal'];
  const {
    all = false,
    table,
    since,
    until,
    metric,
    regions,
    memory = MEMORY,
    ...how
  } = optionsOf(options, names);
  if (!Array.isArray(files)) throw wrongKind('files', 'a list', files);
  const given = files.map(named);
  const { Observer } = await import('./wasm/formats.js');
  if (metric !== undefined && !METRICS.includes(metric))
    throw wrongKind('metric', METRICS.join(', '), metric);
  const asked = { all, table, since: millis(since), until: millis(until), metric, regions, memory };
  const found = await observeFiles(Observer, given, asked, how);
  const withSentence = (/** @type {object} */ problem) => call(() => wasm.problemOf(JSON.stringify(problem)));
  for (const answer of found.tables) {
    answer.headline = withSentence(answer.headline);
    answer.notes = answer.notes.map(withSentence);
    if (answer.requests) answer.requests.headline = withSentence(answer.requests.headline);
  }
  for (const file of found.files) if (file.problem) file.problem = withSentence(file.problem);
  if (!found.tables.length) {
    const problem = found.files.find((/** @type {any} */ file) => file.problem)?.problem;
    throw new RowscapeError(problem ?? withSentence({ code: 'observe.nothing', args: {} }));
  }
  return found;
}
