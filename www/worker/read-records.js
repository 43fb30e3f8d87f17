import * as core from '#core';
import { GIB } from '../text/units.js';
import { BrokenGzip, eachOf } from './gunzip.js';
import { BrokenTable } from './packed.js';
import { openPacked } from './packed-source.js';
import { takeIn } from './slices.js';
import { filesOf, open, pieces } from './source.js';
import { beginWork, breathe, stopIfCancelled } from './stopping.js';

/** @import { PackedText } from './packed.js' */
/** @import { Slice, SliceProgress } from './slices.js' */
/** @import { Input, Known, Progress, RecordSource, Report } from '../types.d.ts' */

/**
 * `workers`: how many read a large file, in slices of at least `step` bytes.
 * @typedef {{ source: RecordSource, input: Input, document: string, table: number, budget?: number, workers?: number, step?: number }} Asked
 */

/**
 * The first part of a file, which others help to read; its name is the last one, and `packed` opens it where it is no text. `take` reads
 * bytes, `note` says how many of the file were taken, `beside` counts what others have read that was not taken in yet, `tell` reports
 * at times, and `slices` counts those that were taken in.
 * @typedef {{ ask: Asked, names: string[], file: File, packed: PackedText | null, intake: Intake, take: (text: AsyncIterable<Uint8Array>) => Promise<void>, note: (bytes: number, total: number | null) => void, beside: SliceProgress, tell: () => boolean, slices: number }} FirstPart
 */

/** Milliseconds between two progress messages. */
const PROGRESS_EVERY = 100;

/** Most frequent values listed of each field. */
export const MOST_VALUES = 5;

/** Bytes of records held: keys and their sort take as much again, and a wasm module has 4 GiB in all. */
const MEMORY_BUDGET = 1.25 * GIB;

/** Reads the first part of a file, and says from which byte or row group on the rest is to be read. @type {((part: FirstPart) => Promise<number>) | null} */
let helped = null;

/** Says who helps to read large files. @param {NonNullable<typeof helped>} readFirst */
export function helpedBy(readFirst) {
  helped = readFirst;
}

/** A reader of files of this form. @param {Input} input */
export const recordsOf = (input) => (input.keys ? core.Records.ofKeys(input) : new core.Records(input));

/**
 * Records on their way into memory. When they are too large, first only the columns are kept that the
 * document names; when those too are more than the budget, the records are counted as they pass, and a sample
 * of them is kept.
 */
export class Intake {
  narrowed = false;
  /** The records would take too much memory: there are fewer columns, or a sample. */
  #limited = false;
  #ask;
  /** Names of the fields that are held, in their order. @type {string[]} */
  #fields;
  #reading;
  /** @type {core.Stream | null} */
  #passing = null;

  /** @param {Omit<Asked, 'source'>} ask */
  constructor(ask) {
    this.#ask = ask;
    this.#fields = ask.input.fields.map(({ name }) => name);
    this.#reading = recordsOf(ask.input);
    this.#reading.ofKinds(ask.document, ask.table);
  }

  /** Bytes of records that are held at most. */
  get budget() {
    return this.#ask.budget ?? MEMORY_BUDGET;
  }

  /** The reader that currently receives the records. */
  get reader() {
    return this.#passing ?? this.#reading;
  }

  /**
   * Begins a packed file, of which only the columns are read that the document names.
   * @param {PackedText} packed
   */
  narrow(packed) {
    const { document, input } = this.#ask;
    if (packed.stated) this.reader.state(packed.stated);
    const named = core.namedFields(document);
    if (!packed.stated || !named.length) return;
    if (!this.narrowed) this.#keepOnly(named);
    this.narrowed = true;
    packed.choose(input.fields.filter(({ name }) => named.includes(name)));
  }

