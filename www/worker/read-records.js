import * as core from '#core';
import { GIB } from '../text/units.js';
import { BrokenGzip, eachOf } from './gunzip.js';
import { BrokenTable } from './packed.js';
import { openPacked } from './packed-source.js';
import { filesOf, open, pieces } from './source.js';
import { beginWork, breathe, stopIfCancelled } from './stopping.js';

/** @import { Input, Known, Progress, RecordSource, Report } from '../types.d.ts' */

/**
 * @typedef {{ source: RecordSource, input: Input, document: string, table: number, budget?: number }} Asked
 */

/** Milliseconds between two progress messages. */
const PROGRESS_EVERY = 100;

/** Most frequent values listed of each field. */
export const MOST_VALUES = 5;

/** Bytes of records held: keys and their sort take as much again, and a wasm module has 4 GiB in all. */
const MEMORY_BUDGET = 1.25 * GIB;

/**
 * Records on their way into memory. When they are too large, first only the columns are kept that the
 * document names; when those too are more than the budget, the records are counted as they pass, and a sample
 * of them is kept.
 */
class Intake {
  narrowed = false;
  #ask;
  #reading;
  /** @type {core.Stream | null} */
  #passing = null;

  /** @param {Asked} ask */
  constructor(ask) {
    this.#ask = ask;
    this.#reading = new core.Records(ask.input);
    this.#reading.ofKinds(ask.document, ask.table);
  }

  /** The reader that currently receives the records. */
  get reader() {
    return this.#passing ?? this.#reading;
  }

  /**
   * Begins a packed file, of which only the columns are read that the document names.
   * @param {import('./packed.js').PackedText} packed
   */
  narrow(packed) {
    const { document, input } = this.#ask;
    if (packed.stated) this.reader.state(packed.stated);
    const named = core.namedFields(document);
    if (!packed.stated || !named.length) return;
    if (!this.narrowed) this.#reading.keepOnly(named);
    this.narrowed = true;
    packed.choose(input.fields.filter(({ name }) => named.includes(name)));
  }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    for (const piece of pieces(bytes)) this.reader.push(piece);
    const { document, table, budget = MEMORY_BUDGET } = this.#ask;
    if (this.#passing || this.#reading.memory <= budget) return;
    const named = core.namedFields(document);
    if (!this.narrowed && named.length) this.#reading.keepOnly(named);
    this.narrowed = true;
    if (this.#reading.memory > budget) this.#passing = new core.Stream(this.#reading, document, table);
  }

  /**
   * Ends the last file. `passed` tells of records that were too many to hold; `kept` is then a sample of
   * them.
   */
  finish() {
    this.reader.finish();
    const [reading, passing, narrowed] = [this.#reading, this.#passing, this.narrowed];
    if (!passing) return { kept: reading, narrowed, passed: null };
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
    return { kept, narrowed, passed: { bytes, rows, problems, counts } };
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
    const sizes = files.map(({ file }) => file?.size ?? 0);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    let told = 0;
    let before = 0;
    let read = /** @type {{ bytes: number, size: number } | null} */ (null);
    for (const [at, file] of files.entries()) {
      const taken = { bytes: before, total: /** @type {number | null} */ (null) };
      const note = (/** @type {number} */ bytes, /** @type {number | null} */ total) => {
        taken.bytes = before + bytes;
        taken.total = files.length > 1 ? all : total;
      };
      const packed = await openPacked(file);
      const stored = packed ? null : await open(file, note);
      intake.reader.nextFile(file.name);
      if (packed) intake.narrow(packed);
      const text = packed?.pieces() ?? eachOf(/** @type {ReadableStream<Uint8Array>} */ (stored));
      for await (const chunk of upToDamage(text, (problem) => intake.reader.breakOff(problem))) {
        if (packed) note(packed.taken, packed.total);
        intake.push(chunk);
        if (performance.now() - told > PROGRESS_EVERY) {
          told = performance.now();
          progress({ stage: 'read', rows: intake.reader.rows, ...taken });
          await breathe();
        }
        stopIfCancelled();
      }
      if (packed?.stated) read = { bytes: (read?.bytes ?? 0) + packed.taken, size: all };
      before += sizes[at];
    }
    return { ...intake.finish(), read };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) intake.discard();
    throw error;
  } finally {
    intake.end();
  }
}

/**
 * The bytes of a file, up to where it is damaged.
 * @param {AsyncGenerator<Uint8Array>} text
 * @param {(problem?: string) => void} broken called at the damage
 */
async function* upToDamage(text, broken) {
  try {
    yield* text;
  } catch (error) {
    if (error instanceof BrokenTable) broken(error.problem);
    else if (error instanceof BrokenGzip) broken();
    else throw error;
  }
}
