// Starting the wasm module.
import { started } from './error.js';
import * as wasm from './wasm/rowscape.js';
import { sentences } from './wasm/sentences.js';

export { notStarted } from './not-started.js';

/** The module runs: hands it the sentences of refusals and findings, which it is without. */
export function speak() {
  wasm.setSentences((/** @type {string} */ code) => sentences[code]);
  started();
}
