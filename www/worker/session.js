import * as core from '#core';
import { asPart, tablesOf, withTable } from '../design/document.js';
import { existingOf, migrationOf } from './existing-table.js';
import { viewOf } from './folded-view.js';
import { guessOf } from './guess.js';
import { observeFiles } from './observe-files.js';
import { designOfSql, observer } from './packed-source.js';
import { forAll, plansOf, readsOf } from './query-plans.js';
import { MOST_VALUES, readRecords } from './read-records.js';
import { scaled } from './scaled.js';
import { evenOf, heatOf, partsSheetOf, sheetOf } from './sheet.js';
import { suggestionsOf } from './suggestions.js';
import { readSummaries } from './summaries.js';

/**
 * @import { Comparison, Design, Field, KeyPage, Known, Loaded, Progress, RecordSource, Report, SearchOptions, SearchProgress, ServerLoad, Sheet, View } from '../types.d.ts'
 */

/**
 * All records under one table. `by` identifies what the report depends on, `keysBy` the same without split points, `queries` those
 * that were counted.
 * @typedef {{ by: string, keysBy: string, queries: string, report: Report, known: Known }} CountedTable
 */

/** Records of a profile that the core still makes: of more it tells before it makes any. */
const MOST_OF_A_PROFILE = 262_144;

/** Fields whose values are counted at once. */
const MOST_COUNTED = 40;

/** Most frequent values that a report has of each field. */
const MOST_FREQUENT = 20;

/**
 * Where all records land that were too many to hold, and what is known of their values: `records` are then a
 * sample of them.
 * @type {{ rows: number, tables: CountedTable[] } | null}
 */
let counted = null;
/** The design that the sorted keys were built with. @type {{ document: string, table: number } | null} */
let design = null;

/** The last report made. @type {Report | null} */
let shown = null;
/** Arguments of the last report. @type {{ document?: string, table?: number, splits: string, timeBuckets: number, top: number } | null} */
let reported = null;

/** @type {core.Records | null} */
let records = null;
/** @type {core.Analysis | null} */
let analysis = null;

/**
 * Requests that the page can send to the worker: one plain argument, one plain answer each.
 * @type {Record<string, (ask: any, progress: (progress: any) => void) => unknown>}
 */
