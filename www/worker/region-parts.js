import { codesOf, mostOf } from '../heat/cell-codes.js';
import { escaped } from '../text/escaped-bytes.js';
import { MOST_BANDS } from './fold.js';

/** @import { KeyPage, Parts, Picture, Region } from '../types.d.ts' */

/**
 * Regions from one to before another, each in so many parts.
 * @typedef {{ from: number, to: number, slots: number }} Wanted
 */

/**
 * Keys in order.
 * @typedef {{ keyCount: number, rank: (key: string) => number, keys: (first: number, count: number) => unknown }} Ordered
 */

/**
 * Where a part begins: its start row, how many keys sort below it, its place in its region by slots.
 * @typedef {{ start: string, rank: number, region: number, slot: number }} Begin
 */

/**
 * Cuts regions into parts that hold as many of the keys each, as far as these differ; other regions stay
 * whole, or where they are too many for a picture, those before and those behind are one band each.
 * @param {Ordered} ordered
 * @param {Region[]} regions all of the table
 * @param {Wanted} wanted
 * @returns {Begin[]} the beginnings of all parts, in key order
 */
export function beginsOf(ordered, regions, { from, to, slots }) {
  const tooMany = regions.length > MOST_BANDS;
  return regions.flatMap(({ start }, region) => {
    if (tooMany && ((region > 0 && region < from) || region > to)) return [];
    const first = start === '' ? 0 : ordered.rank(start);
    /** @type {Begin[]} */
    const begins = [{ start, rank: first, region, slot: 0 }];
    if (region < from || region >= to) return begins;
    const next = regions[region + 1];
    const rows = (next ? ordered.rank(next.start) : ordered.keyCount) - first;
    for (let slot = 1; slot < slots; slot++) {
      const at = first + Math.floor((slot * rows) / slots);
      if (at <= begins[begins.length - 1].rank) continue;
      const key = startAt(ordered, at);
      const rank = ordered.rank(key);
      // A key of many rows lies in one part.
      if (rank > begins[begins.length - 1].rank) begins.push({ start: key, rank, region, slot });
    }
    return begins;
  });
}

/**
 * The shortest row that sorts above the key before one and not above it.
 * @param {Ordered} ordered
 * @param {number} rank of it, not 0
 */
function startAt(ordered, rank) {
  const { bytes, ends } = /** @type {KeyPage} */ (ordered.keys(rank - 1, 2));
  const [before, key] = [bytes.subarray(0, ends[0]), bytes.subarray(ends[0], ends[1])];
  let alike = 0;
  while (alike < before.length && alike < key.length && before[alike] === key[alike]) alike++;
  return escaped(key.subarray(0, alike < key.length ? alike + 1 : alike));
}

/**
 * Where parts begin among the regions, and where the last ends.
 * @param {Begin[]} begins
 * @param {number} regionCount
 * @param {number} slots
 */
export const edgesOf = (begins, regionCount, slots) =>
  Float64Array.from([...begins.map(({ region, slot }) => region + slot / slots), regionCount]);

/**
 * A picture of parts, of the picture that has a line for each of them.
 * @param {Picture} picture
 * @param {Begin[]} begins
 * @param {number} regionCount
 * @param {Wanted} wanted
 * @param {{ rows: number, of: number } | null} sample of which the keys are
 * @returns {Picture}
 */
export function inParts(picture, begins, regionCount, { from, to, slots }, sample) {
  const { buckets, peak, one, metric } = picture;
  const edges = edgesOf(begins, regionCount, slots);
  // Colours are told apart best when they go from nothing to the busiest of what is looked at.
  const inside = begins.map(({ region }) => region >= from && region < to);
  const [first, after] = [inside.indexOf(true), inside.lastIndexOf(true) + 1];
  const seen = peak.subarray(first * buckets, after * buckets);
  const top = metric === 'even' ? picture.top : mostOf(seen);
  const codes = codesOf(seen, top, one);
  const rows = new Uint16Array((to - from) * slots * buckets);
  for (let band = first; band < after; band++) {
    const [low, high] = [edges[band], edges[band + 1]].map((edge) => Math.round((edge - from) * slots));
    const cells = codes.subarray((band - first) * buckets, (band - first + 1) * buckets);
    for (let row = low; row < high; row++) rows.set(cells, row * buckets);
  }
  /** @type {Parts} */
  const parts = { from, to, slots, ranks: Float64Array.from(begins, ({ rank }) => rank), sample };
  const starts = begins.map(({ start }) => start);
  return {
    ...picture,
    edges,
    starts,
    top,
    codes: rows,
    places: edges.map((edge) => edge / regionCount),
    parts,
  };
}
