// Computes a figure from documents and records in one call, so no wasm handle outlives a request.
import * as core from '#core';
import { fieldsToRead, tablesOf, withTable } from '../../../www/design/document.js';
import { viewOf } from '../../../www/worker/folded-view.js';
import { plansOf } from '../../../www/worker/query-plans.js';
import { head, open, pieces } from '../../../www/worker/source.js';
import { figureError } from './figure-error.js';

/** @import { Design, Report } from '../../../www/types.d.ts' */
/** @import { Answer, Asked } from './types.d.ts' */

/** Columns of the heatmap asked for. */
const TIME_BUCKETS = 240;
/** Keys in a list of them. */
const KEYS = 200;
/** Bytes of records that a figure may take: a page with more of them should stay usable. */
const MOST_BYTES = 2 ** 29;

/**
 * Answers a figure's question.
 * @param {Asked} asked
 * @returns {Promise<Answer>}
 */
export async function answer(asked) {
  const designs = asked.documents.map(checked);
  const [design] = designs;
  const tables = tablesOf(design);
  if (asked.table >= tables.length) throw figureError('figure.no-table', { tables: tables.length });
  /** @type {core.Records | null} */
  let records = null;
  /** @type {core.Analysis | null} */
  let analysis = null;
  try {
    records = await recordsOf(asked, design);
    if (asked.view === 'compare')
      return { name: nameOf(design), comparison: compared(asked, designs, records) };
    if (!records && (asked.view === 'heatmap' || asked.view === 'keys'))
      throw figureError('figure.no-records', { view: asked.view });
    const [document] = asked.documents;
    analysis = records && new core.Analysis(records, document, asked.table);
    return shown(asked, design, records, analysis);
  } finally {
    analysis?.free();
    records?.free();
  }
}

/** The document, once nothing is wrong with it. @param {string} document @returns {Design} */
function checked(document) {
  const { problems } = core.checkDesign(document);
  if (problems.length) throw Object.assign(new Error(problems[0].message), problems[0]);
  return JSON.parse(document);
}

/** @param {Design} design */
const nameOf = (design) => design.name ?? tablesOf(design)[0].name;

/**
 * @param {Asked} asked
 * @param {Design} design
 * @param {core.Records | null} records
 * @param {core.Analysis | null} analysis
 * @returns {Answer}
 */
function shown({ table, view }, design, records, analysis) {
  const { fields, names, rowkey, splits } = tablesOf(design)[table];
  const name = nameOf(design);
  const { parts } = core.checkFormula(rowkey, fields, names);
  if (!analysis) {
    if (view === 'queries') return { name, plans: plansOf(design, table, null) };
    return { name, rowkey, parts, points: core.splitPoints(JSON.stringify(splits)).points };
  }
  const options = { splits: JSON.stringify(splits), timeBuckets: TIME_BUCKETS, top: 20 };
  const report = /** @type {Report} */ (analysis.report(options));
  if (view === 'queries') return { name, plans: plansOf(settled(design, table, report), table, analysis) };
  const held = analysis.keyCount;
  const seen = viewOf(report, held, (key) => analysis.rank(key));
  const answer = { name, rowkey, parts, report: { ...seen, sample: null } };
  if (view === 'keys') return { ...answer, keys: { first: 0, ...analysis.keys(0, KEYS) } };
  if (view !== 'bytes' || !held) return answer;
  const key = { first: 0, ...analysis.keys(Math.floor(held / 2), 1) };
  const values = /** @type {core.Records} */ (records).row(key.rows[0]);
  return {
    ...answer,
    keys: key,
    record: Object.fromEntries(fields.map((field, at) => [field.name, values[at]])),
  };
}

/**
 * Split points that follow from the records, as the points they came to.
 * @param {Design} design
 * @param {number} table
 * @param {Report} report
 */
function settled(design, table, { regions, regionCount }) {
  if (tablesOf(design)[table].splits.sample === undefined || regions.length !== regionCount) return design;
  return withTable(design, table, { splits: { points: regions.slice(1).map(({ start }) => start) } });
}

/**
 * All documents side by side; of a single one its tables.
 * @param {Asked} asked
 * @param {Design[]} designs
 * @param {core.Records | null} records
 */
function compared({ documents, table }, designs, records) {
  if (!records) throw figureError('figure.no-records', { view: 'compare' });
  const own = tablesOf(designs[0]);
  const several = documents.length > 1;
  if (!several && own.length < 2) throw figureError('figure.nothing-to-compare');
  const texts = several ? documents : own.map(() => documents[0]);
  const tables = several ? documents.map((_, at) => String(at ? 0 : table)) : own.map((_, at) => String(at));
  return {
    ...core.compare(records, texts, tables),
    names: several ? designs.map(nameOf) : own.map(({ name }) => name),
  };
}

/**
 * The records: those of the file, else those that the document has made up.
 * @param {Asked} asked
 * @param {Design} design
 */
async function recordsOf({ data, table }, design) {
  if (!data) {
    const spec = design.records ?? design.generate;
    return spec ? core.Records.generate(spec, tablesOf(design)[table].fields) : null;
  }
  const source = {
    kind: /** @type {const} */ ('file'),
    name: data.name,
    file: /** @type {File} */ (data.file),
  };
  const guess = core.guess(await head(source), data.name);
  if (!guess.input.fields.length) throw figureError('figure.no-fields', { name: data.name });
  const fields = fieldsToRead(guess.input.fields, tablesOf(design)[table].fields);
  const records = new core.Records({ ...guess.input, fields });
  try {
    records.nextFile(data.name);
    const reader = (await open(source, () => {})).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const piece of pieces(value)) records.push(piece);
      if (records.memory > MOST_BYTES) throw figureError('figure.too-large', { name: data.name });
    }
    records.finish();
    return records;
  } catch (error) {
    records.free();
    throw error;
  }
}
