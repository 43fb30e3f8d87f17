// The worker that all figures of a page share.
import init from '../../dist/pkg/rowscape.js';
import { plain } from './plain.js';
import { answer } from './work.js';

/** Questions are answered one after the other: records of one at a time are in memory. */
/** @type {Promise<unknown>} */
let last = Promise.resolve();

self.onmessage = ({ data: { id, module, asked } }) => {
  last = last.then(async () => {
    try {
      if (module) await init({ module_or_path: module });
      self.postMessage({ id, given: asked ? await answer(asked) : true });
    } catch (error) {
      self.postMessage({ id, error: plain(error) });
    }
  });
};
