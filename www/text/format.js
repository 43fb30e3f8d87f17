import { MILLISECONDS_PER_DAY } from './units.js';

let locale = 'en-US';
let whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
let short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
let tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Writes figures and times as a language does from here on. @param {string} language */
export function formatAs(language) {
  locale = language === 'en' ? 'en-US' : language;
  whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * A moment in UTC in the parts asked for, as the language on show writes it.
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} parts
 */
export const dated = (date, parts) =>
  new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(date);

/** @param {number} value */
export const count = (value) => whole.format(value);

/** At most five characters. @param {number} value */
export const compact = (value) => (value < 10_000 ? whole.format(value) : short.format(value));

/** Suffixes for a thousand, a million and so on in typed numbers. */
const POWERS = /** @type {Record<string, number>} */ ({ '': 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9, t: 1e12 });

/**
 * A figure as a person writes it: `1,000,000`, `1e6`, `1M`; the text itself when it is none.
 * @param {string} text
 */
export function figureIn(text) {
  const [, digits, power] = /^([\d.]+(?:e\d+)?)([kmgbt]?)$/i.exec(text.replace(/[\s,_]/g, '')) ?? [];
  const figure = Number(digits) * (POWERS[power?.toLowerCase() ?? ''] ?? 1);
  return Number.isFinite(figure) ? figure : text;
}

/** One decimal. @param {number} value */
export const decimal = (value) => (Number.isFinite(value) ? tenth.format(Math.round(value * 10) / 10) : '–');

/** With one decimal unless that is zero, as the core writes shares. @param {number} part from 0 to 1 */
export function percent(part) {
  if (!Number.isFinite(part)) return '–';
  if (part > 0 && part < 0.001) return '<0.1%';
  if (part < 1 && part >= 0.9995) return '>99.9%';
  const tenths = Math.round(part * 1000) / 10;
  return `${Number.isInteger(tenths) ? tenths : tenth.format(tenths)}%`;
}

/** Bytes in the binary unit that suits, the only ones HBase has. @param {number} size */
export function bytes(size) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let value = size;
  // A figure that would be printed as 1024 is one of the next unit.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? whole.format(value) : tenth.format(value)}\u00a0${units[unit]}`;
}

/**
 * Units of time in milliseconds, with the sign that the core writes and the name that `Intl` knows.
 * @type {[size: number, sign: string, unit: string][]}
 */
const TIMES = [
  [MILLISECONDS_PER_DAY, 'd', 'day'],
  [3_600_000, 'h', 'hour'],
  [60_000, 'min', 'minute'],
  [1000, 's', 'second'],
  [1, 'ms', 'millisecond'],
];

/** @param {number} value @param {string} sign @param {string} unit */
function timed(value, sign, unit) {
  if (locale === 'en-US') return `${Number.isInteger(value) ? value : tenth.format(value)} ${sign}`;
  const style = /** @type {const} */ ({ style: 'unit', unitDisplay: 'short', maximumFractionDigits: 1 });
  const text = new Intl.NumberFormat(locale, { ...style, unit }).format(value);
  // Chinese sentences have a space between a figure and its unit; Intl has none.
  return text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const [size, sign, unit] = TIMES.find(([least]) => milliseconds >= least) ?? [1, 'ms', 'millisecond'];
  return timed(milliseconds / size, sign, unit);
}

/**
 * A time as the core writes it, such as `10 min`, in the language of the page; other texts unchanged.
 * @param {string} text
 */
export function timeOf(text) {
  const [, value, found] = /^(\d+) ([a-z]+)$/.exec(text) ?? [];
  const known = TIMES.find(([, sign]) => sign === found);
  return known ? timed(Number(value), known[1], known[2]) : text;
}

/**
 * A moment in UTC, to the unit that `step` needs.
 * @param {number} milliseconds since 1970
 * @param {number} [step] milliseconds
 */
export function moment(milliseconds, step = 1) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return '–';
  const text = date.toISOString().replace('T', ' ').replace('Z', '');
  const day = text.length - 13;
  if (step >= MILLISECONDS_PER_DAY) return text.slice(0, day);
  if (step >= 60_000) return text.slice(0, day + 6);
  return step >= 1000 ? text.slice(0, day + 9) : text;
}
