// Drives a module through figures of the gallery's designs and records in a file, but for queries and
// comparisons, and writes the numbers of the functions it went through:
//   node scripts/build/drive/figures.mjs driven.wasm through.json
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answer } from '../../../bindings/npm/element/work.js';
import { tablesOf } from '../../../www/design/document.js';
import { ROOT, readJson, run } from '../../run.mjs';
import { tell } from './driven.mjs';

/** @param {string} document @param {string} name @param {string | Uint8Array<ArrayBuffer>} content */
async function draw(document, name, content) {
  const data = { name, file: new Blob([content]) };
  const tables = tablesOf(JSON.parse(document)).length;
  for (let table = 0; table < tables; table++)
    // Keys and regions ask for no more than these.
    for (const view of /** @type {const} */ (['heatmap', 'bytes']))
      await answer({ documents: [document], table, view, data });
}

const generator = ['scripts/build/drive/generated.mjs', 'dist/wasm/whole.wasm'].map((path) =>
  join(ROOT, path),
);
/** Records of designs that generate them. @type {Record<string, string>} */
const generated = JSON.parse(run(process.execPath, generator, { quiet: true }));

const GALLERY = join(ROOT, 'data', 'gallery');
/** Designs, each with a file of records. @type {Parameters<typeof draw>[]} */
const files = readJson(join(GALLERY, 'index.json')).map(
  (/** @type {{ slug: string, data?: string }} */ { slug, data }) => {
    const { generate, records, ...design } = readJson(join(GALLERY, `${slug}.json`));
    const content = generated[slug] ?? readFileSync(join(GALLERY, String(data)), 'utf8');
    return [JSON.stringify(design), `${slug}.csv`, content];
  },
);
for (const [document, name, content] of files) await draw(document, name, content);
await draw(files[0][0], `${files[0][1]}.gz`, new Uint8Array(gzipSync(files[0][2])));

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
