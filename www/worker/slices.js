// A large file in slices, each read by a worker of its own that makes the keys of its records, too
// (docs/decisions/0029-slices-of-a-file.md). Where the workers are, and where the bytes come from, is up to the host.

/**
 * A slice of a file as another worker has read it: what is to be taken in of its records, and of their keys; `bytes` of the file were
 * read for it.
 * @typedef {{ records: Uint8Array, keys: Uint8Array[], bytes: number }} Slice
 */

/** How far another worker is. @typedef {{ bytes: number, rows: number }} SliceProgress */

/** Records on their way in, of a slice or of all. @typedef {import('#core').Records} Records */

/**
 * Starts another worker on a slice. `done` is told the slice, or null where it can't be had; `far` at times how far it is. Returns what
 * ends the worker.
 * @typedef {(done: (slice: Slice | null) => void, far: (progress: SliceProgress) => void) => () => void} Start
 */

/** A file has one slice for each of so many bytes: a worker takes some time to start. */
const STEP = 16 << 20;
/** Most bytes of a file in slices: larger ones can be more than is held at once. */
const MOST = 2 ** 30;
/** Bytes of a record in a row group, about, as text would have them. */
const BYTES_OF_RECORD = 64;
/** Most workers of a file: one of them takes in what all have read. */
export const MOST_WORKERS = 4;
/** Bytes of a file in which its header is looked for, and the end of a line. */
export const NEAR = 1 << 16;
/** Share of each other slice that the first slice takes over: other workers start later, and must hand over what they read. */
const AHEAD = 0.15;
/** Keys handed over at a time. */
const HANDED = 1 << 18;
/** Milliseconds between two words of progress. */
const INTERVAL = 100;

/**
 * Where the slices of a file end, in bytes or in row groups, and the share of the first.
 * @typedef {{ cuts: number[], share: number }} Slices
 */

/** The most workers of a file, and the fewest bytes of a slice. @typedef {{ workers: number, step?: number }} Most */

/** How many slices a file has. @param {number} bytes @param {Most} most */
const sliceCount = (bytes, { workers, step = STEP }) =>
  bytes > MOST ? 1 : Math.min(workers, MOST_WORKERS, Math.floor(bytes / step));

/** The share of a file up to the end of a slice. @param {number} number of the slice, from 1 @param {number} count */
const upTo = (number, count) => 1 - ((count - number) * (1 - AHEAD)) / count;

/**
 * The slices of a text, each of which ends behind a line end; null where it is too small or too large, is packed, or has no lines.
 * @param {(from: number, to: number) => Promise<Uint8Array>} read
 * @param {number} size
 * @param {Most} most
 * @returns {Promise<Slices | null>}
 */
export async function textSlices(read, size, most) {
  const count = sliceCount(size, most);
  if (count < 2) return null;
  const [first, second] = await read(0, 2);
  if (first === 0x1f && second === 0x8b) return null;
  const cuts = [];
  for (let number = 1; number <= count; number++) {
    const at = Math.floor(size * upTo(number, count));
    const before = Math.max(cuts.at(-1) ?? 0, at - NEAR);
    const end = (await read(before, at)).lastIndexOf(0x0a) + 1;
    if (!end) return null;
    cuts.push(before + end);
  }
  return { cuts, share: cuts[0] / size };
}

/**
 * The slices of a table, each of which has one row group at least; null where it is too small or too large.
 * @param {readonly number[]} rows of each row group
 * @param {Most} most
 * @returns {Slices | null}
 */
export function groupSlices(rows, most) {
  const all = sum(rows);
  const count = Math.min(sliceCount(all * BYTES_OF_RECORD, most), rows.length);
  if (count < 2) return null;
  const cuts = [];
  let met = 0;
  for (const [group, some] of rows.entries()) {
    met += some;
    const left = rows.length - group - 1;
    const number = cuts.length + 1;
    if (number < count && (met >= all * upTo(number, count) || left === count - number)) cuts.push(group + 1);
  }
  return { cuts: [...cuts, rows.length], share: sum(rows.slice(0, cuts[0])) / all };
}

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((all, some) => all + some, 0);

/** Another worker, which reads a slice. */
export class OtherWorker {
  #end = () => {};
  /** Its progress is counted there. */
  #counted;
  #reported = { bytes: 0, rows: 0 };
  /** @type {Promise<Slice | null>} */
  #read;

  /** @param {Start} start @param {SliceProgress} counted */
  constructor(start, counted) {
    this.#counted = counted;
    this.#read = new Promise((resolve) => {
      try {
        this.#end = start(resolve, (progress) => this.#count(progress));
      } catch {
        resolve(null);
      }
    });
  }

  /** @param {SliceProgress} reported */
  #count(reported) {
    this.#counted.bytes += reported.bytes - this.#reported.bytes;
    this.#counted.rows += reported.rows - this.#reported.rows;
    this.#reported = reported;
  }

  /**
   * Waits for the slice; null where it can't be taken in.
   * @param {() => unknown} tell is called at times, and throws to end the wait
   */
  async slice(tell) {
    const later = () =>
      /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, INTERVAL)));
    for (;;) {
      const slice = await Promise.race([this.#read, later()]);
      tell();
      if (slice !== undefined) return slice;
    }
  }

  end() {
    this.#end();
    this.#count({ bytes: 0, rows: 0 });
  }
}

/**
 * Reads the first slice, and takes in those of the others, one after the other, until one can't be.
 * @param {OtherWorker[]} others
 * @param {() => Promise<void>} readFirst
 * @param {{ isWhole: boolean, takeSlice: (slice: Slice) => boolean }} intake
 * @param {{ tell: () => unknown, taken: (at: number, slice: Slice) => void }} told
 * @returns {Promise<number>} how many were read, with the first
 */
export async function inSlices(others, readFirst, intake, { tell, taken }) {
  try {
    await readFirst();
    for (const [at, other] of others.entries()) {
      const slice = intake.isWhole ? await other.slice(tell) : null;
      if (!slice || !intake.takeSlice(slice)) return at + 1;
      other.end();
      taken(at + 1, slice);
    }
    return others.length + 1;
  } finally {
    for (const other of others) other.end();
  }
}

/**
 * Takes a slice into records.
 * @param {Records} records
 * @param {Slice} slice
 * @returns {boolean} false where that can't be: its bytes are to be pushed
 */
export function takeIn(records, { records: form, keys }) {
  if (!records.takeRecords(form)) return false;
  for (const some of keys) records.takeKeys(some);
  return true;
}

/**
 * Reads a slice for another worker.
 * @param {Records} slice a reader of its own
 * @param {AsyncIterable<Uint8Array>} pieces
 * @param {{ document: string, table: number, budget: number, taken: () => number }} asked taken: bytes of the file read so far
 * @param {(progress: SliceProgress) => void} progress
 * @returns {Promise<Slice | null>} null where it can't be taken in by the reader of the file
 */
export async function sliceOf(slice, pieces, { document, table, budget, taken }, progress) {
  let told = performance.now();
  for await (const piece of pieces) {
    slice.push(piece);
    if (slice.memory > budget) return null;
    if (performance.now() - told < INTERVAL) continue;
    told = performance.now();
    progress({ bytes: taken(), rows: slice.rows });
  }
  const records = slice.recordsForm();
  if (!records) return null;
  slice.encode(document, table, slice.rows);
  const keys = [];
  for (let row = 0; row < slice.rows; row += HANDED) {
    const form = slice.keysForm(row, row + HANDED);
    if (form) keys.push(form);
  }
  return { records, keys, bytes: taken() };
}
