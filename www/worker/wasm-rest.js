// The rest of the wasm module beside its first part, in a worker. Where the module is whole there is none.
import { imports } from '#core';

/** Exports of the first part. @type {WebAssembly.Exports} */
let first = {};
/** The rest, when it has been fetched. @type {WebAssembly.Module | null} */
let rest = null;
/** Where it is. */
let address = '';

/**
 * Called once the module has started.
 * @param {object} exports
 * @param {string} where the rest is
 */
export function began(exports, where) {
  first = /** @type {WebAssembly.Exports} */ (exports);
  address = where;
}

/** @param {WebAssembly.Module | null} module */
export function giveRest(module) {
  rest = module;
}

/** The rest, when it has been fetched. */
export const theRest = () => rest;

/** True once the rest is loaded. */
export const hasRest = () => rest !== null;

/** True if the rest must still be loaded. */
export const missing = () => first.rest instanceof WebAssembly.Global && !first.rest.value;

export function load() {
  if (!missing()) return;
  rest ??= new WebAssembly.Module(fetched());
  const module = rest;
  try {
    new WebAssembly.Instance(module, imports({ first }));
  } catch (error) {
    // Each part tells of which whole it is: one of them may come out of a cache.
    if (!(error instanceof WebAssembly.LinkError)) throw error;
    throw Object.assign(new Error('rest-other'), { code: 'page.rest-other' });
  }
}

/** The bytes of the rest at once, as a function of the module waits for them. @returns {ArrayBuffer} */
function fetched() {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    // Its status says it.
  }
  if (request.status === 200) return request.response;
  throw Object.assign(new Error('rest-missing'), { code: 'page.rest-missing' });
}

/** Imports of the first part besides the bindings. */
export const beside = {
  rest: {
    load() {
      try {
        load();
      } catch (error) {
        // Functions of the module don't come to their end: its memory can't be trusted.
        throw Object.assign(/** @type {Error} */ (error), { fatal: true });
      }
    },
  },
};
