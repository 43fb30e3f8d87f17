// Drives a module through what most people do first, and writes the numbers of the functions it went through:
//   node scripts/build/drive/page.mjs driven.wasm through.json
// A call that is missed here is loaded before it runs: that costs a moment, never an answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { columnsOf, tablesOf } from '../../../www/design/document.js';
import { streamOf } from '../../../www/worker/gunzip.js';
import { answers, onBeat } from '../../../www/worker/session.js';
import { ROOT } from '../../run.mjs';
import { tell } from './driven.mjs';

/** @import { Design, Guess } from '../../../www/types.d.ts' */

/** The page's own numbers: moments of the heatmap, and keys of a page of them. */
const TIME_BUCKETS = 250;
const KEYS = 200;
/** The example it opens with. */
const [DESIGN, RECORDS] = ['nyc-flights.json', 'nyc-flights-2013-01.csv'];

/** Most bytes of a piece of a file. */
const PIECES = [1_000, 5_000, 16_384, 40_000, 65_536, 100_000, 300_000, 1_000_000];

/** @param {string} name */
const example = (name) => readFileSync(join(ROOT, 'www', 'examples', name), 'utf8');

/** @param {string} type @param {object} [asked] @returns {Promise<any>} */
const ask = async (type, asked = {}) => answers[type](asked, () => {});

/**
 * The questions of the page until a file is drawn.
 * @param {string} name
 * @param {string | Uint8Array<ArrayBuffer>} content
 * @param {Design} [known]
 * @param {number} [most] bytes that come at once
 */
async function open(name, content, known, most) {
  const file = new File([content], name);
  const source = { kind: /** @type {const} */ ('file'), name, files: [most ? inPieces(file, most) : file] };
  /** @type {Guess} */
  const guess = await ask('guess', { source, declared: known?.fields?.flatMap(columnsOf) });
  const { input } = guess;
  const design = known ?? guess.design;
  const [{ fields, rowkey, splits, names }] = tablesOf(design);
  const document = JSON.stringify(design);
  await ask('checkDesign', { document });
  await ask('checkFormula', { formula: rowkey, fields, names });
  await ask('read', { source, input: { ...input, fields }, document, table: 0 });
  await ask('analyze', { document, table: 0 });
  await ask('report', { document, table: 0, splits: JSON.stringify(splits), timeBuckets: TIME_BUCKETS });
  const { rows } = await ask('keys', { first: 0, count: KEYS });
  await ask('row', { index: rows[0] });
}

/**
 * A file that comes in pieces of all sizes up to one, as from a network.
 * @param {File} file
 * @param {number} most bytes of one
 */
function inPieces(file, most) {
  const pieces = async function* () {
    const bytes = new Uint8Array(await file.arrayBuffer());
    for (let at = 0, size = most; at < bytes.length; at += size, size = ((size * 7919) % most) + 1)
      yield bytes.slice(at, at + size);
  };
  return Object.defineProperty(file, 'stream', { value: () => streamOf(pieces()) });
}

onBeat(() => {});
await ask('steps');
const opening = JSON.parse(example(DESIGN));
const csv = example(RECORDS);
await open(RECORDS, csv, opening);
// Where memory lies, and so what the allocator goes through, hangs on how the bytes come.
for (const most of PIECES) await open(RECORDS, csv, opening, most);
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

tell();