export const answers = {
  steps: () => core.steps(),
  checkDesign: (/** @type {{ document: string }} */ { document }) => core.checkDesign(document),
  checkFormula: (
    /** @type {{ formula: string, fields: Field[], names?: object }} */ { formula, fields, names },
  ) => core.checkFormula(formula, fields, names),
  formulaOfCode: (/** @type {{ code: string, fields: Field[] }} */ { code, fields }) =>
    core.formulaOfCode(code, fields),
  designOfSql: (/** @type {{ text: string }} */ { text }) => designOfSql(text),
  firstDesign: (/** @type {{ fields: Field[] }} */ { fields }) => core.firstDesign(fields),
  namedFields: (/** @type {{ document: string }} */ { document }) => core.namedFields(document),
  encodeRecord,
  splitPoints: (/** @type {{ splits: string }} */ { splits }) => core.splitPoints(splits),

  guess: (
    /** @type {{ source: RecordSource, declared?: string[], ofKinds?: boolean, document?: string }} */
    { source, declared, ofKinds, document },
  ) => guessOf(source, declared, ofKinds, document),
  read,
  openSummaries,
  generate,
  generates,

  analyze(/** @type {{ document: string, table: number }} */ { document, table }) {
    analysis?.free();
    analysis = null;
    if (!records) throw new Error('no records');
    design = { document, table };
    analysis = new core.Analysis(records, document, table);
  },
  report,
  findings: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    counted && !held(records).rows
      ? core.findingsOf(document, table)
      : held(analysis).findings(document, table),
  provenFix: (
    /** @type {{ document: string, table: number, finding: number }} */ { document, table, finding },
  ) => held(analysis).provenFix(document, table, finding),
  profile: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    held(analysis).profile(document, table),
  keys,
  rank: (/** @type {{ key: string }} */ { key }) => held(analysis).rank(key),
  row: (/** @type {{ index: number }} */ { index }) => held(records).row(index),

  proposed: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    core.proposedQueries(held(records), document, table),
  queries({ document, table }) {
    const answer = plansOf(resolved(document, table), table, analysis);
    if (!counted) return answer;
    const { keysBy: by, queries } = tableOf(document, table);
    const same = counted.tables.find((one) => one.keysBy === by && one.queries === queries);
    return forAll(answer, same?.known.queries ?? null);
  },
  storage: (
    /** @type {{ document: string, table: number, lengths: object | undefined, rows: number }} */
    { document, table, lengths, rows },
  ) => core.storage(document, table, lengths, rows),
  left: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    held(analysis).left(document, table),
  settings: (
    /** @type {{ document: string, table: number, lengths: object | undefined }} */
    { document, table, lengths },
  ) => ({
    settings: core.settings(document, table, lengths),
    command: core.settingsCommand(document, table, lengths) ?? '',
  }),
  outlook: (
    /** @type {{ document: string, table: number, lengths: object | undefined, asked: object }} */
    { document, table, lengths, asked },
  ) => core.outlook(document, table, lengths, asked),
  sizing: (
    /** @type {{ document: string, table: number, lengths: object | undefined }} */
    { document, table, lengths },
  ) => core.sizing(document, table, lengths),
  layouts: (/** @type {{ items: number[] }} */ { items }) => core.layouts(Float64Array.from(items)),
  parameters: (/** @type {{ document: string, table: number }} */ { document, table }) =>
    core.parameters(document, String(table)),
  compare: (
    /** @type {{ documents: string[], tables: string[], designed: boolean }} */ {
      documents,
      tables,
      designed,
    },
  ) => compare(documents, tables, designed),
  sweep: (/** @type {{ document: string, table: number, asked: object }} */ { document, table, asked }) =>
    core.sweep(held(records), document, String(table), JSON.stringify(asked)),
  suggest: (
    /** @type {{ study: string, options?: SearchOptions }} */ ask,
    /** @type {(progress: SearchProgress) => void} */ progress,
  ) => suggestionsOf(held(records), ask, progress),
  servers,
  values,
  reads: (/** @type {{ document: string, table: number, servers: number }} */ ask) => {
    const document = JSON.stringify(resolved(ask.document, ask.table));
    return shown && readsOf({ ...ask, document }, held(analysis), shown.regions);
  },
  emit(
    /** @type {{ document: string, table: number, name: string, lengths: object | undefined, hbase: string, kind?: string }} */
    { document, table, name, lengths, hbase, kind },
  ) {
    const taken = new core.Design(JSON.stringify(resolved(document, table)), String(table));
    try {
      return taken.emit(name, lengths, hbase, kind);
    } finally {
      taken.free();
    }
  },
  migration: (/** @type {{ documents: string[], tables: string[] }} */ ask) => migrationOf(records, ask),
  existing: (
    /** @type {{ document: string, text: string, plain: string, chosen: number, table: number }} */ ask,
  ) => existingOf(ask, resolved(ask.document, ask.table), analysis && landing),
  observe: async (
    /** @type {{ files: import('./observe-files.js').NamedFile[], options: object }} */ { files, options },
    /** @type {(progress: { observed: [number, number] }) => void} */ progress,
  ) =>
    observeFiles(await observer(), files, options, {
      onProgress: (read, total) => progress({ observed: [read, total] }),
    }),
  sheet,
  heatOf: (/** @type {{ document: string, table: number, buckets: number }} */ ask) =>
    heatOf(held(records), ask, factor()),
};

/**
 * Calls this while one answer takes long, between steps of it.
 * @param {() => void} tell
 */
export const onBeat = (tell) => core.setBeat(tell);

/** Where the records land under other splits. @param {string} splits */
const landing = (splits) => counts({ timeBuckets: 1, ...reported, splits, top: 1 });

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
 * @param {import('./read-records.js').Asked} ask
 * @param {(progress: Progress) => void} progress
 * @returns {Promise<Loaded>}
 */
async function read(ask, progress) {
  const began = performance.now();
  forget();
  const { kept, narrowed, fields, passed, read, slices } = await readRecords(ask, progress);
  const more = { fields, ...(read && { read }), ...(slices && { slices }) };
  if (!passed) return { ...loaded(kept, began), narrowed, ...more };
  const { rows, bytes, problems, counts: all } = passed;
  if (all) {
    const { document, table } = ask;
    counted = { rows, tables: [{ ...tableOf(document, table), ...all }] };
  }
  return { ...loaded(kept, began), rows, bytes, problems, narrowed, sampled: all !== null, ...more };
}

/**
 * Opens files of counts as one.
 * @param {{ files: File[] }} ask
 * @returns {Promise<Loaded & { document: string }>}
 */
async function openSummaries({ files }) {
  const began = performance.now();
  forget();
  const { kept, rows, bytes, document, tables } = await readSummaries(files);
  const all = tables.map((one, table) => ({ ...tableOf(document, table), ...one }));
  counted = { rows, tables: all };
  return { ...loaded(kept, began), rows, bytes, sampled: true, document };
}

/**
 * @param {{ spec: object, fields?: Field[] }} ask `fields` as the design declares them; without, as the description suggests
 * @returns {Loaded}
 */
function generate({ spec, fields }) {
  const began = performance.now();
  forget();
  const made = loaded(core.Records.generate(spec, fields), began);
  return fields?.length ? { ...made, fields: fields.map(({ name }) => name) } : made;
}

/**
 * Throws why no records can be generated as described. Only one is made, unless their number is what is
 * wrong.
 * @param {{ spec: { rows?: unknown, profile?: unknown }, fields?: Field[] }} ask
 */
