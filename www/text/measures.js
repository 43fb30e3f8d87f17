import { figureText } from './estimate.js';
import { bytes, count, decimal, percent } from './format.js';
import { say } from './sentences.js';

/** @import { Line, Moves } from '../types.d.ts' */

/** @type {Partial<Record<Line['unit'], (value: number) => string>>} */
const FORMATS = {
  share: percent,
  bytes,
  times: (value) => value.toFixed(2),
  queries: (value) => say(value ? 'page.yes' : 'page.no'),
};

/** A figure of a measure, as it is read. @param {Line['unit']} unit @param {number | null | undefined} value */
export function measured(unit, value) {
  if (value === null || value === undefined) return '–';
  const whole = unit === 'rows' || Number.isInteger(value);
  return (FORMATS[unit] ?? (whole ? count : decimal))(unit === 'rows' ? Math.round(value) : value);
}

/**
 * Between which figures the truth lies, in words; empty where the figure was counted.
 * @param {Line['unit']} unit
 * @param {[number, number] | null | undefined} between
 */
export function measuredBetween(unit, between) {
  if (!between) return '';
  const [low, high] = between.map((end) => measured(unit, end));
  return low === high ? '' : say('page.between', { low, high });
}

/** How many rows move, in words. @param {Moves} moves */
export function movesText({ rows, rewritten, moved, leastMoved, between }) {
  const figure = (/** @type {number} */ value, /** @type {number} */ at) => {
    const [low, high] = between?.[at] ?? [value, value];
    return figureText({ value, low, high });
  };
  const least = leastMoved === null ? figure(moved, 1) : figure(leastMoved, 2);
  return say('page.compare-moves', { rewritten: figure(rewritten, 0), rows: count(rows), moved: least });
}
