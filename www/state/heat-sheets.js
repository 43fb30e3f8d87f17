import { workedOut } from '../heat/picture-cache.js';
import { latestOnly } from './engine.js';
import { askRecords } from './loading.js';
import { state } from './store.js';

/** @import { Metric, Sheet, View } from '../types.d.ts' */

/** Moments of the picture for each of the report's, once a person looks closer. */
const FINER = 8;
/** Shortest moment worth asking for: most records tell whole seconds. */
const SHORTEST = 1000;

/**
 * Pictures by report, as far as they were asked for; null for what can't be had.
 * @type {WeakMap<View, Map<string, Sheet | null>>}
 */
const known = new WeakMap();

/** @type {{ view: View, metric: Metric, fine: boolean, then: () => void } | null} */
let wanted = null;

/**
 * The picture of a report in a metric, in finer moments when a person looks close: the best there is now; a
 * better one is asked for and `then` called when it came.
 * @param {View} view
 * @param {Metric} metric
 * @param {boolean} close
 * @param {() => void} then
 * @returns {Sheet}
 */
export function sheetFor(view, metric, close, then) {
  const held = known.get(view) ?? new Map();
  known.set(view, held);
  if (!held.has('rows')) {
    const { picture, even, moments, time } = view;
    held.set('rows', { picture, moments, time });
    if (even) held.set('even', { picture: { ...picture, ...even, metric: 'even' }, moments, time });
  }
  const fine = close && finer(view) > 1;
  const key = fine ? `${metric} fine` : metric;
  const best = held.get(key);
  if (best) return best;
  if (best === null && fine) return sheetFor(view, metric, false, then);
  // Do not repeat a request that failed.
  if (best === undefined) {
    wanted = { view, metric, fine, then };
    void ask();
  }
  return held.get(metric) ?? held.get('rows');
}

/** True if a requested metric is unavailable. @param {View} view @param {Metric} metric */
export const isMissing = (view, metric) => known.get(view)?.get(metric) === null;

/** How many finer moments each of a report's has. @param {View} view */
function finer({ time, sample }) {
  if (!time || sample?.exact) return 1;
  return Math.max(1, Math.min(FINER, Math.floor(time.step / SHORTEST)));
}

/** Precomputes what the first frame needs, in short separate tasks. @param {Sheet['picture']} picture */
async function warm(picture) {
  const pause = () => new Promise((resolve) => setTimeout(resolve));
  await pause();
  const { pyramid } = workedOut(picture);
  for (const [up, across] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [2, 0],
    [0, 2],
  ]) {
    await pause();
    pyramid.level(up, across);
  }
}

const ask = latestOnly(async () => {
  if (!wanted) return;
  const { view, metric, fine, then } = wanted;
  const key = fine ? `${metric} fine` : metric;
  // Asked for with each frame until it came.
  if (view !== state.view || known.get(view)?.has(key)) return;
  const buckets = fine && view.time ? view.time.buckets * finer(view) : null;
  /** @type {Sheet | null} */
  let sheet = null;
  try {
    const design = { document: JSON.stringify(state.design), table: state.table };
    sheet = await askRecords('sheet', { metric, buckets, ...design });
  } catch {
    // Then there is none: the picture of rows stays.
  }
  if (sheet) await warm(sheet.picture);
  known.get(view)?.set(key, sheet);
  then();
});
