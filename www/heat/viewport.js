import { placeOf } from './bands.js';

/**
 * The part of the picture on show, in fractions of the whole: time from 0 (left) to 1, keys from 0 (below) to
 * 1.
 * @typedef {{ x0: number, x1: number, y0: number, y1: number }} Span
 */

/** @type {Span} */
export const WHOLE = { x0: 0, x1: 1, y0: 0, y1: 1 };

/** How much larger one step of the keyboard or of a button shows things. */
export const STEP = 1.6;

/** @param {Span} span */
export const isWhole = ({ x0, x1, y0, y1 }) => x0 <= 0 && y0 <= 0 && x1 >= 1 && y1 >= 1;

/**
 * As large as asked but at least a cell, at most the whole, and within it.
 * @param {Span} span
 * @param {{ bands: number, buckets: number }} picture
 * @returns {Span}
 */
export function within({ x0, x1, y0, y1 }, { bands, buckets }) {
  const [left, right] = between(x0, x1, Math.min(1, 2 / Math.max(1, buckets)));
  const [low, high] = between(y0, y1, 1 / Math.max(1, bands));
  return { x0: left, x1: right, y0: low, y1: high };
}

/** @param {number} from @param {number} to @param {number} least @returns {[number, number]} */
function between(from, to, least) {
  const size = Math.min(1, Math.max(least, to - from));
  const middle = (from + to) / 2;
  const start = Math.min(1 - size, Math.max(0, size === to - from ? from : middle - size / 2));
  return [start, start + size];
}

/**
 * Larger by `factor`; what is at (`x`, `y`) stays where it is.
 * @param {Span} span
 * @param {number} factor
 * @param {number} x
 * @param {number} y
 * @param {'both' | 'time' | 'keys'} [along]
 * @returns {Span}
 */
export function zoomed({ x0, x1, y0, y1 }, factor, x, y, along = 'both') {
  const across = along === 'keys' ? 1 : factor;
  const up = along === 'time' ? 1 : factor;
  const [wide, high] = [Math.min(1, (x1 - x0) / across), Math.min(1, (y1 - y0) / up)];
  const left = Math.min(1 - wide, Math.max(0, x - ((x - x0) / (x1 - x0)) * wide));
  const low = Math.min(1 - high, Math.max(0, y - ((y - y0) / (y1 - y0)) * high));
  return { x0: left, x1: left + wide, y0: low, y1: low + high };
}

/** @param {Span} span @param {number} x @param {number} y @returns {Span} */
export function moved({ x0, x1, y0, y1 }, x, y) {
  const across = Math.min(1 - x1, Math.max(-x0, x));
  const up = Math.min(1 - y1, Math.max(-y0, y));
  return { x0: x0 + across, x1: x1 + across, y0: y0 + up, y1: y1 + up };
}

/**
 * Moved as little as it takes to show a cell.
 * @param {Span} span
 * @param {import('./bands.js').Bands & { buckets: number }} picture
 * @param {{ band: number, bucket: number }} cell
 */
export function showing(span, picture, { band, bucket }) {
  const { buckets } = picture;
  const lacking = (
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {number} */ first,
    /** @type {number} */ last,
  ) => (first < from ? first - from : last > to ? last - to : 0);
  return moved(
    span,
    lacking(span.x0, span.x1, bucket / buckets, (bucket + 1) / buckets),
    lacking(span.y0, span.y1, placeOf(picture, band), placeOf(picture, band + 1)),
  );
}
