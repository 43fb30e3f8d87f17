// The entry `./slim`: without the wasm module, which `rowscape/rowscape.wasm` is. Call `init` or `initSync` first.
import { notStarted, speak } from './start.js';
import start, { initSync as startSync } from './wasm/rowscape.js';

export * from './api.js';

/**
 * Starts the module.
 * @param {string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} input where
 *   `rowscape.wasm` is, or what is in it
 * @returns {Promise<void>}
 */
export async function init(input) {
  try {
    await start({ module_or_path: input });
    speak();
  } catch (error) {
    throw notStarted(error);
  }
}

/**
 * Starts the module from its bytes.
 * @param {BufferSource | WebAssembly.Module} module
 * @returns {void}
 */
export function initSync(module) {
  try {
    startSync({ module });
    speak();
  } catch (error) {
    throw notStarted(error);
  }
}
