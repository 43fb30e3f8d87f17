import { dated } from '../text/format.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between ticks of fixed length, in milliseconds. */
const FIXED = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14].map((n) => n * DAY),
];
/** Distances between ticks in months. */
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

/**
 * Where to mark a time axis: round moments in UTC, at most `most` of them.
 * @param {number} start milliseconds
 * @param {number} end
 * @param {number} most
 * @returns {{ at: number, label: string }[]}
 */
export function timeTicks(start, end, most) {
  const span = end - start;
  const step = FIXED.find((size) => span / size <= most && span / size <= 60);
  const moments = step ? fixed(start, end, step) : byMonth(start, end, most);
  return moments.map((at, index) => ({ at, label: label(at, moments[index - 1], step ?? 32 * DAY) }));
}

/** @param {number} start @param {number} end @param {number} step */
function fixed(start, end, step) {
  // Weeks count from a Monday; 1970 began on a Thursday.
  const origin = step >= 7 * DAY ? 4 * DAY : 0;
  const moments = [];
  for (let at = Math.ceil((start - origin) / step) * step + origin; at <= end; at += step) moments.push(at);
  return moments;
}

/** @param {number} start @param {number} end @param {number} most */
function byMonth(start, end, most) {
  const step = MONTHS.find((months) => (end - start) / (months * 30.4 * DAY) <= most) ?? 1200;
  const first = new Date(start);
  const moments = [];
  let month = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth()) / step) * step;
  for (;;) {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    if (date.getTime() > end || moments.length > most + 2) return moments;
    if (date.getTime() >= start) moments.push(date.getTime());
    month += step;
  }
}

/**
 * A tick's label: only what changed since the tick before.
 * @param {number} at
 * @param {number | undefined} before
 * @param {number} step
 */
function label(at, before, step) {
  const date = new Date(at);
  const last = before === undefined ? null : new Date(before);
  const year = date.getUTCFullYear();
  const newYear = !last || last.getUTCFullYear() !== year;
  const named = /** @type {Intl.DateTimeFormatOptions} */ ({
    month: 'short',
    ...(newYear && step >= DAY && { year: 'numeric' }),
  });
  if (step > 31 * DAY) return dated(date, named);
  const day = dated(date, { ...named, day: 'numeric' });
  if (step >= DAY) return day;
  const newDay = !last || last.getUTCDate() !== date.getUTCDate();
  const clock = date.toISOString().slice(-13, step >= MINUTE ? -8 : step >= SECOND ? -5 : -1);
  return newDay ? `${day} ${clock}` : clock;
}
