// Rowscape's wasm in Node, one thread: node --expose-gc in-node.mjs CSV
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import * as rowscape from '../../../dist/wasm/rowscape.js';
import { serve } from '../peers/js/serve.mjs';
import { job } from './job.mjs';

const CHUNK_BYTES = 1 << 20;
const [csv] = process.argv.slice(2);
const { memory } = await rowscape.init({ module: readFileSync('dist/wasm/bench.wasm') });

function* chunksOf(path) {
  const buffer = new Uint8Array(CHUNK_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let n = readSync(file, buffer); n > 0; n = readSync(file, buffer)) yield buffer.subarray(0, n);
  } finally {
    closeSync(file);
  }
}

await serve(`node ${process.version}`, async (command) => {
  globalThis.gc?.();
  const result = await job(rowscape, chunksOf(csv), command);
  const peakMB = process.resourceUsage().maxRSS / 1024;
  return { ...result, peakMB, wasmMB: memory.buffer.byteLength / 2 ** 20 };
});
