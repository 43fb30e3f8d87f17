// Prints what figures of every design of the gallery show, as a digest, and how often the rest of the module was loaded:
//   node tests/npm/node/module/figures.mjs whole|parts
import { createHash } from 'node:crypto';
import { answer } from '../../../../bindings/npm/element/work.js';
import { tablesOf } from '../../../../www/design/document.js';
import { read, start } from './started.mjs';

const counted = start({ first: 'dist/npm/rowscape-first.wasm', rest: 'dist/npm/rowscape-rest.wasm' });

const digest = createHash('sha256');
let figures = 0;
const VIEWS = /** @type {const} */ (['heatmap', 'keys', 'regions', 'bytes', 'queries', 'compare']);
for (const { slug, data } of JSON.parse(read('data/gallery/index.json').toString())) {
  const document = read(`data/gallery/${slug}.json`).toString();
  const design = JSON.parse(document);
  const file = data && !design.generate && !design.records ? new Blob([read(`data/gallery/${data}`)]) : null;
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
console.log(JSON.stringify({ answers: digest.digest('hex'), figures, ...counted }));