function generates({ spec, fields }) {
  const { rows = 1, profile } = spec;
  const many = typeof rows !== 'number' || (profile && rows > MOST_OF_A_PROFILE);
  core.Records.generate(many ? spec : { ...spec, rows: Math.min(1, rows) }, fields).free();
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
 * @param {{ document?: string, table?: number, splits: string, timeBuckets: number }} options
 * @returns {View}
 */
function report(options) {
  const from = held(analysis);
  const rank = (/** @type {string} */ key) => from.rank(key);
  const by = design && countedBy(design.document, design.table, options.splits);
  const exact = counted?.tables.find((one) => one.by === by);
  shown = exact ? exact.report : counts({ ...options, top: MOST_FREQUENT });
  reported = { ...options, top: MOST_FREQUENT };
  const view = viewOf(shown, from.keyCount, rank);
  return {
    ...view,
    even: evenOf(shown),
    sample: counted && { rows: held(records).rows, of: counted.rows, exact: Boolean(exact) },
  };
}

/** All records for each that is held. */
const factor = () => (counted ? counted.rows / Math.max(1, held(records).rows) : 1);

/**
 * Where the records land under a table of a document that has the row key on show; of a sample, what it implies for all of them.
 * @param {{ document?: string, table?: number, [option: string]: unknown }} options
 * @returns {Report}
 */
function counts({ document, table, ...options }) {
  const report = /** @type {Report} */ (held(analysis).report(options, document, table));
  return counted ? scaled(report, factor()) : report;
}

/**
 * The report on show in another metric or in finer moments; of records too many to hold, moments stay as they
 * were counted.
 * @param {import('./sheet.js').Asked} ask
 * @returns {Sheet | null}
 */
function sheet(ask) {
  if (!shown || !reported) return null;
  const exact = counted?.tables.some(({ report }) => report === shown) ?? false;
  const again = (/** @type {object} */ more) => counts({ ...reported, ...more });
  if (!ask.parts) return sheetOf(shown, exact ? null : again, ask);
  const sample = counted && { rows: held(records).rows, of: counted.rows, exact };
  return partsSheetOf(shown, again, { ...ask, parts: ask.parts }, held(analysis), sample);
}

/**
 * Without the moves region by region, which are many.
 * @param {string[]} documents
 * @param {string[]} tables
 * @param {boolean} designed
 */
function compare(documents, tables, designed) {
  const { designs, ...rest } = /** @type {Comparison} */ (
    core.compare(held(records), documents, tables, designed)
  );
  const brief = designs.map(({ moves, ...side }) => {
    if (!moves) return { ...side, moves };
    const { regions: _, ...brief } = moves;
    return { ...side, moves: brief };
  });
  return { designs: brief, ...rest };
}

/**
 * A document whose splits hang on no records: those that share them out equally are told as the points they
 * came to.
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
 * The load of so many servers; of records too many to hold and another number than theirs, that of the
 * sample.
 * @param {{ servers: number }} ask
 * @returns {ServerLoad | null}
 */
function servers({ servers: number }) {
  if (!shown || !reported) return null;
  if (shown.servers?.servers === number) return shown.servers;
  return counts({ ...reported, servers: number }).servers ?? null;
}

/**
 * The values of fields and of what keys begin with. Of records too many to hold they were counted as the file
 * was read: by another key since then, only those of fields are still so.
 * @returns {Known | null}
 */
function values() {
  if (!design) return null;
  if (!counted) return /** @type {Known} */ (held(analysis).known(namingAll(design), MOST_VALUES));
  const by = countedBy(design.document, design.table, 'null');
  const same = counted.tables.find(({ keysBy }) => keysBy === by);
  return same ? same.known : { ...counted.tables[0].known, leading: [] };
}

/**
 * A document that names each field, whose values are then counted; of very many only those that the design names.
 * @param {{ document: string, table: number }} design
 */
function namingAll({ document, table }) {
  const { fields } = tablesOf(JSON.parse(document))[table];
  if (fields.length > MOST_COUNTED) return document;
  return JSON.stringify({
    rowscape: 1,
    fields,
    rowkey: fields.map(asPart).join(" + '_' + "),
    splits: { points: [] },
  });
}

/** @param {string} document @param {number} table */
const tableOf = (document, table) => ({
  by: countedBy(document, table),
  keysBy: countedBy(document, table, 'null'),
  queries: JSON.stringify(JSON.parse(document).queries),
});

/**
 * Key of everything that the counts of a pass depend on.
 * @param {string} document
 * @param {number} table
 * @param {string} [splits]
 */
function countedBy(document, table, splits) {
  const design = /** @type {Design} */ (JSON.parse(document));
  const { fields, arrival, rowkey, names, splits: own } = tablesOf(design)[table];
  const { kinds } = design.tables?.[table] ?? design;
  return JSON.stringify([fields, arrival, rowkey, names, kinds, splits ? JSON.parse(splits) : own]);
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
  if (!handle) throw new Error('no records are loaded');
  return handle;
}
