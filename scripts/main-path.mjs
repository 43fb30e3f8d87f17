// Drives a module through what most people do first, and prints the numbers of the functions it went through:
//   node scripts/main-path.mjs driven.wasm
// What is missed here is loaded before it is called: that costs a moment, never an answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { designOfKeys, starter, tablesOf } from '../www/design.js';
import { answers } from '../www/worker/session.js';
import { tell } from './driven.mjs';
import { ROOT } from './run.mjs';

/** @import { Design, Guess } from '../www/types.d.ts' */

/** The page's own numbers: moments of the heatmap, and keys of a page of them. */
const TIME_BUCKETS = 250;
const KEYS = 200;
/** The example it opens with. */
const [DESIGN, RECORDS] = ['nyc-flights.json', 'nyc-flights-2013-01.csv'];

/** @param {string} name */
const example = (name) => readFileSync(join(ROOT, 'www', 'examples', name), 'utf8');

/** @param {string} type @param {object} [asked] @returns {Promise<any>} */
const ask = async (type, asked = {}) => answers[type](asked, () => {});

/**
 * What the page asks until a file is drawn.
 * @param {string} name
 * @param {string | Uint8Array<ArrayBuffer>} content
 * @param {Design} [known]
 */
async function open(name, content, known) {
  const source = { kind: /** @type {const} */ ('file'), name, files: [new File([content], name)] };
  /** @type {Guess} */
  const { input, encodings, keys } = await ask('guess', { source });
  const design = known ?? (keys ? designOfKeys(name, input.fields, keys) : starter(name, input.fields));
  const [{ fields, rowkey, splits, names }] = tablesOf(design);
  const document = JSON.stringify(design);
  await ask('checkDesign', { document });
  await ask('checkFormula', { formula: rowkey, fields, names });
  await ask('read', { source, input: { ...input, fields }, encodings, document, table: 0 });
  await ask('analyze', { document, table: 0 });
  await ask('report', { splits: JSON.stringify(splits), timeBuckets: TIME_BUCKETS });
  const { rows } = await ask('keys', { first: 0, count: KEYS });
  await ask('row', { index: rows[0] });
}

await ask('steps');
const opening = JSON.parse(example(DESIGN));
const csv = example(RECORDS);
await open(RECORDS, csv, opening);
// A formula that is not done, or wrong.
for (const formula of ["departure.format('yyyyMMdd", 'nosuch', 'carrier + flight'])
  await ask('checkFormula', { formula, fields: opening.fields, names: {} });

// Files of one's own: in other forms, and with a measurement.
const [head, ...rows] = csv
  .split('\n', 2000)
  .map((line, at) => `${line},${at ? (at * 7919) % 1000 : 'delay'},${at ? (at % 90) / 10 : 'score'}`);
await open('own.csv', [head, ...rows].join('\n'));
const calls = rows.map((_, row) => {
  const time = new Date(Date.UTC(2024, 4, 1) + row * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  return `1341234${String((row * 7919) % 10_000).padStart(4, '0')},${time},${row % 900}`;
});
await open('calls.csv', ['phone,call_time,seconds', ...calls, ''].join('\n'));
await open('few.csv', ['phone,call_time,seconds', ...calls.slice(0, 100), ''].join('\n'));
await open('own.csv.gz', new Uint8Array(gzipSync([head, ...rows].join('\n'))));
const names = head.split(',');
const record = (/** @type {string} */ row) =>
  JSON.stringify(Object.fromEntries(row.split(',').map((value, at) => [names[at], value])));
await open('own.jsonl', rows.map(record).join('\n'));
await open('keys.txt', rows.map((row) => row.split(',').slice(1, 3).join('_')).join('\n'));

tell();
