import { count, decimal, percent } from './format.js';
import { say } from './sentences.js';

/** @import { Figure, View } from '../types.d.ts' */

/** Half width of the 95% interval of a normal distribution, in standard deviations. */
const DEVIATIONS = 1.96;

/**
 * The share of all items that have a property, when `have` of `sampled` items drawn by chance have it
 * (Wilson's interval), as `Estimate::share` of the core has it.
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
 * The largest share of several. Chance lifts the largest of a sample the more, the more there are: the
 * largest of n normal deviates lies near √(2 ln n).
 * @param {number} have
 * @param {number} sampled
 * @param {number} among how many
 */
export const largestOf = (have, sampled, among) =>
  shareOf(have, sampled, DEVIATIONS + Math.sqrt(2 * Math.log(Math.max(1, among))));

/**
 * The sample that the figures of a report are estimated from; null where all rows were counted.
 * @param {View | null} view
 */
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

/**
 * The effective number of regions that all rows of a moment lie in, when a sample of them was counted: one
 * over the chance that two of its rows lie in one region, since squared shares call a row its own neighbour.
 * The error is the first-order term of that chance's, for which no region's share is taken to be over the
 * largest.
 * @param {{ effective: number, largestShare: number, rows: number }} moment of the sample: one over the sum of squared
 *   shares, the share of the largest region, rows
 * @param {number} regions of the table
 * @returns {Figure}
 */
export function effectiveOf({ effective, largestShare, rows }, regions) {
  const within = (/** @type {number} */ chance) => Math.min(regions, Math.max(1, 1 / Math.max(0, chance)));
  if (!(rows > 1)) return { value: effective, low: 1, high: regions };
  const chance = Math.max(0, (rows / effective - 1) / (rows - 1));
  // Where no two rows share a region, as many pairs as one more row would make could have.
  const seen = Math.max(chance, 2 / (rows * rows));
  const added = (4 / rows) * Math.max(0, largestShare * seen - seen * seen);
  const off = DEVIATIONS * Math.sqrt(added + (2 * seen) / (rows * rows));
  return { value: within(chance), low: within(chance + off), high: within(chance - off) };
}

/**
 * The same of a bucket of a report, in words.
 * @param {View['moments']} moments
 * @param {number} bucket
 * @param {{ rows: number, of: number } | null} sample that the report was made from
 * @param {number} regions
 */
export function effectiveText({ rows, effective, largestShare }, bucket, sample, regions) {
  if (!sample || !(rows[bucket] > 0)) return decimal(effective[bucket]);
  const { value, low, high } = effectiveOf(
    {
      effective: effective[bucket],
      largestShare: largestShare[bucket],
      rows: (rows[bucket] / sample.of) * sample.rows,
    },
    regions,
  );
  return say('page.about-between', { about: decimal(value), low: decimal(low), high: decimal(high) });
}

/** A figure to no more digits than its interval knows. @param {Figure} figure @returns {Figure} */
export function rounded({ value, low, high }) {
  if (low >= high) return { value, low, high };
  const step = 10 ** Math.max(0, Math.floor(Math.log10((high - low) / 2)));
  const to = (/** @type {number} */ of, /** @type {(of: number) => number} */ way) => way(of / step) * step;
  return { value: to(value, Math.round), low: to(low, Math.floor), high: to(high, Math.ceil) };
}

/**
 * A figure in words: plain when it was counted, else "about" and between which figures it lies.
 * @param {Figure} figure
 */
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

/** Help that explains intervals given as "between". */
export const intervalHelp = () => say('page.about-help');

/**
 * By how many percentage points a share of a sample may be off, 19 times of 20.
 * @param {number} rows of the sample
 */
export const offBy = (rows) => (98 / Math.sqrt(Math.max(1, rows))).toFixed(1);

/** Sentence arguments that describe a sample. @param {{ rows: number, of: number }} sample */
export const sampledAs = ({ rows, of }) => ({ sample: count(rows), rows: count(of), off: offBy(rows) });
