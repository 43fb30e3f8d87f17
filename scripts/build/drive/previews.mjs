// Prints the verdict and the picture of each example, by id, so that the page shows them before its module is there:
//   node scripts/build/drive/previews.mjs dist/wasm/page.wasm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initSync } from '#core';
import { tablesOf } from '../../../www/design/document.js';
import { valuesOf } from '../../../www/heat/cell-codes.js';
import { partsOf } from '../../../www/heat/palette.js';
import { BUCKETS, levelsOf } from '../../../www/heat/preview.js';
import { answers } from '../../../www/worker/session.js';
import { ROOT, readJson } from '../../run.mjs';

/** @import { Example, Preview, View } from '../../../www/types.d.ts' */

const EXAMPLES = join(ROOT, 'www', 'examples');

/** @param {string} type @param {object} asked @returns {Promise<any>} */
const ask = async (type, asked) => answers[type](asked, () => {});

/** @param {Example} example @returns {Promise<Preview>} */
async function previewOf({ design: name, data, generate: made }) {
  const design = readJson(join(EXAMPLES, name));
  const document = JSON.stringify(design);
  const [{ fields, splits }] = tablesOf(design);
  const spec = made ?? design.records ?? design.generate;
  if (data) {
    const source = {
      kind: 'file',
      name: data,
      files: [new File([readFileSync(join(EXAMPLES, data))], data)],
    };
    await ask('read', { source, input: { format: 'csv', fields }, document, table: 0 });
  } else await ask('generate', { spec, fields });
  await ask('analyze', { document, table: 0 });
  /** @type {View} */
  const view = await ask('report', { splits: JSON.stringify(splits), timeBuckets: BUCKETS });
  const findings = await ask('findings', { document, table: 0 });
  const { codes, top, one } = { ...view.picture, ...view.even };
  const values = valuesOf(top, one);
  const part = partsOf({ metric: 'even', top, one }, { gain: 1, linear: true });
  const { severity, code, args } = view.verdict;
  // The worst finding, as it goes before a verdict that is not as bad.
  const worse =
    severity === 'bad' ? undefined : findings.find((/** @type {any} */ one) => one.severity === 'bad');
  return {
    verdict: worse
      ? { severity: 'bad', code: `finding.${worse.name}`, args: worse.args }
      : { severity, code, args },
    bands: view.picture.bands,
    levels: levelsOf(Array.from(codes, (code) => part(values[code]))),
  };
}

initSync({ module: readFileSync(process.argv[2]) });
/** @type {Record<string, Preview>} */
const previews = {};
for (const example of readJson(join(EXAMPLES, 'index.json'))) previews[example.id] = await previewOf(example);
console.log(JSON.stringify(previews));
