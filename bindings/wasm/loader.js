// Starts the wasm module with its bindings. The build puts this file and what wasm-bindgen wrote into one script.
import * as bindings from './imports.js';
import { __wbg_set_wasm } from './rowscape_bg.js';

/** @typedef {BufferSource | WebAssembly.Module} Code */
/** @typedef {Code | string | URL | Request | Response} Input the module, or where it is */

/** Exports of the running module: there is one per script. @type {WebAssembly.Exports | undefined} */
let running;

/**
 * Everything the module imports.
 * @param {WebAssembly.Imports} [beside] imports that wasm-bindgen doesn't know: a module in two parts has some
 * @returns {WebAssembly.Imports}
 */
export const imports = (beside = {}) => ({ './rowscape_bg.js': { ...bindings }, ...beside });

/** @param {WebAssembly.Instance} instance */
function run({ exports }) {
  running = exports;
  __wbg_set_wasm(exports);
  /** @type {() => void} */ (exports.__wbindgen_start)();
  return exports;
}

/** @param {Input | Promise<Input>} input @returns {Promise<WebAssembly.Module>} */
async function compiled(input) {
  let given = await input;
  if (typeof given === 'string' || given instanceof URL || given instanceof Request)
    given = await fetch(given);
  if (given instanceof WebAssembly.Module) return given;
  if (!(given instanceof Response)) return WebAssembly.compile(given);
  const type = given.headers.get('content-type') ?? '';
  // Some servers don't know the type of wasm files: the browser then refuses to compile them as they arrive.
  return given.ok && type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(given)
    : WebAssembly.compile(await given.arrayBuffer());
}

/**
 * Starts the module; does nothing if it runs already.
 * @param {{ module: Input | Promise<Input>, beside?: WebAssembly.Imports }} given
 * @returns {Promise<WebAssembly.Exports>} its exports
 */
export async function init({ module, beside }) {
  if (running) return running;
  const instance = await WebAssembly.instantiate(await compiled(module), imports(beside));
  return running ?? run(instance);
}

/**
 * Starts the module at once.
 * @param {{ module: Code, beside?: WebAssembly.Imports }} given
 * @returns {WebAssembly.Exports} its exports
 */
export function initSync({ module, beside }) {
  if (running) return running;
  const code = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module);
  return run(new WebAssembly.Instance(code, imports(beside)));
}
