// Sources of records: their bytes, told by the first ones how they are packed.
import { RowscapeError, wrongKind } from './error.js';
import { slicesOf } from './threads.js';
import { BrokenGzip, gunzip } from './wasm/gunzip.js';
import {
  BrokenTable,
  bytesOfArray,
  bytesOfBlob,
  bytesOfPieces,
  isPacked,
  joined,
  MAGIC_BYTES,
  PackedText,
} from './wasm/packed.js';

/** @import { Source } from './reading.js' */
/** @import { Field } from './rowkeys.js' */

/** Bytes looked at to guess what a file holds. */
export const HEAD = 1 << 18;
const utf8 = new TextEncoder();
/** Characters of a path at most. */
const MOST_OF_A_PATH = 4096;

/**
 * Tells records in a file's form from anything else.
 * @param {unknown} data
 * @returns {data is Source}
 */
export const isSource = (data) =>
  typeof data === 'string' ||
  data instanceof Uint8Array ||
  data instanceof ReadableStream ||
  (typeof Blob !== 'undefined' && data instanceof Blob) ||
  (typeof data === 'object' && data !== null && Symbol.asyncIterator in data);

/** True of a text that is rather the path of a file than its contents. @param {string} text */
const isPath = (text) =>
  text.length <= MOST_OF_A_PATH &&
  !/[\n\r]/.test(text) &&
  /\.(csv|tsv|psv|txt|log|json|jsonl|ndjson|parquet|arrow|feather|avro|gz|zst)$/i.test(text);

/** @param {string} path */
const pathGiven = (path) =>
  new RowscapeError({
    code: 'value.path',
    place: { path: 'source' },
    args: { path },
    message: `“${path}” is the path of a file, not its records: give its text or bytes, a Blob (openAsBlob of node:fs) or a stream (createReadStream)`,
  });

/** @param {Source} source @returns {AsyncIterator<Uint8Array | string>} */
function iterator(source) {
  const given = typeof Blob !== 'undefined' && source instanceof Blob ? source.stream() : source;
  if (typeof given === 'string' && isPath(given)) throw pathGiven(given);
  if (typeof given === 'string' || given instanceof Uint8Array) return once(given);
  if (given instanceof ReadableStream) return readerOf(given);
  if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given)
    return given[Symbol.asyncIterator]();
  throw wrongKind('source', 'a text, a Uint8Array, a Blob, a ReadableStream or an async iterable', source);
}

/** @param {Uint8Array | string} piece */
async function* once(piece) {
  yield piece;
}

/**
 * Can be ended while a piece is awaited, and not every browser's streams can be iterated.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncIterator<Uint8Array>}
 */
function readerOf(stream) {
  const reader = stream.getReader();
  return {
    next: async () => /** @type {IteratorResult<Uint8Array>} */ (await reader.read()),
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** @param {Source} source */
const sizeOf = (source) =>
  typeof Blob !== 'undefined' && source instanceof Blob
    ? source.size
    : source instanceof Uint8Array
      ? source.length
      : null;

/**
 * The pieces as bytes, until the signal says to stop.
 * @param {Source} source
 * @param {AbortSignal | undefined} signal
 * @param {(bytes: number) => void} taken
 */
async function* stored(source, signal, taken) {
  const pieces = iterator(source);
  /** @type {() => void} */
  let unhear = () => {};
  const stopped = new Promise((_, reject) => {
    const stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    unhear = () => signal?.removeEventListener('abort', stop);
  });
  stopped.catch(() => {});
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await /** @type {Promise<IteratorResult<Uint8Array | string>>} */ (
        Promise.race([pieces.next(), stopped])
      );
      if (done) return;
      const bytes = typeof value === 'string' ? utf8.encode(value) : value;
      if (!(bytes instanceof Uint8Array)) throw wrongKind('source', 'chunks of bytes or text', value);
      taken(bytes.length);
      yield bytes;
    }
  } finally {
    unhear();
    // Do not await the iterator: it may wait for a piece that never comes.
    void Promise.resolve(pieces.return?.()).catch(() => {});
  }
}

/** A source on its way to text. */
export class OpenSource {
  /** Bytes that were read of it. */
  bytes = 0;
  /** Damage up to which it was read. @type {BrokenGzip | BrokenTable | null} */
  damage = null;
  /** Where its slices end, if threads are to read it. @type {import('./wasm/slices.js').Slices | null} */
  slices = null;
  /** It, if it is no text. @type {PackedText | null} */
  packed = null;
  #source;
  #signal;
  #size;
  /** Its bytes as they are stored. @type {AsyncGenerator<Uint8Array>} */
  #pieces;
  /** Its text. @type {AsyncGenerator<Uint8Array>} */
  #text;

  /** @param {Source} source @param {AbortSignal | undefined} signal */
  constructor(source, signal) {
    this.#source = source;
    this.#signal = signal;
    this.#size = sizeOf(source);
    this.#pieces = this.#stored(source);
    this.#text = this.#pieces;
  }

