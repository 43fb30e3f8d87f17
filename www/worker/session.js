import * as core from '../../dist/pkg/rowscape.js';
import { tablesOf, withTable } from '../design.js';
import { existingOf, migrationOf } from './existing.js';
import { areKeys, guessKeys } from './keys.js';
import { outlookOf } from './outlook.js';
import { plansOf, readsOf } from './plans.js';
import { heatOf, sheetOf } from './sheet.js';
import { filesOf, head, open, pieces, toUtf8 } from './source.js';
import { viewOf } from './view.js';

/** @import { Comparison, Design, Encoding, Field, Guess, Input, KeyPage, Loaded, Progress, Report, ServerLoad, Sheet, Source, View } from '../types.d.ts' */

/** Milliseconds between two progress messages. */
const PROGRESS_EVERY = 100;

/** Bytes of records held: keys and their sort take as much again, and a wasm module has 4 GB in all. */
const MEMORY_BUDGET = 1.25 * 2 ** 30;

/**
 * Where all records land that were too many to hold: `records` are then a sample of them.
 * @type {{ report: Report, rows: number, by: string } | null}
 */
let counted = null;
/** What the sorted keys are made by. @type {{ document: string, table: number } | null} */
let design = null;

/** The last report made. @type {Report | null} */
let shown = null;
/** What it was asked with. @type {{ splits: string, timeBuckets: number } | null} */
let reported = null;

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
  checkFormula: (
    /** @type {{ formula: string, fields: Field[], names?: object }} */ { formula, fields, names },
  ) => core.checkFormula(formula, fields, names),
  namedFields: (/** @type {{ document: string }} */ { document }) => core.namedFields(document),
  encodeRecord,
  splitPoints: (/** @type {{ splits: string }} */ { splits }) => core.splitPoints(splits),

  async guess(/** @type {{ source: Exclude<Source, { kind: 'generator' }> }} */ { source }) {
    return guessOf(source);
  },
  read,
  generate,

  analyze(/** @type {{ document: string, table: number }} */ { document, table }) {
    analysis?.free();
    analysis = null;
    if (!records) throw new Error('no records');
    design = { document, table };
    analysis = new core.Analysis(records, document, table);
  },
  report,
  findings: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    held(analysis).findings(document, table),
  keys,
  rank: (/** @type {{ key: string }} */ { key }) => held(analysis).rank(key),
  row: (/** @type {{ index: number }} */ { index }) => held(records).row(index),

  queries: (/** @type {{ document: string, table: number }} */ ask) =>
    plansOf(resolved(ask.document, ask.table), ask.table, analysis),
  storage: (
    /** @type {{ document: string, table: number, lengths: object | undefined, rows: number }} */
    { document, table, lengths, rows },
  ) => core.storage(document, table, lengths, rows),
  settings: (
    /** @type {{ document: string, table: number, lengths: object | undefined }} */
    { document, table, lengths },
  ) => core.settings(document, table, lengths),
  outlook: outlookOf,
  sizing: (
    /** @type {{ document: string, table: number, lengths: object | undefined }} */
    { document, table, lengths },
  ) => core.sizing(document, table, lengths),
  layouts: (/** @type {{ items: number[] }} */ { items }) => core.layouts(Float64Array.from(items)),
  parameters: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    core.parameters(document, String(table)),
  compare: (/** @type {{ documents: string[], tables: string[] }} */ { documents, tables }) =>
    compare(documents, tables),
  sweep: (/** @type {{ document: string, table: number, asked: object }} */ { document, table, asked }) =>
    core.sweep(held(records), document, String(table), JSON.stringify(asked)),
  servers,
  reads: (/** @type {{ document: string, table: number, servers: number }} */ ask) => {
    const document = JSON.stringify(resolved(ask.document, ask.table));
    return shown && readsOf({ ...ask, document }, held(analysis), shown.regions);
  },
  emit(
    /** @type {{ document: string, table: number, name: string, lengths: object | undefined }} */
    { document, table, name, lengths },
  ) {
    const taken = new core.Design(JSON.stringify(resolved(document, table)), String(table));
    try {
      return taken.emit(name, lengths);
    } finally {
      taken.free();
    }
  },
  migration: (/** @type {{ documents: string[], tables: string[] }} */ ask) => migrationOf(records, ask),
  existing: (
    /** @type {{ document: string, text: string, plain: string, chosen: number, table: number }} */ ask,
  ) => existingOf(ask, resolved(ask.document, ask.table), analysis && landing),
  sheet,
  heatOf: (/** @type {{ document: string, table: number, buckets: number }} */ ask) =>
    heatOf(held(records), ask),
};

