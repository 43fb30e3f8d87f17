import { count, percent } from './format.js';
import { say } from './text.js';

/** @import { Figure, View } from './types.d.ts' */

/** Half width of the 95% interval of a normal distribution, in standard deviations. */
const DEVIATIONS = 1.96;

/**
 * The share of all items that have a property, when `have` of `sampled` items drawn by chance have it (Wilson's interval),
 * as `Estimate::share` of the core has it.
 * @param {number} have
 * @param {number} sampled
 * @param {number} [deviations] that it may be off
 * @returns {Figure}
 */
export function shareOf(have, sampled, deviations = DEVIATIONS) {
  if (!sampled) return { value: 0, low: 0, high: 1 };
  const square = deviations * deviations;
  const value = have / sampled;
  const middle = (have + square / 2) / (sampled + square);
  const half = (deviations / (sampled + square)) * Math.sqrt(have * (1 - value) + square / 4);
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * The largest share of several. Chance lifts the largest of a sample the more, the more there are: the largest of n normal
 * deviates lies near √(2 ln n).
 * @param {number} have
 * @param {number} sampled
 * @param {number} among how many
 */
export const largestOf = (have, sampled, among) =>
  shareOf(have, sampled, DEVIATIONS + Math.sqrt(2 * Math.log(Math.max(1, among))));

/** The sample that the figures of a report are estimated from; null where all rows were counted. @param {View | null} view */
export const sampleOf = (view) => (view?.sample && !view.sample.exact ? view.sample : null);

/**
 * Rows of all rows, when so many were reckoned from a sample.
 * @param {number} rows
 * @param {{ rows: number, of: number }} sample
 * @returns {Figure}
 */
export function rowsOf(rows, sample) {
  const { value, low, high } = shareOf((rows / sample.of) * sample.rows, sample.rows);
  return { value: value * sample.of, low: low * sample.of, high: high * sample.of };
}

/** A figure to no more digits than its interval knows. @param {Figure} figure @returns {Figure} */
export function rounded({ value, low, high }) {
  if (low >= high) return { value, low, high };
  const step = 10 ** Math.max(0, Math.floor(Math.log10((high - low) / 2)));
  const to = (/** @type {number} */ of, /** @type {(of: number) => number} */ way) => way(of / step) * step;
  return { value: to(value, Math.round), low: to(low, Math.floor), high: to(high, Math.ceil) };
}

/** A figure in words: plain when it was counted, else "about" and between which figures it lies. @param {Figure} figure */
export function figureText(figure) {
  const { value, low, high } = rounded(figure);
  if (figure.low === figure.high) return count(value);
  return say('page.about-between', { about: count(value), low: count(low), high: count(high) });
}

/** A share in words. @param {Figure} share */
export function shareText({ value, low, high }) {
  if (low === high) return percent(value);
  const tenths = (/** @type {number} */ of, /** @type {(of: number) => number} */ way) =>
    way(of * 1000) / 1000;
  return say('page.about-between', {
    about: percent(value),
    low: percent(tenths(low, Math.floor)),
    high: percent(tenths(high, Math.ceil)),
  });
}

/** What is meant by "between". */
export const intervalHelp = () => say('page.about-help');

/** By how many percentage points a share of a sample may be off, 19 times of 20. @param {number} rows of the sample */
export const offBy = (rows) => (98 / Math.sqrt(Math.max(1, rows))).toFixed(1);

/** What is said of a sample. @param {{ rows: number, of: number }} sample */
export const sampledAs = ({ rows, of }) => ({ sample: count(rows), rows: count(of), off: offBy(rows) });
