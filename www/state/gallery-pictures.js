import { tablesOf } from '../design/document.js';
import { Engine } from './engine.js';
import { designOf, recordsOf } from './gallery-entries.js';
import { atHand } from './page-files.js';

/** @import { Entry } from './gallery-entries.js' */
/** @import { KeyPage, QueryPlan, Splits, View } from '../types.d.ts' */

/** Columns of a small picture. */
const BUCKETS = 72;

/** Shares of the keys that a table of one region is drawn in. */
const SHARES = 16;

/**
 * @typedef {{ view: View, picture: View, plans: QueryPlan[], rowkey: string }} Drawn a table under the records of its entry; `picture` has finer regions where the table is one
 */
/**
 * @typedef {{ rows: string[][], keys: (KeyPage & { at: number[] })[] }} Sample the records beside an entry, and where each one's key is
 */

/** A separate engine, so the records of the open design stay loaded. */
let engine = new Engine();
/** One entry at a time: a worker holds the records of one. @type {Promise<unknown>} */
let last = Promise.resolve();
/** @type {Map<string, Promise<any>>} */
const made = new Map();

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
function once(name, work) {
  const known = made.get(name);
  if (known) return known;
  const answer = last.then(work);
  last = answer.catch(() => made.delete(name));
  made.set(name, answer);
  return answer;
}

/** Pictures of the tables of an entry, in their order. @param {Entry} entry @returns {Promise<Drawn[]>} */
export const pictures = (entry) => once(entry.slug, () => draw(entry));

/** The records beside an entry under each of its keys. @param {Entry} entry @returns {Promise<Sample>} */
export const sample = (entry) => once(`${entry.slug}.csv`, () => encode(entry));

/** Gives the memory of the worker back; what was drawn stays. */
export function rest() {
  last = last.finally(() => {
    engine.end();
    engine = new Engine();
  });
}

/** @param {Entry} entry @returns {Promise<Drawn[]>} */
async function draw(entry) {
  const design = await designOf(entry.slug);
  const text = JSON.stringify(design);
  const [{ fields }] = tablesOf(design);
  if (design.generate) await engine.ask('generate', { spec: design.generate, fields });
  else await read(entry, text);
  const drawn = [];
  for (const [table, { splits, rowkey }] of tablesOf(design).entries()) {
    await engine.ask('analyze', { document: text, table });
    const view = await report(splits);
    const picture = view.regionCount > 1 ? view : await report({ sample: SHARES }).catch(() => view);
    const { plans } = await engine.ask('queries', { document: text, table });
    drawn.push({ view, picture, plans, rowkey });
  }
  return drawn;
}

/** @param {Splits} splits @returns {Promise<View>} */
const report = (splits) => engine.ask('report', { splits: JSON.stringify(splits), timeBuckets: BUCKETS });

/** @param {Entry} entry @returns {Promise<Sample>} */
async function encode(entry) {
  const design = await designOf(entry.slug);
  const text = JSON.stringify(design);
  const { rows: count } = await read(entry, text);
  const rows = [];
  for (let index = 0; index < count; index++) rows.push(await engine.ask('row', { index }));
  const keys = [];
  for (const table of tablesOf(design).keys()) {
    await engine.ask('analyze', { document: text, table });
    const page = /** @type {KeyPage} */ (await engine.ask('keys', { first: 0, count }));
    const at = rows.map((_, row) => page.rows.indexOf(row));
    keys.push({ ...page, at });
  }
  return { rows, keys };
}

/** @param {Entry} entry @param {string} text of its document */
async function read(entry, text) {
  const [{ fields }] = tablesOf(JSON.parse(text));
  const source = atHand({ kind: 'url', name: entry.data, url: recordsOf(entry) });
  const input = { format: 'csv', fields };
  return engine.ask('read', { source, input, document: text, table: 0 });
}
