// The wasm module in a worker: it starts with the first part, which does what it takes to draw a figure.
import init, { beside, imports } from '../../dist/pkg/rowscape.js';

/** What the first part does alone (scripts/main-path.mjs), but for rare cases. Before all else the rest is loaded. */
const ALONE = new Set('steps checkDesign checkFormula guess read analyze report keys row'.split(' '));

const [FIRST, REST] = ['first', 'rest'].map((name) => new URL(`pkg/${name}.wasm`, import.meta.url));

/** Of the first part. @type {WebAssembly.Exports} */
let first = {};
/** The rest, when the page has fetched it. @type {WebAssembly.Module | null} */
let rest = null;
/** Called when the page has tried. */
let tried = () => {};

/** @type {(started: Promise<void>) => void} */
let begun;
/** Settles when the first part has started. @type {Promise<void>} */
export const ready = new Promise((resolve) => {
  begun = resolve;
});
ready.catch(() => {});

/** @param {WebAssembly.Module | null} module the first part; null: it is to be fetched here */
export function begin(module) {
  const started = init({ module_or_path: module ?? FIRST }).then((exports) => {
    first = /** @type {WebAssembly.Exports} */ (/** @type {object} */ (exports));
  });
  begun(started);
}

/** @param {WebAssembly.Module | null} module */
export function giveRest(module) {
  rest = module;
  tried();
}

/** Whether it is still to be loaded. Where the module is whole there is none. */
const missing = () => first.rest instanceof WebAssembly.Global && !first.rest.value;

/** Sees to it that what is asked can be answered. @param {string} type */
export async function prepare(type) {
  if (ALONE.has(type) || !missing()) return;
  if (!rest) {
    await new Promise((resolve) => {
      tried = () => resolve(undefined);
      self.postMessage({ wanted: 'rest' });
    });
  }
  load();
}

function load() {
  if (!missing()) return;
  const module = rest ?? new WebAssembly.Module(fetched());
  new WebAssembly.Instance(module, { ...imports(), first });
}

/** The bytes of the rest at once, as a function of the module waits for them. @returns {ArrayBuffer} */
function fetched() {
  const request = new XMLHttpRequest();
  request.open('GET', REST, false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    // Its status says it.
  }
  if (request.status === 200) return request.response;
  throw Object.assign(new Error('rest-missing'), { code: 'page.rest-missing' });
}

beside.rest = {
  load() {
    try {
      load();
    } catch (error) {
      // Functions of the module don't come to their end: its memory can't be trusted.
      throw Object.assign(/** @type {Error} */ (error), { fatal: true });
    }
  },
};
