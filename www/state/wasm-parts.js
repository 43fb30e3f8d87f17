// The wasm module in two parts, each fetched and compiled once for all workers; and where that for packed files is.
import { state, subscribe } from './store.js';

const [FIRST, REST, FORMATS] = ['first', 'rest', 'formats'].map(
  (name) => new URL(`pkg/${name}.wasm`, import.meta.url),
);

/** The first part of the module, requested at once while the page starts. */
const first = compiled(FIRST);
/** @type {WebAssembly.Module | null} */
let rest = null;
/** @type {Promise<void> | null} */
let fetching = null;
/** Workers that are running. @type {Set<Worker>} */
const workers = new Set();

/**
 * Null when it can't be had, as in the page in one file, whose workers have the module whole.
 * @param {URL} url
 */
async function compiled(url) {
  try {
    const response = await fetch(url);
    if (!response.ok) return null;
    const streams = response.headers.get('content-type') === 'application/wasm';
    return await (streams
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch {
    return null;
  }
}

/** Hands both parts to a worker that has just been started. @param {Worker} worker */
export async function follow(worker) {
  workers.add(worker);
  worker.postMessage({ type: 'first', module: await first, parts: [FIRST.href, REST.href, FORMATS.href] });
  if (rest) worker.postMessage({ type: 'rest', module: rest });
}

/** @param {Worker} worker that was ended */
export const leave = (worker) => workers.delete(worker);

/** Fetches the rest unless it is here. Settles when it is, or can't be had; the workers are told either. */
export async function fetchRest() {
  if (!rest) fetching ??= fetchNow();
  await fetching;
}

async function fetchNow() {
  rest = await compiled(REST);
  fetching = null;
  for (const worker of workers) worker.postMessage({ type: 'rest', module: rest });
}

/** Fetches the rest once the records are here: what is fetched before is needed for the first drawing. */
export function followRest() {
  const stop = subscribe(() => {
    if (!state.loaded && state.phase !== 'empty' && state.phase !== 'failed') return;
    stop();
    void fetchRest();
  });
}
