// Prints what a module answers about every entry of the gallery, as a digest, and how often it had its rest loaded:
//   node tests/npm/node/module/answers.mjs whole|parts
import { createHash } from 'node:crypto';
import { tablesOf } from '../../../../www/design/document.js';
import { answers } from '../../../../www/worker/session.js';
import { read, start } from './started.mjs';

const counted = start({ first: 'dist/wasm/page-first.wasm', rest: 'dist/wasm/page-rest.wasm' });
const atStart = counted.loads;

const digest = createHash('sha256');
/** Answers are plain, but for arrays of numbers and the time they took. @param {unknown} answer */
const tell = (answer) =>
  digest.update(
    JSON.stringify(answer, (key, value) =>
      key === 'milliseconds' ? 0 : ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value,
    ) ?? 'nothing',
  );

/** @param {string} type @param {object} asked */
async function ask(type, asked) {
  try {
    const answer = await answers[type](asked, () => {});
    tell(answer);
    return /** @type {any} */ (answer);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    tell(String(error));
  }
}

for (const { slug, data } of JSON.parse(read('data/gallery/index.json').toString())) {
  const document = read(`data/gallery/${slug}.json`).toString();
  const design = JSON.parse(document);
  await ask('checkDesign', { document });
  for (const [table, { fields, names, rowkey, splits }] of tablesOf(design).entries()) {
    const asked = { document, table, lengths: undefined };
    await ask('checkFormula', { formula: rowkey, fields, names });
    if (data) {
      const source = { kind: 'file', name: data, files: [new File([read(`data/gallery/${data}`)], data)] };
      const { input } = await ask('guess', { source });
      const own = new Map(fields.map((field) => [field.name, field]));
      const known = input.fields.map((/** @type {any} */ field) => own.get(field.name) ?? field);
      await ask('read', { source, input: { ...input, fields: known }, document, table });
    } else await ask('generate', { spec: { ...(design.records ?? design.generate), rows: 500 } });
    await ask('analyze', asked);
    await ask('report', { document, table, splits: JSON.stringify(splits), timeBuckets: 50 });
    for (const type of ['findings', 'queries', 'settings', 'parameters', 'values']) await ask(type, asked);
    await ask('storage', { ...asked, rows: 1e6 });
    await ask('servers', { servers: 3 });
    await ask('keys', { first: 0, count: 20 });
    for (const name of ['shell', 'java', 'python']) await ask('emit', { ...asked, name });
  }
}
console.log(JSON.stringify({ answers: digest.digest('hex'), atStart, ...counted }));
