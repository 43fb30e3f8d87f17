// Reads records from any source.
import { call, RowscapeError, wrongKind } from './error.js';
import { between, textOf } from './given.js';
import { HEAD, headOf, isSource, OpenSource } from './sources.js';
import { startThreads, usualThreads } from './threads.js';
import { BrokenTable, bytesOfBlob } from './wasm/packed.js';
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
 * source without a byte order mark, default UTF-8; threads: of Node that read a `Blob` of 32 MiB and more, four at most; by default
 * one for each core. What is read is the same for any number of them.
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

/** Names of {@link ReadOptions}. */
export const READ_OPTIONS = ['signal', 'onProgress', 'name', 'encoding', 'threads'];
/** Most threads that can be asked for. */
const MOST_THREADS = 64;
/** Bytes handed over at a time. */
const PIECE = 1 << 20;
/** Milliseconds between two words of progress, at which others have their turn too. */
const TURN = 100;

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

/**
 * Opens a source.
 * @param {Source} source
 * @param {Parameters<typeof OpenSource.open>[1]} options
 * @param {string} name for errors
 */
export async function opened(source, options, name) {
  try {
    return await OpenSource.open(source, options);
  } catch (error) {
    throw error instanceof BrokenTable ? damaged(error, name) : error;
  }
}

/**
 * Refuses a source from which nothing can be read.
 * @param {Pick<OpenSource, 'damage'>} open
 * @param {{ problems: Problem[], input: { fields: unknown[] } }} guess
 * @param {string} name
 */
export function checkReadable({ damage }, guess, name) {
  const noText = guess.problems.find(({ code }) => NO_TEXT.has(code));
  if (!noText && guess.input.fields.length) return;
  checkDamage({ damage }, name);
  throw empty(noText ?? guess.problems[0], name);
}

/** Refuses a source that is damaged. @param {Pick<OpenSource, 'damage'>} open @param {string} name */
export function checkDamage({ damage }, name) {
  if (damage) throw damage instanceof BrokenTable ? damaged(damage, name) : empty(DAMAGED, name);
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
    const { signal, threads = usualThreads() } = this.#options;
    const open = await opened(source, { signal, fields: this.#fields, threads }, name);
    const first = open.first();
    try {
      const { head, ended } = await headOf(first);
      const { stated } = open;
      const reading = this.#begun(this.#guess(open, head, name), stated);
      this.#files.push({ name, kind });
      reading.nextFile(name, kind);
      if (stated) call(() => reading.state(stated));
      const readFirst = async () => {
        into(reading)(head);
        if (!ended) await this.#push(open, first);
      };
      if (open.slices) await this.#inSlices(open, readFirst);
      else await readFirst();
      const { damage } = open;
      if (damage) call(() => reading.breakOff(damage instanceof BrokenTable ? damage.problem : undefined));
      this.#tell(open);
      this.#before += open.bytes;
    } finally {
      await first.return(undefined);
      await open.end();
    }
  }

  /** The form of a source, guessed from its first bytes. @param {OpenSource} open @param {Uint8Array} head @param {string} name */
  #guess(open, head, name) {
    const { encoding } = this.#options;
    const looked = head.subarray(0, HEAD);
    const columns = this.#columns();
    const guess = call(() => wasm.guess(looked, name, undefined, columns, encoding, open.stated));
    checkReadable(open, guess, name);
    const { document } = this.#of ?? {};
    const { format, header } = guess.input;
    if (!document || !(format === 'scan' || (format === 'csv' && !header))) return guess.input;
    // Row keys of the table may be its records.
    const known = JSON.stringify({ name, declared: columns, encoding, document });
    return call(() => wasm.guessOfDesign(looked, known)).input;
  }

  #columns() {
    return this.#fields.flatMap((field) => field.from ?? field.name);
  }

  /** @param {OpenSource} open @param {AsyncIterable<Uint8Array>} text */
  async #push(open, text) {
    const push = into(this.#held());
    let told = performance.now();
    for await (const piece of text) {
      push(piece);
      if (performance.now() - told < TURN) continue;
      this.#tell(open);
      await turn(this.#options.signal);
      told = performance.now();
    }
  }

  /** Reads a source with the help of threads. @param {OpenSource} open @param {() => Promise<void>} readFirst */
  async #inSlices(open, readFirst) {
    const { slices, blob } = open;
    if (!slices || !blob) return;
    const { cuts, share } = slices;
    const reading = this.#held();
    const beside = { bytes: 0, rows: 0 };
    const others = startThreads(cuts, this.#slice(open.stated), bytesOfBlob(blob), beside);
    const before = reading.rows;
    const first = async () => {
      await readFirst();
      const expected = before + (reading.rows - before) / share;
      if (this.#of?.keyed) reading.encode(this.#of.document, this.#of.table, expected);
    };
    const intake = {
      get isWhole() {
        return !open.damage;
      },
      takeSlice: (/** @type {Slice} */ slice) => call(() => takeIn(reading, slice)),
    };
    const told = {
      tell: () => {
        this.#options.signal?.throwIfAborted();
        this.#tell(open, beside);
      },
      taken: (/** @type {number} */ at, /** @type {Slice} */ { bytes }) => open.passOver(cuts[at], bytes),
    };
    const read = await inSlices(others, first, intake, told);
    if (!open.damage) await this.#push(open, open.rest(cuts[read - 1]));
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
   * @param {any} input as guessed @param {string | undefined} stated
   */
  #begun(input, stated) {
    if (this.#records) return this.#records;
    const found = stated && this.#fields.length ? named(input.fields, this.#columns()) : input.fields;
    // A file of one kind lacks fields of the others.
    const own = declared(found, this.#fields);
    const fields = this.#of?.kinds.length ? withMissing(own, this.#fields) : own;
    this.#input = { ...input, fields };
    const records = call(() =>
      input.keys ? wasm.Records.ofKeys(this.#input) : new wasm.Records(this.#input),
    );
    this.#records = records;
    const of = this.#of;
    if (of?.kinds.length) records.ofKinds(of.document, of.table);
    return records;
  }

  /** The records so far. */
  #held() {
    return /** @type {wasm.Records} */ (this.#records);
  }

  /** @param {OpenSource} open @param {{ bytes: number, rows: number }} [beside] read by threads */
  #tell({ bytes: own, total }, beside = { bytes: 0, rows: 0 }) {
    // Slices that can't be taken in are read again: what was told stays so. More than there is can be read, as the ends of some pieces.
    const most = total === null ? Infinity : this.#before + total;
    const bytes = Math.max(this.#told.bytes, Math.min(most, this.#before + own + beside.bytes));
    const rows = Math.max(this.#told.rows, (this.#records?.rows ?? 0) + beside.rows);
    this.#told = { bytes, rows };
    this.#options.onProgress?.({ bytes, rows, total: total === null ? null : this.#before + total });
  }

  /** The records, which whoever takes them frees. */
  end() {
    const records = this.#held();
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
export function nameOf(source, given) {
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

/** Why no design comes of SQL. @param {{ place: object }} problem @param {string} file */
export function refusedSql(problem, file) {
  const said = call(() => wasm.damageOf(JSON.stringify(problem)));
  return new RowscapeError({ ...said, place: { ...problem.place, file } });
}

/** Hands pieces of a file to a reader. @param {wasm.Records} reading */
const into = (reading) => (/** @type {Uint8Array} */ piece) => {
  for (let at = 0; at < piece.length; at += PIECE) call(() => reading.push(piece.subarray(at, at + PIECE)));
};

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
