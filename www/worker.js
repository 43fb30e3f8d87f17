import { readSlice, readSlices } from './worker/helpers.js';
import { helpedBy } from './worker/read-records.js';
import { answers, onBeat } from './worker/session.js';
import { ahead, Cancelled, cancel } from './worker/stopping.js';
import { stopSearch } from './worker/suggestions.js';
import { begin, giveRest, prepare, ready } from './worker/wasm-first.js';

/** @import { Progress, SearchProgress } from './types.d.ts' */

/** Milliseconds between two messages that work goes on. */
const BEAT_EVERY = 100;

let told = 0;
ready.then(() => onBeat(beat)).catch(() => {});
helpedBy(readSlices);
answers.slice = readSlice;

/** Tells the page that this worker is at work. */
function beat() {
  const now = performance.now();
  if (now - told < BEAT_EVERY) return;
  told = now;
  self.postMessage({ beat: true });
}

/**
 * Requests are answered one after the other: the wasm handles are not to be used by two at once. Only a search, which holds what it needs, gives
 * way to later ones.
 */
let last = Promise.resolve();

self.onmessage = ({ data }) => {
  if (data.type === 'cancel') cancel();
  else if (data.type === 'first') begin(data.module, data.parts);
  else if (data.type === 'rest') giveRest(data.module);
  else if (data.type === 'stop') stopSearch();
  else if (data.type === 'suggest') void last.then(() => answer(data));
  else {
    const answered = ahead();
    last = last.then(() => answer(data)).finally(answered);
  }
};

/** @param {{ id: number, type: string, ask: unknown }} request */
async function answer({ id, type, ask }) {
  try {
    await ready;
    await prepare(type);
    const given = await answers[type](ask, (/** @type {Progress | SearchProgress} */ progress) =>
      self.postMessage({ id, progress }),
    );
    self.postMessage({ id, given }, { transfer: movedOf(given) });
  } catch (error) {
    self.postMessage({ id, error: plain(error) });
  }
}

/** The large arrays of a picture and of a slice are handed over, not copied. @param {any} given */
function movedOf(given) {
  const { sums, codes } = given?.picture ?? {};
  const { records, keys } = given ?? {};
  const large = sums ? [sums, codes] : ArrayBuffer.isView(records) ? [records, ...keys] : [];
  return large.map(({ buffer }) => buffer);
}

/**
 * An error as a message can carry it. After a trap in the wasm module its memory can't be trusted: that is
 * fatal.
 * @param {any} error
 */
function plain(error) {
  return {
    fatal: error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.fatal === true,
    cancelled: error instanceof Cancelled,
    message: String(error?.message ?? error),
    code: error?.code,
    place: error?.place ?? {},
    args: error?.args ?? {},
  };
}
