// A large file of text, read in slices, each by a worker of its own that makes the keys of its records, too
// (docs/decisions/0029-slices-of-a-file.md).
import * as core from '#core';
import { eachOf } from './gunzip.js';
import { pieces } from './source.js';
import { stopIfCancelled } from './stopping.js';
import { prepare, startBeside } from './wasm-first.js';

/** @import { Asked, FirstPart, Slice } from './read-records.js' */

/**
 * What a worker is to read: bytes `from` to `to` of a file, which is the last of these names.
 * @typedef {Pick<Asked, 'input' | 'document' | 'table'> & { names: string[], file: Blob, from: number, to: number }} SliceAsked
 */

/** Fewest bytes of a slice, which takes a worker some time to start with. */
const LEAST = 16 << 20;
/** Most bytes of a file in slices: larger ones can be more than is held at once. */
const MOST = 2 ** 30;
/** Most workers of a file: what they read is taken in by one. */
const MOST_WORKERS = 4;
/** Bytes of a file in which its header is looked for, and the end of a line. */
const NEAR = 1 << 16;
/** Share of a slice that the first has besides its own: other workers start later, and hand over what they have read. */
const AHEAD = 0.15;
/** Keys handed over at a time. */
const HANDED = 1 << 18;
/** Milliseconds between two looks at what others do, and between what they tell. */
const LOOK = 100;

/**
 * Reads the first part of a file as far as it is worth it and can be read in slices.
 * @param {FirstPart} part
 * @returns {Promise<number>} the byte from which the rest is to be read
 */
export async function readSlices(part) {
  const { ask, names, file, intake, take, note, beside, tell } = part;
  const { step = LEAST, workers = Math.min(MOST_WORKERS, navigator.hardwareConcurrency) } = ask;
  const cuts = await cutsOf(file, Math.min(workers, Math.floor(file.size / step)));
  if (cuts.length < 2 || !(await canHelp())) return 0;
  const { input, document, table } = ask;
  /** @type {Other[]} */
  const others = [];
  try {
    for (const [at, to] of cuts.slice(1).entries())
      others.push(new Other({ input, document, table, names, file, from: cuts[at], to }, beside));
    const first = eachOf(file.slice(0, cuts[0]).stream());
    await take(
      told(
        first,
        (bytes) => note(bytes, file.size),
        (bytes) => intake.expect(file.size - bytes),
      ),
    );
    intake.encode(cuts[0] / file.size);
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

/**
 * @param {AsyncIterable<Uint8Array>} text
 * @param {(bytes: number) => void} note is told how many bytes were taken
 * @param {(bytes: number) => void} begun is told the same once the first were read
 */
async function* told(text, note, begun) {
  let bytes = 0;
  let known = false;
  for await (const chunk of text) {
    if (!known && bytes > NEAR) begun(bytes);
    known ||= bytes > NEAR;
    bytes += chunk.length;
    note(bytes);
    yield chunk;
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
  /** What it has read so far is counted there. */
  #counted;
  #told = { bytes: 0, rows: 0 };
  /** @type {Promise<Slice | null>} */
  #read;

  /** @param {SliceAsked} asked @param {{ bytes: number, rows: number }} counted */
  constructor(asked, counted) {
    this.#counted = counted;
    this.#read = new Promise((resolve) => {
      try {
        this.#worker = startBeside();
      } catch {
        resolve(null);
        return;
      }
      this.#worker.onmessage = ({ data }) => {
        if (data.progress) this.#count(data.progress);
        else if (data.id) resolve(data.given ?? null);
      };
      this.#worker.onerror = (event) => {
        event.preventDefault();
        resolve(null);
      };
      this.#worker.postMessage({ id: 1, type: 'slice', ask: asked });
    });
  }

  /** @param {{ bytes: number, rows: number }} told */
  #count(told) {
    this.#counted.bytes += told.bytes - this.#told.bytes;
    this.#counted.rows += told.rows - this.#told.rows;
    this.#told = told;
  }

  /**
   * Waits for the slice; null where it can't be taken in.
   * @param {() => unknown} tell is called at times
   */
  async slice(tell) {
    const later = () => /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, LOOK)));
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
export async function readSlice({ input, document, table, names, file, from, to }, progress) {
  const head = new core.Records(input);
  head.ofKinds(document, table);
  for (const name of names) head.nextFile(name);
  head.push(await bytesOf(file, 0, NEAR));
  const slice = head.apartFrom(from);
  head.free();
  if (!slice) return null;
  let told = performance.now();
  for await (const chunk of eachOf(file.slice(from, to).stream())) {
    for (const piece of pieces(chunk)) slice.push(piece);
    if (performance.now() - told < LOOK) continue;
    told = performance.now();
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
