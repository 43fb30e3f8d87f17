/**
 * Colours from no rows to most rows, in order of lightness, so that they read the same to colour-blind eyes and in print.
 * The first stop is for no rows at all; the second is the least that one row gets.
 */
const STOPS = {
  dark: ['#14171b', '#3b1259', '#6a1a6d', '#9b2964', '#c83e4d', '#ea632b', '#fa9a1c', '#f7d44c', '#fcfcb0'],
  light: ['#ffffff', '#fdeebb', '#fbcf74', '#f6a24a', '#e8703f', '#cb4354', '#9a2a6c', '#611c73', '#270b4a'],
};
const LEVELS = 256;

/** @typedef {'light' | 'dark'} Scheme */

/** @type {Partial<Record<Scheme, Uint8ClampedArray>>} */
const tables = {};

/**
 * Red, green and blue of each level.
 * @param {Scheme} scheme
 */
export function colours(scheme) {
  tables[scheme] ??= spread(STOPS[scheme].map(parse));
  return tables[scheme];
}

/** @param {Scheme} scheme @param {number} level */
export function css(scheme, level) {
  const table = colours(scheme);
  return `rgb(${table[level * 3]} ${table[level * 3 + 1]} ${table[level * 3 + 2]})`;
}

/**
 * The level of a cell on the symmetric-log scale: 0 for none, 255 from `most / gain` rows on.
 * @param {number} rows
 * @param {number} most rows of the busiest cell
 * @param {number} gain brightness
 */
export function level(rows, most, gain = 1) {
  if (rows <= 0) return 0;
  const part = Math.log1p(rows) / Math.log1p(Math.max(1, most / gain));
  return Math.max(1, Math.min(LEVELS - 1, Math.round(part * (LEVELS - 1))));
}

/** @param {number[][]} stops */
function spread(stops) {
  const table = new Uint8ClampedArray(LEVELS * 3);
  const [none, ...some] = stops;
  table.set(none, 0);
  for (let at = 1; at < LEVELS; at++) {
    const place = ((at - 1) / (LEVELS - 2)) * (some.length - 1);
    const index = Math.min(Math.floor(place), some.length - 2);
    const [from, to] = [some[index], some[index + 1]];
    table.set(
      from.map((channel, i) => channel + (to[i] - channel) * (place - index)),
      at * 3,
    );
  }
  return table;
}

/** @param {string} hex */
function parse(hex) {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}
