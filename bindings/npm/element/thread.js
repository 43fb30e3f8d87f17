// The worker that all figures of a page share.
import { init } from '#core';
import { began, beside, giveRest, load } from '../../../www/worker/wasm-rest.js';
import { plain } from './plain.js';
import { answer } from './work.js';

/** Questions are answered one after the other: records of one at a time are in memory. */
/** @type {Promise<unknown>} */
let last = Promise.resolve();

self.onmessage = ({ data: { id, first, restAddress, rest, asked } }) => {
  last = last.then(async () => {
    try {
      if (first) began(await init({ module: first, beside }), restAddress);
      if (rest) {
        giveRest(rest);
        load();
      }
      self.postMessage({ id, given: asked ? await answer(asked) : true });
    } catch (error) {
      self.postMessage({ id, error: plain(error) });
    }
  });
};
