import * as core from '../../dist/pkg/rowscape.js';
import { head, open, pieces, toUtf8 } from './source.js';
import { viewOf } from './view.js';

/** @import { Encoding, Field, Input, KeyPage, Loaded, Progress, Report, Source, View } from '../types.d.ts' */

/** Milliseconds between two progress messages. */
const PROGRESS_EVERY = 100;

/** Bytes of records held: keys and their sort take as much again, and a wasm module has 4 GB in all. */
const MEMORY_BUDGET = 1.25 * 2 ** 30;

/** @type {core.Records | null} */
let records = null;
/** @type {core.Analysis | null} */
let analysis = null;
let cancelled = false;

/** Thrown out of a load that the person stopped. */
export class Cancelled extends Error {
  name = 'Cancelled';
}

/** Stops the load under way at its next chunk. */
export function cancel() {
  cancelled = true;
}

/**
 * What the page may ask of the worker; each takes one plain argument and gives one plain answer.
 * @type {Record<string, (ask: any, progress: (progress: Progress) => void) => unknown>}
 */
export const answers = {
  steps: () => core.steps(),
  checkDesign: (/** @type {{ document: string }} */ { document }) => core.checkDesign(document),
  checkFormula: (/** @type {{ formula: string, fields: Field[] }} */ { formula, fields }) =>
    core.checkFormula(formula, fields),
  splitPoints: (/** @type {{ splits: string }} */ { splits }) => core.splitPoints(splits),

  async guess(/** @type {{ source: Exclude<Source, { kind: 'generator' }> }} */ { source }) {
    return core.guess(await head(source), source.name);
  },
  read,
  generate,

  analyze(/** @type {{ document: string, table: number }} */ { document, table }) {
    analysis?.free();
    analysis = null;
    if (!records) throw new Error('no records');
    analysis = new core.Analysis(records, document, table);
  },
  report,
  keys,
  rank: (/** @type {{ key: string }} */ { key }) => held(analysis).rank(key),
  row: (/** @type {{ index: number }} */ { index }) => held(records).row(index),
};

/**
 * @param {{ source: Exclude<Source, { kind: 'generator' }>, input: Input, encoding: Encoding }} ask
 * @param {(progress: Progress) => void} progress
 * @returns {Promise<Loaded>}
 */
async function read({ source, input, encoding }, progress) {
  const began = performance.now();
  forget();
  cancelled = false;
  const reading = new core.Records(input);
  try {
    let taken = 0;
    /** @type {number | null} */
    let total = null;
    const stored = await open(source, (bytes, of) => {
      taken = bytes;
      total = of;
    });
    const stream = toUtf8(stored, encoding).getReader();
    reading.nextFile(source.name);
    let told = 0;
    let whole = true;
    while (whole) {
      const { done, value } = await stream.read();
      if (done) break;
      for (const piece of pieces(value)) reading.push(piece);
      if (performance.now() - told > PROGRESS_EVERY) {
        told = performance.now();
        progress({ stage: 'read', rows: reading.rows, bytes: taken, total });
        whole = reading.memory < MEMORY_BUDGET;
        await breathe();
      }
      if (cancelled) {
        await stream.cancel();
        throw new Cancelled();
      }
    }
    if (!whole) await stream.cancel();
    reading.finish();
    return loaded(reading, began, whole);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) reading.free();
    throw error;
  }
}

/**
 * @param {{ spec: object }} ask
 * @returns {Loaded}
 */
function generate({ spec }) {
  const began = performance.now();
  forget();
  return loaded(core.Records.generate(spec, undefined), began);
}

/**
 * @param {core.Records} complete
 * @param {number} began
 * @param {boolean} [whole] whether all of the file was read
 * @returns {Loaded}
 */
function loaded(complete, began, whole = true) {
  records = complete;
  const { rows, bytes, memory } = complete;
  return {
    rows,
    bytes,
    memory,
    whole,
    milliseconds: performance.now() - began,
    problems: complete.problems(),
  };
}

/**
 * @param {{ splits: string, timeBuckets: number }} options
 * @returns {View}
 */
function report(options) {
  const from = held(analysis);
  return viewOf(/** @type {Report} */ (from.report({ ...options, top: 20 })), (key) => from.rank(key));
}

/**
 * @param {{ first: number, count: number }} ask
 * @returns {KeyPage}
 */
function keys({ first, count }) {
  return { first, ...held(analysis).keys(first, count) };
}

function forget() {
  analysis?.free();
  records?.free();
  analysis = null;
  records = null;
}

/**
 * @template T
 * @param {T | null} handle
 * @returns {T}
 */
function held(handle) {
  if (!handle) throw new Error('nothing is loaded');
  return handle;
}

/** Lets messages that wait (a cancel) be read. */
function breathe() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
