// Drives a module through figures of the gallery's designs and records in a file, but for queries and comparisons, and
// prints the numbers of the functions it went through:
//   node scripts/figure-path.mjs driven.wasm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answer } from '../bindings/npm/element/work.js';
import * as whole from '../dist/pkg/rowscape.js';
import { tablesOf } from '../www/design/document.js';
import { tell } from './driven.mjs';
import { ROOT, readJson } from './run.mjs';

/** Of records that are made up. */
const ROWS = 300;

/** @param {string} document @param {string} name @param {string | Uint8Array<ArrayBuffer>} content */
async function draw(document, name, content) {
  const data = { name, file: new Blob([content]) };
  const tables = tablesOf(JSON.parse(document)).length;
  for (let table = 0; table < tables; table++)
    // Keys and regions ask for no more than these.
    for (const view of /** @type {const} */ (['heatmap', 'bytes']))
      await answer({ documents: [document], table, view, data });
}

/** Records that a design makes up, as a file: another module makes them, for making them up takes more than is to be told. @param {any} design @param {object} spec */
function madeUp(design, spec) {
  const [{ fields }] = tablesOf(design);
  const records = whole.Records.generate({ ...spec, rows: ROWS }, fields);
  const lines = Array.from({ length: records.rows }, (_, at) =>
    records
      .row(at)
      .map((/** @type {string | null} */ value) =>
        value === null ? '' : `"${value.replaceAll('"', '""')}"`,
      ),
  );
  records.free();
  return [fields.map(({ name }) => name), ...lines].join('\n');
}

whole.initSync({ module: readFileSync(join(ROOT, 'dist', 'pkg', 'rowscape_bg.wasm')) });

const GALLERY = join(ROOT, 'gallery');
/** Designs, each with a file of records. @type {Parameters<typeof draw>[]} */
const files = readJson(join(GALLERY, 'index.json')).map(
  (/** @type {{ slug: string, data?: string }} */ { slug, data }) => {
    const { generate, records, ...design } = readJson(join(GALLERY, `${slug}.json`));
    const spec = records ?? generate;
    const content = spec ? madeUp(design, spec) : readFileSync(join(GALLERY, String(data)), 'utf8');
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