  /** @param {string[]} named */
  #keepOnly(named) {
    this.#reading.keepOnly(named);
    this.#fields = this.#fields.filter((name) => named.includes(name));
  }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    for (const piece of pieces(bytes)) this.reader.push(piece);
    this.#limit();
  }

  /** True while all that is read is held. */
  get isWhole() {
    return !this.#limited;
  }

  /** A reader of the rest of the file from this byte on. @param {number} base */
  apartFrom(base) {
    return this.#reading.apartFrom(base);
  }

  /** Makes room for the records of so many more bytes, if all are likely to be held. @param {number} bytes */
  reserveFor(bytes) {
    const { bytes: read, memory } = this.#reading;
    if (this.isWhole && (memory / read) * (read + bytes) < this.budget / 2) this.#reading.reserveFor(bytes);
  }

  /**
   * Makes the keys of the records so far; `share` of a file was read, and `before` records come from others.
   * @param {number} share
   * @param {number} before
   */
  encode(share, before) {
    const { document, table } = this.#ask;
    const { rows } = this.#reading;
    if (this.isWhole) this.#reading.encode(document, table, before + (rows - before) / share);
  }

  /** Takes in the next slice of a file. False where that can't be: its bytes are to be pushed. @param {Slice} slice */
  takeSlice(slice) {
    const taken = takeIn(this.#reading, slice);
    this.#limit();
    return taken;
  }

  /** Sees to it that the records stay within their budget. */
  #limit() {
    const { document, table } = this.#ask;
    if (this.#passing || this.#reading.memory <= this.budget) return;
    this.#limited = true;
    const named = core.namedFields(document);
    if (!this.narrowed && named.length) this.#keepOnly(named);
    this.narrowed = true;
    if (this.#reading.memory > this.budget) this.#passing = new core.Stream(this.#reading, document, table);
  }

  /**
   * Ends the last file. `passed` tells of records that were too many to hold; `kept` is then a sample of
   * them.
   */
  finish() {
    this.reader.finish();
    const [reading, passing] = [this.#reading, this.#passing];
    const held = { narrowed: this.narrowed, fields: this.#fields };
    if (!passing) return { kept: reading, ...held, passed: null };
    const { bytes, rows } = passing;
    const problems = passing.problems();
    const kept = passing.sample();
    // The sample can hold all records if they are few but large.
    const counts =
      kept.rows < rows
        ? {
            report: /** @type {Report} */ (passing.report()),
            known: /** @type {Known} */ (passing.known(MOST_VALUES)),
          }
        : null;
    return { kept, ...held, passed: { bytes, rows, problems, counts } };
  }

  /** Gives back what a load that failed has taken. */
  discard() {
    this.#reading.free();
  }

  /** Gives back what is not kept. */
  end() {
    this.#passing?.free();
  }
}

/**
 * Reads files into memory, one after the other.
 * @param {Asked} ask
 * @param {(progress: Progress) => void} progress
 */
export async function readRecords(ask, progress) {
  beginWork();
  const intake = new Intake(ask);
  try {
    const files = filesOf(ask.source);
    const names = files.map(({ name }) => name);
    const sizes = files.map(({ file }) => file?.size ?? 0);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    let told = 0;
    const most = { rows: 0, bytes: 0 };
    let before = 0;
    let slices = 0;
    let read = /** @type {{ bytes: number, size: number } | null} */ (null);
    for (const [at, source] of files.entries()) {
      const taken = { bytes: before, total: /** @type {number | null} */ (null) };
      const beside = { bytes: 0, rows: 0 };
      const note = (/** @type {number} */ bytes, /** @type {number | null} */ total) => {
        taken.bytes = before + bytes;
        taken.total = files.length > 1 ? all : total;
      };
      const tell = () => {
        if (performance.now() - told < PROGRESS_EVERY) return false;
        told = performance.now();
        // Slices that can't be taken in are read again: what was told stays so.
        most.rows = Math.max(most.rows, intake.reader.rows + beside.rows);
        const bytes = Math.min(taken.total ?? Infinity, taken.bytes + beside.bytes);
        most.bytes = Math.max(most.bytes, bytes);
        progress({ stage: 'read', ...taken, ...most });
        return true;
      };
      const take = async (/** @type {AsyncIterable<Uint8Array>} */ text) => {
        for await (const chunk of text) {
          intake.push(chunk);
          if (tell()) await breathe();
          stopIfCancelled();
        }
      };
      const { file } = source;
      const packed = await openPacked(source);
      const part = {
        ask,
        names: names.slice(0, at + 1),
        packed,
        intake,
        take,
        note,
        beside,
        tell,
        slices: 0,
      };
      const readFirst = async () => (file && helped ? helped(Object.assign(part, { file })) : 0);
      intake.reader.nextFile(source.name);
      try {
        if (packed) {
          intake.narrow(packed);
          packed.only(await readFirst());
          await take(counted(packed, note));
        } else {
          const from = await readFirst();
          const noteRest = (/** @type {number} */ bytes, /** @type {number | null} */ total) =>
            note(from + bytes, total && from + total);
          await take(eachOf(await open(source, noteRest, from)));
        }
      } catch (error) {
        breakOff(error, intake);
      } finally {
        await packed?.end();
      }
      if (packed?.stated) read = { bytes: (read?.bytes ?? 0) + packed.taken, size: all };
      slices += part.slices;
      before += sizes[at];
    }
    return { ...intake.finish(), read, slices };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) intake.discard();
    throw error;
  } finally {
    intake.end();
  }
}

/**
 * The text of a packed file, and how much of the file was taken for it.
 * @param {PackedText} packed
 * @param {(bytes: number, total: number | null) => void} note
 */
async function* counted(packed, note) {
  for await (const text of packed.text()) {
    note(packed.taken, packed.total);
    yield text;
  }
}

/** Keeps the records of a file up to where it is damaged. @param {unknown} error @param {Intake} intake */
function breakOff(error, intake) {
  if (error instanceof BrokenTable) intake.reader.breakOff(error.problem);
  else if (error instanceof BrokenGzip) intake.reader.breakOff();
  else throw error;
}
