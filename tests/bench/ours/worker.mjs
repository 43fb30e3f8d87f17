// The job in a module worker, the file read as a stream.

import { job } from '/ours/job.mjs';
import * as rowscape from '/wasm/rowscape.js';

const ready = rowscape.init({ module: '/wasm/bench.wasm' });

async function* chunksOf(file) {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

globalThis.onmessage = async ({ data: { file, command } }) => {
  try {
    const { memory } = await ready;
    const result = await job(rowscape, chunksOf(file), command);
    postMessage({ ...result, wasmMB: memory.buffer.byteLength / 2 ** 20 });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
