// The wasm module in a worker: it starts with the first part, which does what it takes to draw a figure.
import { init } from '#core';
import { packedAt } from './packed-source.js';
import { began, beside, hasRest, load, missing, giveRest as take, theRest } from './wasm-rest.js';

/**
 * Calls that the first part nearly always answers alone (scripts/build/drive/page.mjs). Any other call loads
 * the rest first.
 */
const ALONE = new Set('steps checkDesign checkFormula guess read analyze report keys row'.split(' '));

/** Called when the page has tried to fetch the rest. */
let tried = () => {};
/** Settles then, for all that wait for it. @type {Promise<void> | null} */
let trying = null;

/** Workers beside this one start with it. @type {[WebAssembly.Module | null, [string, string, string]] | null} */
let given = null;

/** @type {(started: Promise<void>) => void} */
let begun;
/** Settles when the first part has started. @type {Promise<void>} */
export const ready = new Promise((resolve) => {
  begun = resolve;
});
ready.catch(() => {});

/**
 * @param {WebAssembly.Module | null} module the first part; null: it is to be fetched here
 * @param {[string, string, string]} parts where both parts are, and the module for packed files
 */
export function begin(module, parts) {
  given = [module, parts];
  const [first, rest, packed] = parts;
  packedAt(packed);
  begun(init({ module: module ?? first, beside }).then((exports) => began(exports, rest)));
}

/** @param {WebAssembly.Module | null} module */
export function giveRest(module) {
  take(module);
  tried();
}

/** Sees to it that what is asked can be answered. @param {string} type */
export async function prepare(type) {
  if (ALONE.has(type) || !missing()) return;
  if (!hasRest()) {
    trying ??= new Promise((resolve) => {
      tried = resolve;
      self.postMessage({ wanted: 'rest' });
    });
    await trying;
    trying = null;
  }
  if (missing()) load();
}

/** Starts another worker as this one was started, which ends with this one at the latest. */
export function startBeside() {
  const worker = new Worker(self.location.href, { type: 'module' });
  const [module, parts] = given ?? [];
  worker.postMessage({ type: 'first', module, parts });
  const rest = theRest();
  if (rest) worker.postMessage({ type: 'rest', module: rest });
  return worker;
}