/** Where the records land under other splits. @param {string} splits */
const landing = (splits) =>
  /** @type {Report} */ (held(analysis).report({ timeBuckets: reported?.timeBuckets ?? 1, splits, top: 1 }));

/**
 * The key of one record, whose values are in the order of the document's fields.
 * @param {{ document: string, values: (string | null)[] }} ask
 */
function encodeRecord({ document, values }) {
  const columns = new core.Columns();
  const design = new core.Design(document, '0');
  try {
    for (const value of values) {
      const bytes = new TextEncoder().encode(value ?? '');
      const missing = new Uint32Array(value === null ? [0] : []);
      columns.add(bytes, new Uint32Array([bytes.length]), missing, undefined);
    }
    const { bytes, refused } = /** @type {{ bytes: Uint8Array, refused: number }} */ (design.encode(columns));
    return refused ? null : bytes;
  } finally {
    columns.free();
    design.free();
  }
}

/**
 * What the files of a source hold. All have to be of one form.
 * @param {Exclude<Source, { kind: 'generator' }>} source
 * @returns {Promise<Guess>}
 */
async function guessOf(source) {
  const files = filesOf(source);
  const said = source.kind === 'file' && source.keys === true;
  const guesses = [];
  for (const file of files) {
    const bytes = await head(file);
    const guess = /** @type {Guess} */ (core.guess(bytes, file.name));
    const sound = guess.fields.length > 0 && !guess.problems.some(({ code }) => code === 'input.binary');
    guesses.push(sound && (said || areKeys(guess)) ? guessKeys(bytes, guess, said) : guess);
  }
  const [first, ...others] = guesses;
  const names = (/** @type {Guess} */ { input }) => input.fields.map(({ name }) => name).join(', ');
  const form = (/** @type {Guess} */ guess) =>
    [guess.input.format, guess.input.separator, names(guess)].join();
  for (const [at, guess] of others.entries()) {
    if (form(guess) === form(first)) continue;
    const short = (/** @type {Guess} */ guess) => names(guess).slice(0, 200);
    throw Object.assign(new Error('page.other-header'), {
      code: 'page.other-header',
      args: { file: files[at + 1].name, found: short(guess), first: files[0].name, wanted: short(first) },
    });
  }
  return { ...first, encodings: guesses.map(({ encoding }) => encoding) };
}

/**
 * Reads files into memory. When they are too large, first only the columns are kept that the document names; when those
 * too are more than `budget` bytes, the records are counted as they pass, and a sample of them is kept.
 * @param {{ source: Exclude<Source, { kind: 'generator' }>, input: Input, encodings: Encoding[], document: string, table: number, budget?: number }} ask
 * @param {(progress: Progress) => void} progress
 * @returns {Promise<Loaded>}
 */
