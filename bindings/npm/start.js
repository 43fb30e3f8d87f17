// Starting the wasm module.
import { started } from './error.js';
import { notStarted } from './not-started.js';
import * as wasm from './wasm/rowscape.js';
import { sentences } from './wasm/sentences.js';

/** The module as it was compiled, where that is known. @type {WebAssembly.Module | null} */
let compiled = null;

/** The compiled module, by which threads start; null where it is not known. */
export const compiledModule = () => compiled;

/** The module runs: hands it the sentences of refusals and findings, which it is without. */
function speak() {
  wasm.setSentences((/** @type {string} */ code) => sentences[code]);
  started();
}

/** @param {BufferSource | WebAssembly.Module} module */
export function startNow(module) {
  try {
    compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module);
    wasm.initSync({ module: compiled });
    speak();
  } catch (error) {
    throw notStarted(error);
  }
}

/** @param {string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>} input */
export async function startFrom(input) {
  try {
    if (input instanceof WebAssembly.Module) compiled = input;
    await wasm.init({ module: input });
    speak();
  } catch (error) {
    throw notStarted(error);
  }
}
