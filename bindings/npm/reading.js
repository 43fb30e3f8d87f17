// Reads records from any source.
import { call, RowscapeError, wrongKind } from './error.js';
import { between, textOf } from './given.js';
import { slicesOf, startThreads, usualThreads } from './threads.js';
import { BrokenGzip, gunzip } from './wasm/gunzip.js';
import {
  BrokenTable,
  bytesOfArray,
  bytesOfBlob,
  bytesOfPieces,
  isPacked,
  MAGIC_BYTES,
  PackedText,
} from './wasm/packed.js';
import * as wasm from './wasm/rowscape.js';
import { inSlices, takeIn } from './wasm/slices.js';

/** @import { Problem } from './error.js' */
/** @import { Field } from './rowkeys.js' */
/** @import { ThreadAsked } from './threads.js' */
/** @import { Slice } from './wasm/slices.js' */

/**
 * Records as CSV, TSV, JSON Lines or a JSON array, packed with gzip or zstd or not, or as a Parquet, Arrow, Feather or Avro file: a
 * string, bytes, a `Blob` or `File`, a `ReadableStream`, or an async iterable of chunks, such as a Node stream. Of a `Blob` only the
 * bytes that are needed are read: `fs.openAsBlob` makes one of a file.
 * @typedef {string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>} Source
 */

/** Progress of reading; `total` is the number of bytes, if known. @typedef {{ bytes: number, rows: number, total: number | null }} Progress */
/** The encoding of a file without a byte order mark. @typedef {'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'} Encoding */

/**
 * How a file was read; `by`: its byte order mark, the option `encoding`, or nothing.
 * @typedef {{ name: string, format: string, encoding: Encoding, by: 'mark' | 'given' | 'assumed' }} ReadFile
 */

/**
 * Options of reading. signal: ends it; onProgress: is told at least every 100 ms; name: of the file, for errors; encoding: of a
 * source without a byte order mark, default UTF-8; threads: of Node that read a `Blob` of 32 MiB and more, by default one for each core,
 * four at most. What is read is the same for any number of them.
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: Progress) => void, name?: string, encoding?: Encoding, threads?: number }} ReadOptions
 */

/** The codes of problems for which a file was not read to its end. */
const UNFINISHED = new Set([
  'input.broken-gzip',
  'input.broken-table',
  'input.cut-short',
  'input.table-unknown',
  'input.too-large',
  'limit.exceeded',
]);

/** The codes of problems for which nothing is read: the bytes are no text in the encoding of the source. */
const NO_TEXT = new Set(['input.binary', 'input.utf-16']);

/** Most threads that can be asked for. */
const MOST_THREADS = 64;
/** Bytes looked at to guess what a file holds. */
const HEAD = 1 << 18;
/** Bytes handed over at a time. */
const PIECE = 1 << 20;
/** Milliseconds between two words of progress, at which others have their turn too. */
const TURN = 100;
const utf8 = new TextEncoder();

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

