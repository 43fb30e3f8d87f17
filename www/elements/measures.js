import { bytes, count, decimal, percent } from '../format.js';
import { say } from '../text.js';

/** @import { Line } from '../types.d.ts' */

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
  return (FORMATS[unit] ?? (Number.isInteger(value) ? count : decimal))(value);
}
