import { bandAt, placeOf } from './bands.js';
import { WHOLE } from './viewport.js';

/** @import { Bands } from './bands.js' */
/** @import { Span } from './viewport.js' */

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ width: number, height: number, timed: boolean, served: boolean, plot: Box, byTime: Box, byRegion: Box, share: Box, axisY: number, keys: number, groups: number, servers: number }} Layout
 */

const GAP = 8;

/**
 * Room for start keys where all of them are short: of parts of a region, which one zooms into, some bytes are
 * legible.
 */
const FEWEST = 96;

/**
 * Where the parts of the figure lie, in CSS pixels: rows per moment above the plot, rows per region to its
 * right, the largest share of each moment below it; to its left start keys, what groups of them begin with,
 * and servers. Without a time what is told of moments gives its room to the plot, and without servers theirs;
 * so do keys that need less than there is.
 * @param {number} width
 * @param {number} height
 * @param {boolean} [timed]
 * @param {boolean} [served] whether the servers of regions are drawn
 * @param {number} [needed] pixels that the widest start key takes
 * @returns {Layout}
 */
export function layoutOf(width, height, timed = true, served = false, needed = Number.POSITIVE_INFINITY) {
  const narrow = width < 560;
  const keys = narrow
    ? Math.min(80, needed)
    : Math.min(208, Math.round(width * 0.2), Math.max(FEWEST, needed));
  const groups = narrow ? 0 : 20;
  const servers = narrow || !served ? 0 : 18;
  const right = narrow ? 40 : 96;
  const above = timed ? (narrow ? 32 : 44) : 0;
  const below = timed ? (narrow ? 48 : 60) : 0;
  const axis = 28;
  const x = keys + groups + servers;
  const inner = Math.max(40, width - x - right - GAP);
  const y = above + GAP + 14;
  const tall = Math.max(60, height - y - axis - (timed ? below + 24 : 0));
  const plot = { x, y, width: inner, height: tall };
  return {
    width,
    height,
    timed,
    served,
    keys,
    groups,
    servers,
    plot,
    byTime: { x, y: 14, width: inner, height: above },
    byRegion: { x: x + inner + GAP, y, width: right - GAP, height: tall },
    axisY: y + tall,
    share: { x, y: y + tall + axis + 22, width: inner, height: below },
  };
}

/**
 * The cell under a point of the plot; null outside. Band 0 is at the bottom: keys rise upwards.
 * @param {Layout} layout
 * @param {Bands & { buckets: number }} picture
 * @param {number} x
 * @param {number} y
 * @param {Span} [span]
 */
export function cellAt(layout, picture, x, y, span = WHOLE) {
  const { bands, buckets } = picture;
  const place = placeAt(layout, x, y, span);
  if (!place.inside || !bands || !buckets) return null;
  return {
    band: bandAt(picture, place.y),
    bucket: Math.min(buckets - 1, Math.floor(place.x * buckets)),
  };
}

/**
 * Where a point of the figure lies among all times and keys.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @param {Span} span
 */
export function placeAt({ plot }, x, y, { x0, x1, y0, y1 }) {
  const across = (x - plot.x) / plot.width;
  const up = 1 - (y - plot.y) / plot.height;
  const inside = across >= 0 && across < 1 && up >= 0 && up < 1;
  return { x: x0 + across * (x1 - x0), y: y0 + up * (y1 - y0), inside };
}

/** @param {Layout} layout @param {Span} span */
export function scalesOf({ plot }, { x0, x1, y0, y1 }) {
  return {
    /** @param {number} time from 0 to 1 */
    x: (time) => plot.x + ((time - x0) / (x1 - x0)) * plot.width,
    /** @param {number} key from 0 to 1 */
    y: (key) => plot.y + (1 - (key - y0) / (y1 - y0)) * plot.height,
  };
}

/**
 * @param {Layout} layout
 * @param {Bands & { buckets: number }} picture
 * @param {{ band: number, bucket: number }} cell
 * @param {Span} [span]
 * @returns {Box}
 */
export function boxOf(layout, picture, { band, bucket }, span = WHOLE) {
  const { buckets } = picture;
  const { x, y } = scalesOf(layout, span);
  const left = x(bucket / buckets);
  const top = y(placeOf(picture, band + 1));
  const height = y(placeOf(picture, band)) - top;
  return { x: left, y: top, width: x((bucket + 1) / buckets) - left, height };
}
