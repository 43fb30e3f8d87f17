import { figureText } from './estimate.js';
import { bytes, count, decimal, percent } from './format.js';
import { oneAfterAnother, say } from './sentences.js';

/** @import { Line, Moves, Side } from '../types.d.ts' */

/** @type {Partial<Record<Line['unit'], (value: number) => string>>} */
const FORMATS = {
  share: percent,
  bytes,
  times: (value) => (value < 100 ? value.toFixed(2) : count(Math.round(value))),
  queries: (value) => say(value ? 'page.yes' : 'page.no'),
};

/**
 * A figure of a measure, as it is read.
 * @param {Line['unit']} unit
 * @param {number | null | undefined} value
 */
export function measured(unit, value) {
  if (value === null || value === undefined) return '–';
  const whole = unit === 'rows' || unit === 'cells' || Number.isInteger(value);
  return (FORMATS[unit] ?? (whole ? count : decimal))(whole ? Math.round(value) : value);
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

/**
 * How a design differs from the first in what matters most, in words.
 * @param {Side} side
 * @param {string} name
 * @param {string} base name of the first
 * @param {boolean} equalShares whether regions are equal shares of the records, which are those of no table
 */
export function sideText({ leading, moves }, name, base, equalShares) {
  const figures = leading.map(({ query, code, unit, ...ends }) => {
    const [now, before] = [ends.now, ends.before].map((value) => measured(unit, value));
    const figure = { what: say(code), now, before };
    return query === null
      ? say('page.compare-figure', figure)
      : say('page.compare-figure-query', { ...figure, query });
  });
  const sentence = figures.length
    ? say('page.compare-sentence', { name, base, figures: oneAfterAnother(figures) })
    : say('page.compare-alike', { name, base });
  return moves ? `${sentence} ${movesText(moves, equalShares)}` : sentence;
}

/**
 * How many rows move, in words.
 * @param {Moves} moves
 * @param {boolean} [keysOnly] where regions are not those of a table
 */
export function movesText({ rows, rewritten, moved, leastMoved, between }, keysOnly = false) {
  const figure = (/** @type {number} */ value, /** @type {number} */ at) => {
    const [low, high] = between?.[at] ?? [value, value];
    return figureText({ value, low, high });
  };
  if (keysOnly) return say('page.compare-rewritten', { rewritten: figure(rewritten, 0), rows: count(rows) });
  const least = leastMoved === null ? figure(moved, 1) : figure(leastMoved, 2);
  return say('page.compare-moves', { rewritten: figure(rewritten, 0), rows: count(rows), moved: least });
}