  /**
   * Opens a source, of which only these fields are read where they are columns of their own.
   * @param {Source} source
   * @param {{ signal: AbortSignal | undefined, fields: readonly Field[], threads: number }} options
   */
  static async open(source, { signal, fields, threads }) {
    const open = new OpenSource(source, signal);
    try {
      await open.#begin();
      if (open.packed?.stated && fields.length) open.packed.choose(fields);
      if (open.blob) open.slices = await slicesOf(bytesOfBlob(open.blob), open.packed, threads);
      return open;
    } catch (error) {
      await open.end();
      throw error;
    }
  }

  /** The source, if it is a `Blob`. */
  get blob() {
    return typeof Blob !== 'undefined' && this.#source instanceof Blob ? this.#source : null;
  }

  /** Columns as it states them, as JSON; undefined for text. */
  get stated() {
    return this.packed?.stated;
  }

  /** Bytes that will be read; null where that is not known. */
  get total() {
    return this.packed ? this.packed.total : this.#size;
  }

  /** The text of the first slice, or all of it. */
  first() {
    const { slices, packed } = this;
    if (!slices) return this.#sound(this.#text);
    packed?.only(0, slices.cuts[0]);
    return this.#sound(packed ? this.#text : upTo(this.#text, slices.cuts[0]));
  }

  /** Notes that a slice was read by another. @param {number} end where it ends @param {number} bytes that were read for it */
  passOver(end, bytes) {
    if (this.packed) this.packed.taken += bytes;
    this.bytes = this.packed ? this.packed.taken : end;
  }

  /** The text behind the slices that were read. @param {number} from their end */
  rest(from) {
    if (this.packed) {
      this.packed.only(from);
      return this.#sound(this.packed.text());
    }
    this.bytes = from;
    return this.#sound(this.#stored(/** @type {Blob} */ (this.blob).slice(from)));
  }

  /** Gives back what it holds. */
  async end() {
    await this.#pieces.return(undefined);
    await this.packed?.end();
  }

  /** @param {Source} source */
  #stored(source) {
    return stored(source, this.#signal, (length) => {
      this.bytes += length;
    });
  }

  /** Tells by the first bytes how it is packed. */
  async #begin() {
    const pieces = this.#pieces;
    let first = new Uint8Array();
    while (first.length < MAGIC_BYTES) {
      const { done, value } = await pieces.next();
      if (done) break;
      first = joined([first, value]);
    }
    if (isPacked(first)) {
      this.packed = await packedText(this.#source, pieces, first);
      this.#text = this.packed.text();
      return;
    }
    const all = (async function* () {
      if (first.length) yield first;
      yield* pieces;
    })();
    const again = async () => stored(this.#source, this.#signal, () => {});
    const isGzip = first[0] === 0x1f && first[1] === 0x8b;
    this.#text = isGzip ? gunzip(all, this.#size === null ? null : again) : all;
  }

  /** Text up to where it is damaged. @param {AsyncGenerator<Uint8Array>} text */
  async *#sound(text) {
    try {
      for await (const piece of text) {
        this.#signal?.throwIfAborted();
        if (this.packed) this.bytes = this.packed.taken;
        yield piece;
      }
    } catch (error) {
      if (!(error instanceof BrokenGzip || error instanceof BrokenTable)) throw error;
      this.damage = error;
    }
  }
}

/**
 * A packed file, read by the module for such files.
 * @param {Source} source
 * @param {AsyncGenerator<Uint8Array>} pieces
 * @param {Uint8Array} first
 */
async function packedText(source, pieces, first) {
  const { PackedFile } = await import('./wasm/formats.js');
  const isWhole = source instanceof Uint8Array || (typeof Blob !== 'undefined' && source instanceof Blob);
  const bytes = !isWhole
    ? await bytesOfPieces(pieces, first)
    : source instanceof Uint8Array
      ? bytesOfArray(source)
      : bytesOfBlob(source);
  if (isWhole) await pieces.return(undefined);
  const packed = await PackedText.open(PackedFile, first, bytes);
  if (!packed) throw new Error('a packed file that its module does not know');
  return packed;
}

/** The pieces up to this byte. @param {AsyncGenerator<Uint8Array>} pieces @param {number} end */
async function* upTo(pieces, end) {
  let left = end;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

/**
 * The next pieces, by default enough to guess by.
 * @param {AsyncGenerator<Uint8Array>} pieces
 * @param {number} [most] bytes that are enough
 */
export async function headOf(pieces, most = HEAD) {
  const first = [];
  for (let length = 0; length < most; ) {
    const { done, value } = await pieces.next();
    if (done) return { head: joined(first), ended: true };
    first.push(value);
    length += value.length;
  }
  return { head: joined(first), ended: false };
}
