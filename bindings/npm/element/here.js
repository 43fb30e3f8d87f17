// Answers in the page's own thread.
import { init } from '#core';
import { began, beside, giveRest, load } from '../../../www/worker/wasm-rest.js';
import { plain } from './plain.js';
import { answer } from './work.js';

/** @import { Asked } from './types.d.ts' */

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** @param {WebAssembly.Module} first @param {WebAssembly.Module | null} rest a page can't wait for it later */
export async function answersHere(first, rest) {
  began(await init({ module: first, beside }), '');
  giveRest(rest);
  load();
  return (/** @type {Asked} */ asked) => {
    const mine = last.then(() => answer(asked));
    last = mine.catch(() => {});
    return mine.catch((error) => {
      throw Object.assign(error, plain(error));
    });
  };
}
