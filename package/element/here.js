// Answers in the page's own thread.
import init from '../../dist/pkg/rowscape.js';
import { plain } from './plain.js';
import { answer } from './work.js';

/** @import { Asked } from './types.d.ts' */

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** @param {WebAssembly.Module} module */
export async function answersHere(module) {
  await init({ module_or_path: module });
  return (/** @type {Asked} */ asked) => {
    const mine = last.then(() => answer(asked));
    last = mine.catch(() => {});
    return mine.catch((error) => {
      throw Object.assign(error, plain(error));
    });
  };
}
