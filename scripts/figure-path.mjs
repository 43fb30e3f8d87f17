// Drives a module through the figures of records in a file that the gallery has, but for queries and comparisons, and
// prints the numbers of the functions it went through:
//   node scripts/figure-path.mjs driven.wasm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answer } from '../package/element/work.js';
import { tell } from './driven.mjs';
import { ROOT, readJson } from './run.mjs';

/** @param {string} document @param {string} name @param {string | Uint8Array<ArrayBuffer>} content */
async function draw(document, name, content) {
  const data = { name, file: new Blob([content]) };
  for (const view of /** @type {const} */ (['heatmap', 'keys', 'regions', 'bytes']))
    await answer({ documents: [document], table: 0, view, data });
}

const GALLERY = join(ROOT, 'gallery');
for (const { slug, data } of readJson(join(GALLERY, 'index.json'))) {
  const document = readFileSync(join(GALLERY, `${slug}.json`), 'utf8');
  // Records that are made up take more of the module.
  const { generate, records: made } = JSON.parse(document);
  if (!data || generate || made) continue;
  const records = readFileSync(join(GALLERY, data), 'utf8');
  await draw(document, data, records);
  await draw(document, `${data}.gz`, new Uint8Array(gzipSync(records)));
}
const EXAMPLES = join(ROOT, 'www', 'examples');
const [DESIGN, RECORDS] = ['nyc-flights.json', 'nyc-flights-2013-01.csv'].map((name) =>
  readFileSync(join(EXAMPLES, name), 'utf8'),
);
const [head, ...rows] = RECORDS.split('\n', 2000);
const names = head.split(',');
const lines = rows.map((row) =>
  JSON.stringify(Object.fromEntries(row.split(',').map((value, at) => [names[at], value]))),
);
await draw(DESIGN, 'flights.jsonl', lines.join('\n'));
// Other keys, borders and numbers of records lead to other verdicts.
const flights = JSON.parse(DESIGN);
for (const count of [0, 1, 60, rows.length])
  for (const rowkey of [flights.rowkey, "carrier + '_' + departure.format('yyyyMMddHHmm')", 'carrier'])
    for (const splits of [{ points: [] }, { points: ['B', 'D'] }, { algorithm: 'UniformSplit', regions: 16 }])
      await draw(
        JSON.stringify({ ...flights, rowkey, splits }),
        'flights.csv',
        [head, ...rows.slice(0, count)].join('\n'),
      );
tell();