/** @param {Source} source @returns {AsyncIterator<Uint8Array | string>} */
function iterator(source) {
  const given = typeof Blob !== 'undefined' && source instanceof Blob ? source.stream() : source;
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

/**
 * A source as text, once its first bytes said how it is packed.
 * @param {Source} source
 * @param {AsyncGenerator<Uint8Array>} pieces of it, as they are stored
 * @param {(() => Promise<AsyncGenerator<Uint8Array>>) | null} again the same from their beginning
 * @returns {Promise<{ pieces: AsyncGenerator<Uint8Array>, packed: PackedText | null }>}
 */
async function opened(source, pieces, again) {
  let first = new Uint8Array();
  while (first.length < MAGIC_BYTES) {
    const { done, value } = await pieces.next();
    if (done) break;
    first = joined([first, value]);
  }
  if (isPacked(first)) {
    const packed = await packedText(source, pieces, first);
    return { pieces: packed.text(), packed };
  }
  const all = (async function* () {
    if (first.length) yield first;
    yield* pieces;
  })();
  return { pieces: first[0] === 0x1f && first[1] === 0x8b ? gunzip(all, again) : all, packed: null };
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

/** @param {Uint8Array[]} pieces */
function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * Records of a table that holds several kinds: a source for each, by the name of the kind.
 * @typedef {Record<string, Source>} KindSources
 */

/** A source with its name, and the kind of its records where it is known. @typedef {{ source: Source, name: string, kind?: string }} NamedSource */

/**
 * The sources of records, each with its name.
 * @param {Source | KindSources} data
 * @param {string | undefined} name
 * @param {readonly string[]} kinds of the table
 * @returns {NamedSource[]}
 */
function sourcesOf(data, name, kinds) {
  const isOfKinds = !isSource(data) && typeof data === 'object' && data !== null && kinds.length > 0;
  if (!isOfKinds) {
    const source = /** @type {Source} */ (data);
    return [{ source, name: nameOf(source, name) }];
  }
  return Object.entries(data).map(([kind, source]) => {
    if (!kinds.includes(kind)) throw wrongKind('source', `sources by kind: ${kinds.join(', ')}`, kind);
    return { source, kind, name: nameOf(source, kind) };
  });
}

/**
 * The table that records are read for; `keyed`: its keys will be asked for.
 * @typedef {{ document: string, table: number, kinds: readonly string[], keyed?: boolean }} TableOf
 */

/**
 * Reads records; whoever asked for them frees them.
 * @param {readonly Field[]} fields as the design declares them
 * @param {Source | KindSources} data
 * @param {ReadOptions} options
 * @param {TableOf} [of] the table
 * @returns {Promise<wasm.Records>}
 */
export async function read(fields, data, options, of) {
  checkOptions(options);
  const files = sourcesOf(data, options.name, of?.kinds ?? []);
  if (!files.length) throw wrongKind('source', 'a source of records', data);
  const reading = new Reading(fields, options, of);
  try {
    for (const file of files) await reading.add(file);
    return reading.end();
  } catch (error) {
    reading.free();
    throw error;
  }
}

/** Records on their way in, from one source after the other. */
class Reading {
  #fields;
  #options;
  #of;
  /** @type {wasm.Records | null} */
  #records = null;
  /** How they are read. @type {object | null} */
  #input = null;
  /** The sources so far. @type {ThreadAsked['files']} */
  #files = [];
  /** Bytes of the sources before. */
  #before = 0;
  /** The last progress that was told. */
  #told = { bytes: 0, rows: 0 };

  /** @param {readonly Field[]} fields @param {ReadOptions} options @param {TableOf | undefined} of */
  constructor(fields, options, of) {
    this.#fields = fields;
    this.#options = options;
    this.#of = of;
  }

  /** Reads a source. @param {NamedSource} file */
  async add({ source, name, kind }) {
    const { signal, encoding, threads = usualThreads() } = this.#options;
    const total = sizeOf(source);
    const read = { bytes: 0, beside: { bytes: 0, rows: 0 } };
    const count = (/** @type {number} */ length) => {
      read.bytes += length;
    };
    const taken = stored(source, signal, count);
    const again = total === null ? null : async () => stored(source, signal, () => {});
    const columns = this.#fields.flatMap((field) => field.from ?? field.name);
    const { pieces: text, packed } = await opened(source, taken, again).catch(async (error) => {
      await taken.return(undefined);
      throw error instanceof BrokenTable ? damaged(error, name) : error;
    });
    if (packed?.stated && this.#fields.length) packed.choose(this.#fields);
    /** @type {BrokenGzip | BrokenTable | null} */
    let broken = null;
    const damage = () => /** @type {BrokenGzip | BrokenTable | null} */ (broken);
    /** The pieces up to where the file is damaged. @param {AsyncGenerator<Uint8Array>} some */
    const sound = async function* (some) {
      try {
        for await (const piece of some) {
          signal?.throwIfAborted();
          if (packed) read.bytes = packed.taken;
          yield piece;
        }
      } catch (error) {
        if (!(error instanceof BrokenGzip || error instanceof BrokenTable)) throw error;
        broken = error;
      }
    };
    const blob = typeof Blob !== 'undefined' && source instanceof Blob ? source : null;
    const slices = blob && (await slicesOf(bytesOfBlob(blob), packed, threads));
    if (slices) packed?.only(0, slices.cuts[0]);
    const pieces = sound(slices && !packed ? upTo(text, slices.cuts[0]) : text);
    try {
      const { head, ended } = await headOf(pieces);
      const stated = packed?.stated;
      const looked = head.subarray(0, HEAD);
      const guess = call(() => wasm.guess(looked, name, undefined, columns, encoding, stated));
      const noText = guess.problems.find((/** @type {{ code: string }} */ { code }) => NO_TEXT.has(code));
      if (noText || !guess.input.fields.length) {
        const error = damage();
        if (error instanceof BrokenTable) throw damaged(error, name);
        throw empty(error ? DAMAGED : (noText ?? guess.problems[0]), name);
      }
      const reading = this.#begun(guess.input, stated, columns);
      this.#files.push({ name, kind });
      reading.nextFile(name, kind);
      if (stated) call(() => reading.state(stated));
      const progress = () => this.#tell(read, packed ? packed.total : total);
      const push = into(reading);
      const pushAll = async (/** @type {AsyncIterable<Uint8Array>} */ some) => {
        let told = performance.now();
        for await (const piece of some) {
          push(piece);
          if (performance.now() - told < TURN) continue;
          progress();
          await turn(signal);
          told = performance.now();
        }
      };
      const readFirst = async () => {
        push(head);
        if (!ended) await pushAll(pieces);
      };
      if (!blob || !slices) await readFirst();
      else {
        const { cuts, share } = slices;
        const others = startThreads(cuts, this.#slice(stated), bytesOfBlob(blob), read.beside);
        const before = reading.rows;
        const encoded = async () => {
          await readFirst();
          const expected = before + (reading.rows - before) / share;
          if (this.#of?.keyed) reading.encode(this.#of.document, this.#of.table, expected);
        };
        const intake = {
          get isWhole() {
            return !damage();
          },
          takeSlice: (/** @type {Slice} */ slice) => call(() => takeIn(reading, slice)),
        };
        const told = {
          tell() {
            signal?.throwIfAborted();
            progress();
          },
          taken(/** @type {number} */ at, /** @type {Slice} */ slice) {
            if (packed) packed.taken += slice.bytes;
            read.bytes = packed ? packed.taken : cuts[at];
          },
        };
        const from = cuts[(await inSlices(others, encoded, intake, told)) - 1];
        if (packed) packed.only(from);
        else read.bytes = from;
        if (!damage()) await pushAll(sound(packed ? packed.text() : stored(blob.slice(from), signal, count)));
      }
      const error = damage();
      if (error) call(() => reading.breakOff(error instanceof BrokenTable ? error.problem : undefined));
      progress();
      this.#before += read.bytes;
    } finally {
      await pieces.return(undefined);
      await packed?.end();
    }
  }

  /** The way in which a thread reads a slice. @param {string | undefined} stated @returns {ThreadAsked} */
  #slice(stated) {
    const { document = '', table = 0, kinds = [], keyed = false } = this.#of ?? {};
    const ofKinds = kinds.length > 0;
    const shown = keyed || ofKinds ? document : '';
    const [fields, files, input] = [this.#fields, this.#files, this.#input ?? {}];
    return { input, fields, stated, document: shown, keyed, table, kinds: ofKinds, files };
  }

  /**
   * The records so far; those of the first source say which fields are read.
   * @param {any} input as guessed @param {string | undefined} stated @param {string[]} columns
   */
  #begun(input, stated, columns) {
    if (this.#records) return this.#records;
    const found = stated && this.#fields.length ? named(input.fields, columns) : input.fields;
    // A file of one kind lacks fields of the others.
    const own = declared(found, this.#fields);
    const fields = this.#of?.kinds.length ? withMissing(own, this.#fields) : own;
    this.#input = { ...input, fields };
    const records = call(() => new wasm.Records(this.#input));
    this.#records = records;
    const of = this.#of;
    if (of?.kinds.length) records.ofKinds(of.document, of.table);
    return records;
  }

  /** @param {{ bytes: number, beside: { bytes: number, rows: number } }} read @param {number | null} total */
  #tell({ bytes: own, beside }, total) {
    // Slices that can't be taken in are read again: what was told stays so.
    const bytes = Math.max(this.#told.bytes, this.#before + own + beside.bytes);
    const rows = Math.max(this.#told.rows, (this.#records?.rows ?? 0) + beside.rows);
    this.#told = { bytes, rows };
    this.#options.onProgress?.({ bytes, rows, total: total === null ? null : this.#before + total });
  }

  /** The records, which whoever takes them frees. */
  end() {
    const records = /** @type {wasm.Records} */ (this.#records);
    call(() => records.finish());
    this.#options.signal?.throwIfAborted();
    this.#records = null;
    return records;
  }

  free() {
    this.#records?.free();
  }
}

/** The fields that are read, and those of the design among them that the first file does not have. @param {Field[]} read @param {readonly Field[]} fields */
const withMissing = (read, fields) => [
  ...read,
  ...fields.filter(({ name }) => !read.some((field) => field.name === name)),
];

/**
 * Lets others have their turn, then throws if the signal has been aborted.
 * @param {AbortSignal | undefined} signal
 */
export async function turn(signal) {
  await new Promise((others) => setTimeout(others));
  signal?.throwIfAborted();
}

/**
 * The problem for which a file was not read to its end.
 * @param {wasm.Records} records
 * @returns {Problem | null}
 */
export function unfinished(records) {
  // Told first.
  const [first] = records.problems().first;
  return first && UNFINISHED.has(first.code) ? first : null;
}

/**
 * Refuses options of another kind.
 * @param {{ signal?: AbortSignal, onProgress?: unknown, name?: string, threads?: number }} options
 */
export function checkOptions({ signal, onProgress, name, threads }) {
  if (signal && typeof signal.throwIfAborted !== 'function')
    throw wrongKind('signal', 'an AbortSignal', signal);
  if (onProgress && typeof onProgress !== 'function') throw wrongKind('onProgress', 'a function', onProgress);
  if (name) textOf(name, 'name');
  if (threads !== undefined) between(threads, 'threads', [1, MOST_THREADS]);
}

/** The name of a file, for errors. @param {Source} source @param {string | undefined} given */
function nameOf(source, given) {
  const file = /** @type {{ name?: unknown } | undefined} */ (source)?.name;
  return given ?? (typeof file === 'string' ? file : 'records');
}

/**
 * The fields to read: those found, as the design declares them, and those it takes from others. `fieldsToRead` of the page does the
 * same; this file ships as it is and can't import it.
 * @param {readonly Field[]} found
 * @param {readonly Field[]} fields
 */
function declared(found, fields) {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const read = found.map((field) => byName.get(field.name) ?? field);
  return [...read, ...fields.filter((field) => field.from && !read.includes(field))];
}

/**
 * The fields of these columns, or where there are none the first: its records are counted all the same.
 * @param {Field[]} found
 * @param {readonly string[]} columns
 */
function named(found, columns) {
  const wanted = found.filter(({ name }) => columns.includes(name));
  return wanted.length ? wanted : found.slice(0, 1);
}

/** The error of a packed file of which nothing could be read. @param {BrokenTable} broken @param {string} file */
function damaged(broken, file) {
  const problem = call(() => wasm.damageOf(broken.problem));
  return new RowscapeError({ ...problem, place: { ...problem.place, file } });
}

/** Hands pieces of a file to a reader. @param {wasm.Records} reading */
const into = (reading) => (/** @type {Uint8Array} */ piece) => {
  for (let at = 0; at < piece.length; at += PIECE) call(() => reading.push(piece.subarray(at, at + PIECE)));
};

/** The pieces up to this byte. @param {AsyncGenerator<Uint8Array>} pieces @param {number} end */
async function* upTo(pieces, end) {
  let left = end;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

/** The first pieces, enough to guess by. @param {AsyncGenerator<Uint8Array>} pieces */
async function headOf(pieces) {
  const first = [];
  for (let length = 0; length < HEAD; ) {
    const { done, value } = await pieces.next();
    if (done) return { head: joined(first), ended: true };
    first.push(value);
    length += value.length;
  }
  return { head: joined(first), ended: false };
}

/** Problem of a gzip file that cannot be read at all. */
const DAMAGED = {
  code: 'input.broken-gzip',
  place: {},
  args: { rows: '0' },
  message: 'the compressed data is damaged or truncated; compress the file again, or check the copy',
};

/** @param {Problem | undefined} problem @param {string} file */
function empty(problem, file) {
  const {
    code = 'records.none',
    args = {},
    message = 'the input has no records; give CSV, TSV or JSON Lines',
  } = problem ?? {};
  return new RowscapeError({ code, place: { file }, args, message });
}
