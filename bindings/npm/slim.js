// The entry `./slim`: without the wasm module, which `rowscape/rowscape.wasm` is. Call `init` or `initSync` first.
import { startFrom, startNow } from './start.js';

export * from './api.js';

/**
 * Starts the module.
 * @param {string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} input where
 *   `rowscape.wasm` is, or what is in it
 * @returns {Promise<void>}
 */
export async function init(input) {
  await startFrom(input);
}

/**
 * Starts the module from its bytes.
 * @param {BufferSource | WebAssembly.Module} module
 * @returns {void}
 */
export function initSync(module) {
  startNow(module);
}
