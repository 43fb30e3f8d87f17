// Row keys suggested in wasm in Node, in steps as in a worker: node suggest.mjs STUDY CSV
// Prints a line of JSON: milliseconds to the first shortlist, to the answer and of the longest step, and the memory of the module.
import { readFileSync } from 'node:fs';
import * as rowscape from '../../../dist/wasm/rowscape.js';

/** Milliseconds of a step, as in www/worker/suggestions.js. */
const STEP = 40;
const CHUNK_BYTES = 1 << 20;
const [study, csv] = process.argv.slice(2);
const { memory } = await rowscape.init({ module: readFileSync('dist/wasm/bench.wasm') });
const document = readFileSync(study, 'utf8');
const file = readFileSync(csv);
const records = new rowscape.Records({ format: 'csv', fields: JSON.parse(document).fields });
for (let at = 0; at < file.length; at += CHUNK_BYTES) records.push(file.subarray(at, at + CHUNK_BYTES));
records.finish();

const begun = performance.now();
const search = new rowscape.Search(records, document, '{}');
const result = { shortlist: 0, total: 0, silent: 0, before: '', memory: 0 };
for (let found; !found; ) {
  const start = performance.now();
  found = search.step(STEP);
  const took = performance.now() - start;
  const { phase } = search.progress();
  if (took > result.silent) Object.assign(result, { silent: took, before: phase });
  if (phase === 'shortlist') result.shortlist = performance.now() - begun;
  result.total = performance.now() - begun;
  result.memory = Math.max(result.memory, memory.buffer.byteLength);
}
search.free();
console.log(JSON.stringify(result));
