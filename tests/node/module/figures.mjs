// Prints what figures of every design of the gallery show, as a digest, and how often the rest of the module was loaded:
//   node tests/node/module/figures.mjs whole|parts
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beside, imports, initSync } from '../../../dist/pkg/rowscape.js';
import { answer } from '../../../package/element/work.js';
import { tablesOf } from '../../../www/design.js';

/** @param {string} path of the project */
const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url));

let loads = 0;
/** @type {WebAssembly.Exports} */
let first = {};
beside.rest = {
  load() {
    loads++;
    const rest = new WebAssembly.Module(read('dist/npm/rowscape-rest.wasm'));
    new WebAssembly.Instance(rest, { ...imports(), first });
  },
};
const path = process.argv[2] === 'whole' ? 'pkg/rowscape_bg.wasm' : 'npm/rowscape-first.wasm';
first = /** @type {any} */ (initSync({ module: read(`dist/${path}`) }));

const digest = createHash('sha256');
let figures = 0;
const VIEWS = /** @type {const} */ (['heatmap', 'keys', 'regions', 'bytes', 'queries', 'compare']);
for (const { slug, data } of JSON.parse(read('gallery/index.json').toString())) {
  const document = read(`gallery/${slug}.json`).toString();
  const design = JSON.parse(document);
  const file = data && !design.generate && !design.records ? new Blob([read(`gallery/${data}`)]) : null;
  const tables = tablesOf(design).length;
  for (let table = 0; table < tables; table++) {
    // The views take turns; a design alone has nothing to be compared with.
    const view = VIEWS[figures++ % (tables > 1 ? 6 : 5)];
    const shown = await answer({
      documents: [document],
      table,
      view,
      data: file && { name: data, file },
    });
    digest.update(
      JSON.stringify(shown, (_, value) =>
        ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value,
      ),
    );
  }
}
console.log(JSON.stringify({ answers: digest.digest('hex'), figures, loads }));
