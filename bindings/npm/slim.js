// The entry `./slim`: without the wasm module, which is `rowscape/rowscape.wasm`. Call `init` or `initSync` first.
import { startFrom, startNow } from './start.js';

/** @import { Code } from './wasm/rowscape.js' */

export * from './api.js';

/**
 * Starts the wasm module.
 * @param {string | URL | Request | Response | Code | Promise<Response>} input URL of `rowscape.wasm`, or its content
 * @returns {Promise<void>}
 */
export async function init(input) {
  await startFrom(input);
}

/**
 * Starts the wasm module from its bytes.
 * @param {Code} module
 * @returns {void}
 */
export function initSync(module) {
  startNow(module);
}
