/** @import { Metric } from '../types.d.ts' */

/** Codes there are: 0 for nothing, the others evenly over the logarithm. */
export const CODES = 2 ** 16;

/**
 * The value that counts as "one" on the scale of each metric, as a share of its unit.
 * @type {Record<Metric, number>}
 */
export const ONE = { even: 16, rows: 1, bytes: 1 / 64, share: 1000, reads: 1, writes: 1 };

/** Metrics that are shares: they do not add up, so the margins of their pictures count rows. @type {Set<Metric>} */
const SHARES = new Set(['even', 'share']);
/** The least and the most times an even share that the scale ends at. */
const EVEN_ENDS = { least: 4, most: 8 };

/** True if the cells of a metric are shares. @param {Metric} metric */
export const isShare = (metric) => SHARES.has(metric);

/**
 * The end of the scale of even shares. It hangs on the regions alone: that one of few takes all is as strong as that
 * one of many does.
 * @param {number} regions
 */
export const evenEnd = (regions) => Math.max(EVEN_ENDS.least, Math.min(EVEN_ENDS.most, regions));

/** The unit that the cells of a metric add up to. @param {Metric} metric */
export const unitOf = (metric) => (isShare(metric) ? 'rows' : metric);

/** True if the margins of a picture count rows: shares do not add up. @param {Metric} metric */
export const isOfRows = (metric) => metric === 'rows' || isShare(metric);

/**
 * Cells as codes from which any brightness, linear or logarithmic, is coloured by looking it up: a logarithm
 * a cell is too slow for a frame. More is never a smaller code.
 * @param {ArrayLike<number>} cells
 * @param {number} most the largest of them
 * @param {number} one factor that makes the least worth telling apart 1
 */
export function codesOf(cells, most, one) {
  const codes = new Uint16Array(cells.length);
  const factor = (CODES - 2) / Math.log1p(Math.max(most * one, Number.MIN_VALUE));
  for (let at = 0; at < codes.length; at++) {
    const value = cells[at];
    if (value > 0) codes[at] = 1 + Math.round(Math.log1p(value * one) * factor);
  }
  return codes;
}

/** The largest of them. @param {ArrayLike<number>} cells */
export function mostOf(cells) {
  let most = 0;
  for (let at = 0; at < cells.length; at++) if (cells[at] > most) most = cells[at];
  return most;
}

/**
 * The value that each code represents.
 * @param {number} most
 * @param {number} one
 */
export function valuesOf(most, one) {
  const values = new Float64Array(CODES);
  const factor = Math.log1p(Math.max(most * one, Number.MIN_VALUE)) / (CODES - 2);
  for (let code = 1; code < CODES; code++) values[code] = Math.expm1((code - 1) * factor) / one;
  return values;
}
