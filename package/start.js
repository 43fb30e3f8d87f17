// Starting the wasm module.
import * as wasm from './wasm/rowscape.js';
import { sentences } from './wasm/sentences.js';

export { notStarted } from './not-started.js';

/** Says the sentences of refusals and findings, which the module is without. */
export const speak = () => wasm.setSentences((/** @type {string} */ code) => sentences[code]);
