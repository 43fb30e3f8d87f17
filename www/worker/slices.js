// A large file of text, read in slices, each by a worker of its own that makes the keys of its records, too
// (docs/decisions/0029-slices-of-a-file.md).
import * as core from '#core';
import { eachOf } from './gunzip.js';
import { pieces } from './source.js';
import { stopIfCancelled } from './stopping.js';
import { prepare, startBeside } from './wasm-first.js';

/** @import { Asked, FirstPart, Slice } from './read-records.js' */

/**
 * A slice that a worker is to read: bytes `from` to `to` of a file, which is the last of these names, if they take at most `budget` bytes of memory.
 * @typedef {Pick<Asked, 'input' | 'document' | 'table'> & { names: string[], file: Blob, from: number, to: number, budget: number }} SliceAsked
 */

/** A file has one slice for each of so many bytes: a worker takes some time to start. */
const STEP = 16 << 20;
/** Most bytes of a file in slices: larger ones can be more than is held at once. */
const MOST = 2 ** 30;
/** Most workers of a file: one of them takes in what all have read. */
const MOST_WORKERS = 4;
/** Bytes of a file in which its header is looked for, and the end of a line. */
const NEAR = 1 << 16;
/** Share of each other slice that the first slice takes over: other workers start later, and must hand over what they read. */
const AHEAD = 0.15;
/** Keys handed over at a time. */
const HANDED = 1 << 18;
/** Interval of polling and progress in milliseconds. */
const INTERVAL = 100;

/**
 * Reads a large file in slices, up to the last one that can be taken in.
 * @param {FirstPart} part
 * @returns {Promise<number>} the byte from which the rest is to be read
 */
export async function readSlices(part) {
  const { ask, names, file, intake, take, note, beside, tell } = part;
  const { step = STEP, workers = Math.min(MOST_WORKERS, navigator.hardwareConcurrency) } = ask;
  if (!intake.isWhole) return 0;
  const cuts = await cutsOf(file, Math.min(workers, Math.floor(file.size / step)));
  if (cuts.length < 2 || !(await canHelp())) return 0;
  const { input, document, table } = ask;
  const before = intake.reader.rows;
  const budget = intake.budget / cuts.length;
  const asked = { input, document, table, names, file, budget };
  const others = cuts.slice(1).map((to, at) => new Other({ ...asked, from: cuts[at], to }, beside));
  try {
    const first = eachOf(file.slice(0, cuts[0]).stream());
    let bytes = 0;
    let isReserved = false;
    /** Notes what was taken, makes room once the first records are known, and ends the others where they are of no use. */
    const noted = async function* () {
      for await (const chunk of first) {
        if (!isReserved && bytes > NEAR) intake.reserveFor(file.size - bytes);
        isReserved ||= bytes > NEAR;
        if (!intake.isWhole) for (const other of others) other.end();
        bytes += chunk.length;
        note(bytes, file.size);
        yield chunk;
      }
    };
    await take(noted());
    intake.encode(cuts[0] / file.size, before);
    for (const [at, other] of others.entries()) {
      const slice = intake.isWhole ? await other.slice(tell) : null;
      if (!slice || !intake.takeSlice(slice)) return cuts[at];
      other.end();
      part.slices++;
      note(cuts[at + 1], file.size);
    }
    return cuts[others.length];
  } finally {
    for (const other of others) other.end();
  }
}

/** True once this worker has the part of the module that takes slices in. */
const canHelp = () =>
  prepare('slices').then(
    () => true,
    () => false,
  );

/** Another worker, which reads a slice. */
class Other {
  /** None where it can't be started, as in a page that is opened from a folder. @type {Worker | null} */
  #worker = null;
  /** Its progress is counted there. */
  #counted;
  #reported = { bytes: 0, rows: 0 };
  /** @type {Promise<Slice | null>} */
  #read;

  /** @param {SliceAsked} asked @param {{ bytes: number, rows: number }} counted */
  constructor(asked, counted) {
    this.#counted = counted;
    this.#read = new Promise((resolve) => {
      const fail = () => resolve(null);
      try {
        const worker = startBeside();
        this.#worker = worker;
        worker.onmessage = ({ data }) => {
          if (data.progress) this.#count(data.progress);
          else if (data.wanted) fail();
          else if (data.id) resolve(data.given ?? null);
        };
        worker.onmessageerror = fail;
        worker.onerror = (event) => {
          event.preventDefault();
          fail();
        };
        worker.postMessage({ id: 1, type: 'slice', ask: asked });
      } catch {
        this.#worker?.terminate();
        fail();
      }
    });
  }

  /** @param {{ bytes: number, rows: number }} reported */
  #count(reported) {
    this.#counted.bytes += reported.bytes - this.#reported.bytes;
    this.#counted.rows += reported.rows - this.#reported.rows;
    this.#reported = reported;
  }

  /**
   * Waits for the slice; null where it can't be taken in.
   * @param {() => unknown} tell is called at times
   */
  async slice(tell) {
    const later = () =>
      /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, INTERVAL)));
    for (;;) {
      const slice = await Promise.race([this.#read, later()]);
      stopIfCancelled();
      if (slice !== undefined) return slice;
      tell();
    }
  }

  end() {
    this.#worker?.terminate();
    this.#count({ bytes: 0, rows: 0 });
  }
}

/**
 * Where slices of a file end, each behind a line end. None of files that are too small or too large, or are packed.
 * @param {Blob} file
 * @param {number} count
 */
async function cutsOf(file, count) {
  if (count < 2 || file.size > MOST) return [];
  const [first, second] = await bytesOf(file, 0, 2);
  if (first === 0x1f && second === 0x8b) return [];
  const cuts = [];
  for (let number = 1; number <= count; number++) {
    const at = Math.floor(file.size * (1 - ((count - number) * (1 - AHEAD)) / count));
    const before = Math.max(cuts.at(-1) ?? 0, at - NEAR);
    const end = (await bytesOf(file, before, at)).lastIndexOf(0x0a) + 1;
    if (!end) return [];
    cuts.push(before + end);
  }
  return cuts;
}

/** @param {Blob} file @param {number} from @param {number} to */
const bytesOf = async (file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());

/**
 * Reads a slice for another worker.
 * @param {SliceAsked} asked
 * @param {(progress: { bytes: number, rows: number }) => void} progress
 * @returns {Promise<Slice | null>} null where it can't be taken in by the reader of the file
 */
export async function readSlice({ input, document, table, names, file, from, to, budget }, progress) {
  const head = new core.Records(input);
  head.ofKinds(document, table);
  for (const name of names) head.nextFile(name);
  head.push(await bytesOf(file, 0, NEAR));
  const slice = head.apartFrom(from);
  head.free();
  if (!slice) return null;
  let reportedAt = performance.now();
  for await (const chunk of eachOf(file.slice(from, to).stream())) {
    for (const piece of pieces(chunk)) slice.push(piece);
    if (slice.memory > budget) return null;
    if (performance.now() - reportedAt < INTERVAL) continue;
    reportedAt = performance.now();
    progress({ bytes: slice.bytes, rows: slice.rows });
  }
  const records = slice.recordsForm();
  if (!records) return null;
  slice.encode(document, table, slice.rows);
  const keys = [];
  for (let row = 0; row < slice.rows; row += HANDED) {
    const form = slice.keysForm(row, row + HANDED);
    if (form) keys.push(form);
  }
  return { records, keys };
}
