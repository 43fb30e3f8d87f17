// Prints the records that designs of the gallery generate, as CSV by slug. A process of its own: the bindings
// run one module at a time, and what generates records is not to be in the first part of figures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initSync, Records } from '#core';
import { tablesOf } from '../../../www/design/document.js';
import { ROOT, readJson } from '../../run.mjs';

const ROWS = 300;
const GALLERY = join(ROOT, 'data', 'gallery');

/** @param {any} design @param {object} spec */
function generated(design, spec) {
  const [{ fields }] = tablesOf(design);
  const records = Records.generate({ ...spec, rows: ROWS }, fields);
  const quoted = (/** @type {string | null} */ value) =>
    value === null ? '' : `"${value.replaceAll('"', '""')}"`;
  const lines = Array.from({ length: records.rows }, (_, at) => records.row(at).map(quoted));
  records.free();
  return [fields.map(({ name }) => name), ...lines].join('\n');
}

initSync({ module: readFileSync(process.argv[2]) });
/** @type {Record<string, string>} */
const files = {};
for (const { slug } of readJson(join(GALLERY, 'index.json'))) {
  const { generate, records, ...design } = readJson(join(GALLERY, `${slug}.json`));
  const spec = records ?? generate;
  if (spec) files[slug] = generated(design, spec);
}
console.log(JSON.stringify(files));
