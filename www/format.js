const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const tenth = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} value */
export const count = (value) => whole.format(value);

/** At most five characters. @param {number} value */
export const compact = (value) => (value < 10_000 ? whole.format(value) : short.format(value));

/** What stands for a thousand, a million ... in a figure that a person writes. */
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
export const decimal = (value) => (Number.isFinite(value) ? tenth.format(value) : '–');

/** @param {number} part from 0 to 1 */
export function percent(part) {
  if (!Number.isFinite(part)) return '–';
  if (part > 0 && part < 0.001) return '<0.1%';
  return `${part === 0 || part === 1 ? part * 100 : tenth.format(part * 100)}%`;
}

/** @param {number} size in bytes */
export function bytes(size) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let value = size;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? whole.format(value) : tenth.format(value)}\u00a0${units[unit]}`;
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const units = /** @type {const} */ ([
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ]);
  const [size, name] = units.find(([unit]) => milliseconds >= unit) ?? [1, 'ms'];
  const value = milliseconds / size;
  return `${Number.isInteger(value) ? value : tenth.format(value)} ${name}`;
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
  if (step >= 86_400_000) return text.slice(0, day);
  if (step >= 60_000) return text.slice(0, day + 6);
  return step >= 1000 ? text.slice(0, day + 9) : text;
}