async function read({ source, input, encodings, document, table, budget = MEMORY_BUDGET }, progress) {
  const began = performance.now();
  forget();
  cancelled = false;
  const reading = new core.Records(input);
  /** @type {core.Stream | null} */
  let passing = null;
  let narrowed = false;
  try {
    const files = filesOf(source);
    const sizes = files.map(({ file }) => file?.size ?? 0);
    let told = 0;
    for (const [at, one] of files.entries()) {
      const before = sizes.slice(0, at).reduce((sum, size) => sum + size, 0);
      let taken = 0;
      /** @type {number | null} */
      let total = null;
      const stored = await open(one, (bytes, of) => {
        taken = before + bytes;
        total = files.length > 1 ? sizes.reduce((sum, size) => sum + size, 0) : of;
      });
      const stream = toUtf8(stored, encodings[at] ?? 'utf-8').getReader();
      (passing ?? reading).nextFile(one.name);
      for (;;) {
        const { done, value } = await stream.read();
        if (done) break;
        for (const piece of pieces(value)) (passing ?? reading).push(piece);
        if (!passing && reading.memory > budget) {
          const named = core.namedFields(document);
          if (!narrowed && named.length) reading.keepOnly(named);
          narrowed = true;
          if (reading.memory > budget) passing = new core.Stream(reading, document, table);
        }
        if (performance.now() - told > PROGRESS_EVERY) {
          told = performance.now();
          progress({ stage: 'read', rows: (passing ?? reading).rows, bytes: taken, total });
          await breathe();
        }
        if (cancelled) {
          await stream.cancel();
          throw new Cancelled();
        }
      }
    }
    (passing ?? reading).finish();
    if (!passing) return { ...loaded(reading, began), narrowed };
    counted = {
      report: /** @type {Report} */ (passing.report()),
      rows: passing.rows,
      by: countedBy(document, table),
    };
    const { bytes } = passing;
    const problems = passing.problems();
    return {
      ...loaded(passing.sample(), began),
      rows: counted.rows,
      bytes,
      problems,
      narrowed,
      sampled: true,
    };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) reading.free();
    throw error;
  } finally {
    passing?.free();
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
 * @returns {Loaded}
 */
function loaded(complete, began) {
  records = complete;
  const { rows, bytes, memory } = complete;
  return {
    rows,
    bytes,
    memory,
    narrowed: false,
    sampled: false,
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
  const rank = (/** @type {string} */ key) => from.rank(key);
  const exact = counted && design && counted.by === countedBy(design.document, design.table, options.splits);
  const report = exact ? counted?.report : /** @type {Report} */ (from.report({ ...options, top: 20 }));
  shown = /** @type {Report} */ (report);
  reported = options;
  const view = viewOf(shown, from.keyCount, rank);
  return {
    ...view,
    sample: counted && { rows: held(records).rows, of: counted.rows, exact: Boolean(exact) },
  };
}

/**
 * The report on show in another metric or in finer moments; of records too many to hold, moments stay as they were counted.
 * @param {import('./sheet.js').Asked} ask
 * @returns {Sheet | null}
 */
function sheet(ask) {
  if (!shown || !reported) return null;
  const exact = shown === counted?.report;
  const again = (/** @type {object} */ more) =>
    /** @type {Report} */ (held(analysis).report({ ...reported, ...more }));
  return sheetOf(shown, exact ? null : again, ask);
}

/** Without the moves region by region, which are many. @param {string[]} documents @param {string[]} tables */
function compare(documents, tables) {
  const { designs, ...rest } = /** @type {Comparison} */ (core.compare(held(records), documents, tables));
  const brief = designs.map(({ moves, ...side }) => {
    if (!moves) return { ...side, moves };
    const { rows, rewritten, moved, leastMoved } = moves;
    return { ...side, moves: { rows, rewritten, moved, leastMoved } };
  });
  return { designs: brief, ...rest };
}

/**
 * A document whose splits hang on no records: those that share them out equally are told as the points they came to.
 * @param {string} document
 * @param {number} table
 * @returns {Design}
 */
function resolved(document, table) {
  const design = /** @type {Design} */ (JSON.parse(document));
  if (tablesOf(design)[table].splits.sample === undefined) return design;
  if (!shown || shown.regions.length !== shown.regionCount) return design;
  return withTable(design, table, { splits: { points: shown.regions.slice(1).map(({ start }) => start) } });
}

/**
 * The load of so many servers; of records too many to hold and another number than theirs, that of the sample.
 * @param {{ servers: number }} ask
 * @returns {ServerLoad | null}
 */
function servers({ servers: number }) {
  if (!shown || !reported) return null;
  if (shown.servers?.servers === number) return shown.servers;
  return /** @type {Report} */ (held(analysis).report({ ...reported, servers: number })).servers ?? null;
}

/** What the counts of a pass depend on. @param {string} document @param {number} table @param {string} [splits] */
function countedBy(document, table, splits) {
  const { fields, arrival, rowkey, splits: own } = tablesOf(JSON.parse(document))[table];
  return JSON.stringify([fields, arrival, rowkey, splits ? JSON.parse(splits) : own]);
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
  counted = null;
  shown = null;
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
