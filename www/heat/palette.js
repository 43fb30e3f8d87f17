import { CODES } from './cell-codes.js';

/**
 * Colours from no rows to most rows, in order of lightness, so that they read the same to colour-blind eyes
 * and in print. The first stop is for no rows at all; the second is the least that one row gets.
 */
const STOPS = {
  dark: ['#14171b', '#3b1259', '#71207a', '#9b2964', '#c83e4d', '#ea632b', '#fa9a1c', '#f7d44c', '#fcfcb0'],
  light: ['#ffffff', '#fdeebb', '#fbcf74', '#f6a24a', '#e8703f', '#cb4354', '#9a2a6c', '#611c73', '#270b4a'],
};
const LEVELS = 256;
/**
 * From far less to far more: apart for all kinds of colour blindness, and paler or darker towards the middle.
 */
const DIVERGING = {
  dark: ['#7fd0ff', '#3391cf', '#1d5b86', '#163248', '#14171b', '#43290f', '#7f4a12', '#cf7b1c', '#ffc06b'],
  light: ['#053a66', '#1c6ea4', '#63a6d1', '#bcd9ea', '#ffffff', '#fbd9b0', '#f0a355', '#c7660f', '#7a3500'],
};

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
  fill(table, 1, LEVELS, some);
  return table;
}

/**
 * Colours between stops.
 * @param {Uint8ClampedArray} table
 * @param {number} from
 * @param {number} to
 * @param {number[][]} stops
 */
function fill(table, from, to, stops) {
  for (let at = from; at < to; at++) {
    const place = ((at - from) / (to - 1 - from)) * (stops.length - 1);
    const index = Math.min(Math.floor(place), stops.length - 2);
    const [low, high] = [stops[index], stops[index + 1]];
    table.set(
      low.map((channel, i) => channel + (high[i] - channel) * (place - index)),
      at * 3,
    );
  }
}

/** Part of the scale below an even share, however far the scale goes: few regions can't take many times of it. */
const EVEN = 1 / 8;

/**
 * The place of a value of a picture's cells on the scale, from 0 to 1.
 * @param {Scale} scale
 * @param {{ gain: number, linear: boolean }} brightness
 * @returns {(value: number) => number} more than 1 beyond the end
 */
export function partsOf({ metric, top, one }, { gain, linear }) {
  if (!linear) {
    const whole = Math.log1p(Math.max(Math.min(1, top * one), (top * one) / gain));
    return (value) => Math.log1p(value * one) / whole;
  }
  if (metric !== 'even') return (value) => (value * gain) / Math.max(Number.MIN_VALUE, top);
  return (value) => {
    const times = value * gain;
    return times <= 1 ? times * EVEN : EVEN + ((times - 1) / (top - 1)) * (1 - EVEN);
  };
}

/** @typedef {{ metric?: string, top: number, one: number }} Scale of a picture */

/**
 * The colour of each code of a picture, as a canvas has its pixels: 0 for none, the last from `top / gain`
 * on.
 * @param {Scale} picture
 * @param {Scheme} scheme
 * @param {{ gain: number, linear: boolean }} brightness
 */
export function coloursOfCodes(picture, scheme, brightness) {
  const pixels = pixelsOf(colours(scheme));
  const all = new Uint32Array(CODES);
  const whole = Math.log1p(picture.top * picture.one);
  const part = partsOf(picture, brightness);
  all[0] = pixels[0];
  for (let code = 1; code < CODES; code++) {
    const value = Math.expm1(((code - 1) / (CODES - 2)) * whole) / picture.one;
    const at = Math.round(part(value) * (LEVELS - 1));
    all[code] = pixels[Math.max(1, Math.min(LEVELS - 1, at))];
  }
  return all;
}

/**
 * The colours from far less to far more, as a canvas has its pixels; nothing changed is in the middle.
 * @param {Scheme} scheme
 */
export function divergingColours(scheme) {
  const table = new Uint8ClampedArray(LEVELS * 3);
  fill(table, 0, LEVELS, DIVERGING[scheme].map(parse));
  return table;
}

/** Red, green and blue, three after three, as a canvas has its pixels. @param {Uint8ClampedArray} table */
export function pixelsOf(table) {
  const bytes = new Uint8ClampedArray((table.length / 3) * 4);
  for (let at = 0; at < table.length / 3; at++) {
    bytes.set(table.subarray(at * 3, at * 3 + 3), at * 4);
    bytes[at * 4 + 3] = 255;
  }
  return new Uint32Array(bytes.buffer);
}

/** @param {string} hex */
function parse(hex) {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** Pixels of a pattern that are drawn: colour is never the only sign. */
const HATCH = { size: 8, drawn: (/** @type {number} */ at) => at % 8 === 0 };
const STRIPES = { size: 4, drawn: (/** @type {number} */ at) => at % 4 < 2 };

/**
 * Patterns for regions without rows and for regions with many more rows than others.
 * @param {CanvasRenderingContext2D} pen
 * @param {{ bar: string, ink: string }} colours
 */
export function patternsOf(pen, { bar, ink }) {
  return { hatch: pattern(pen, bar, HATCH) ?? bar, stripes: pattern(pen, ink, STRIPES) ?? ink };
}

/** @param {CanvasRenderingContext2D} pen @param {string} colour @param {typeof HATCH} what */
function pattern(pen, colour, { size, drawn }) {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const draw = tile.getContext('2d');
  if (!draw) return null;
  draw.fillStyle = colour;
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) if (drawn(x + y)) draw.fillRect(x, y, 1, 1);
  }
  return pen.createPattern(tile, 'repeat');
}
