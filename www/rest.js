// The rest of the wasm module, fetched and compiled once for all workers.
import { state, subscribe } from './store.js';

const REST = new URL('pkg/rest.wasm', import.meta.url);

/** @type {WebAssembly.Module | null} */
let rest = null;
let fetching = false;
/** Workers that are running. @type {Set<Worker>} */
const workers = new Set();

/** @param {Worker} worker that has just been started */
export function follow(worker) {
  workers.add(worker);
  if (rest) worker.postMessage({ type: 'rest', module: rest });
}

/** @param {Worker} worker that was ended */
export const leave = (worker) => workers.delete(worker);

/** Fetches it unless it is here, and tells the workers: also that it can't be had. */
export async function fetchRest() {
  if (rest || fetching) return;
  fetching = true;
  try {
    const response = await fetch(REST);
    // The page in one file has no such file: the module of its workers is whole.
    if (response.ok) rest = await WebAssembly.compile(await response.arrayBuffer());
  } catch {
    // Who needs it says so.
  }
  fetching = false;
  for (const worker of workers) worker.postMessage({ type: 'rest', module: rest });
}

/** Fetches it once something is drawn, so that it is here before it is needed. */
export function followRest() {
  const stop = subscribe(() => {
    if (!state.view && state.phase !== 'empty' && state.phase !== 'failed') return;
    stop();
    void fetchRest();
  });
}
