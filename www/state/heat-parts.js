import { latestOnly } from './engine.js';
import { askRecords } from './loading.js';
import { state } from './store.js';

/** @import { Sheet, View } from '../types.d.ts' */
/** @import { Span } from '../heat/viewport.js' */

/** So much of a region fills the picture at most: one of so many parts. */
export const DEEPEST = 64;
/** Least height of a part in pixels. */
const LEAST = 8;
/** Rows of a bitmap of parts. */
const MOST_ROWS = 1024;
/** Pictures of parts kept. */
const KEPT = 6;

/**
 * A request: a half-open range of regions and the number of parts per region.
 * @typedef {{ from: number, to: number, slots: number }} Wanted
 */

/**
 * Pictures of parts by report, with the picture of regions they lie in; null for what can't be had.
 * @type {WeakMap<View, { base: Sheet, wanted: Wanted, sheet: Sheet | null }[]>}
 */
const known = new WeakMap();

/** @type {{ view: View, base: Sheet, wanted: Wanted, then: () => void } | null} */
let next = null;

/**
 * The regions on show by parts, once a person looks close: the best there is now, none while there is none; a
 * better one is asked for and `then` called when it came.
 * @param {View} view
 * @param {Sheet} base the picture of regions
 * @param {Span} span
 * @param {number} height of the plot in pixels
 * @param {() => void} then
 * @returns {Sheet | null}
 */
export function partsFor(view, base, span, height, then) {
  const seen = seenOf(view, span);
  const slots = seen && slotsOf(view, base, seen, span, height);
  if (!seen || !slots) return null;
  // One region more on either side, so that a move does not ask at once.
  const [from, to] = [Math.max(0, seen.from - 1), Math.min(view.regionCount, seen.to + 1)];
  // Until a better one came: of less or more parts, or of coarser moments.
  const alike = (/** @type {Sheet} */ other) => other.picture.metric === base.picture.metric;
  const covers = (known.get(view) ?? []).filter(
    ({ base: of, wanted }) => alike(of) && wanted.from <= seen.from && wanted.to >= seen.to,
  );
  const exact = covers.find(({ base: of, wanted }) => of === base && wanted.slots === slots);
  if (!exact) {
    next = { view, base, wanted: { from, to, slots }, then };
    void ask();
  }
  return exact ? exact.sheet : (covers.at(-1)?.sheet ?? null);
}

/** The regions on show; null while all are. @param {View} view @param {Span} span */
function seenOf({ regionCount }, { y0, y1 }) {
  if (y1 - y0 >= 1) return null;
  return { from: Math.floor(y0 * regionCount + 1e-9), to: Math.ceil(y1 * regionCount - 1e-9) };
}

/**
 * Parts of each region: a power of four, so that zooming does not ask at each step. Where a line of the
 * picture is several regions, these are told apart first, each as one part.
 * @param {View} view
 * @param {Sheet} base
 * @param {{ from: number, to: number }} seen
 * @param {Span} span
 * @param {number} height
 */
function slotsOf({ regionCount }, { picture }, { from, to }, { y0, y1 }, height) {
  const tall = height / ((y1 - y0) * regionCount);
  const most = MOST_ROWS / (to - from + 2);
  const room = Math.min(tall / LEAST, most);
  const slots = 4 ** Math.floor(Math.log(room) / Math.log(4) + 1e-9);
  if (slots >= 4) return slots;
  return picture.bands < regionCount && tall >= 1 && most >= 1 ? 1 : 0;
}

/** True if this request was answered. @param {View} view @param {Sheet} base @param {Wanted} wanted */
const isKnown = (view, base, { from, to, slots }) =>
  (known.get(view) ?? []).some(
    ({ base: of, wanted: held }) =>
      of === base && held.from === from && held.to === to && held.slots === slots,
  );

const ask = latestOnly(async () => {
  if (!next) return;
  const { view, base, wanted, then } = next;
  if (view !== state.view || isKnown(view, base, wanted)) return;
  const { metric, buckets } = base.picture;
  const design = { document: JSON.stringify(state.design), table: state.table };
  const finer = view.time && buckets !== view.time.buckets ? buckets : null;
  /** @type {Sheet | null} */
  const sheet = await askRecords('sheet', { metric, buckets: finer, ...design, parts: wanted }).catch(
    () => null,
  );
  const held = known.get(view) ?? [];
  known.set(view, [...held.slice(1 - KEPT), { base, wanted, sheet }]);
  then();
});
