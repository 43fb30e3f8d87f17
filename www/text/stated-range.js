/** @import { FieldType, StatedRange } from '../types.d.ts' */

/** Characters of a date, and most of another value. */
const DATE = 10;
const MOST = 14;

/**
 * The least and the most of a field in short, as its file states them; empty where it does not.
 * @param {StatedRange | undefined} range
 * @param {FieldType} type
 */
export function shortRange({ least, most } = {}, type) {
  if (least === undefined || most === undefined) return '';
  if (least === most) return cut(least, MOST);
  const days = [least, most].map((value) => value.slice(0, DATE));
  const dates = type === 'time' && days.every((day) => /^\d{4}-\d\d-\d\d$/.test(day));
  if (dates) return days[0] === days[1] ? days[0] : days.join(' – ');
  return [least, most].map((value) => cut(value, MOST)).join(' – ');
}

/** @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
