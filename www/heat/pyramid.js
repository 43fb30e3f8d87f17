import { CODES } from './cell-codes.js';

/**
 * @typedef {object} Level a grid folded to 2^up rows and 2^across columns a cell, by the busiest
 * @property {Uint16Array} codes
 * @property {number} wide
 * @property {number} high
 */

/**
 * Every halving of a grid along either side: what is on show is then a part of a bitmap with no more cells
 * than pixels, and the busiest cell is never left out. Levels and their bitmaps are made when they are first
 * drawn.
 */
export class Pyramid {
  /** @type {Map<string, Level>} */
  #levels = new Map();
  /** @type {Map<string, HTMLCanvasElement>} */
  #bitmaps = new Map();
  /** @type {Uint32Array} */
  #colours = new Uint32Array(CODES);

  /**
   * @param {Uint16Array} codes
   * @param {number} bands
   * @param {number} buckets
   * @param {number} [low] where the bands begin and end among all keys, from 0 to 1
   * @param {number} [high]
   */
  constructor(codes, bands, buckets, low = 0, high = 1) {
    this.#levels.set('0 0', { codes, wide: buckets, high: bands });
    this.bands = bands;
    this.buckets = buckets;
    this.low = low;
    this.high = high;
  }

  /** Gives every code its colour. @param {Uint32Array} colours as a canvas has its pixels */
  paintWith(colours) {
    if (colours === this.#colours) return;
    this.#colours = colours;
    this.#bitmaps.clear();
  }

  /**
   * @param {number} up halvings of the bands
   * @param {number} across halvings of the buckets
   * @returns {Level}
   */
  level(up, across) {
    const key = `${up} ${across}`;
    let level = this.#levels.get(key);
    if (!level) {
      level = across ? halvedAcross(this.level(up, across - 1)) : halvedUp(this.level(up - 1, 0));
      this.#levels.set(key, level);
    }
    return level;
  }

  /** A level as pixels, the first band lowest. @param {number} up @param {number} across */
  bitmap(up, across) {
    const key = `${up} ${across}`;
    const made = this.#bitmaps.get(key);
    if (made) return made;
    const { codes, wide, high } = this.level(up, across);
    const image = new ImageData(wide, high);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = this.#colours;
    for (let row = 0; row < high; row++) {
      const from = row * wide;
      const to = (high - 1 - row) * wide;
      for (let column = 0; column < wide; column++) pixels[to + column] = colours[codes[from + column]];
    }
    const bitmap = document.createElement('canvas');
    bitmap.width = wide;
    bitmap.height = high;
    bitmap.getContext('2d')?.putImageData(image, 0, 0);
    this.#bitmaps.set(key, bitmap);
    return bitmap;
  }

  /**
   * The bitmap that shows `span` with no more cells than pixels, and the part of it to draw.
   * @param {import('./viewport.js').Span} span
   * @param {number} wide pixels
   * @param {number} high
   */
  cut({ x0, x1, ...keys }, wide, high) {
    const [y0, y1] = [keys.y0, keys.y1].map((key) => (key - this.low) / (this.high - this.low));
    const across = halvings((x1 - x0) * this.buckets, wide);
    const up = halvings((y1 - y0) * this.bands, high);
    const bitmap = this.bitmap(up, across);
    const columns = this.buckets / 2 ** across;
    const rows = this.bands / 2 ** up;
    // The last row of a level may stand for fewer bands than the others.
    const top = bitmap.height - y1 * rows;
    return { bitmap, x: x0 * columns, y: top, wide: (x1 - x0) * columns, high: (y1 - y0) * rows };
  }
}

/** How often `cells` must be halved to be at most `pixels`. @param {number} cells @param {number} pixels */
const halvings = (cells, pixels) => Math.max(0, Math.ceil(Math.log2(cells / Math.max(1, pixels)) - 1e-9));

/** @param {Level} level @returns {Level} */
function halvedAcross({ codes, wide, high }) {
  const half = (wide + 1) >> 1;
  const folded = new Uint16Array(half * high);
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < half; column++) {
      const at = row * wide + 2 * column;
      const other = 2 * column + 1 < wide ? codes[at + 1] : 0;
      folded[row * half + column] = codes[at] > other ? codes[at] : other;
    }
  }
  return { codes: folded, wide: half, high };
}

/** @param {Level} level @returns {Level} */
function halvedUp({ codes, wide, high }) {
  const half = (high + 1) >> 1;
  const folded = new Uint16Array(wide * half);
  for (let row = 0; row < half; row++) {
    const one = 2 * row * wide;
    const two = 2 * row + 1 < high ? one + wide : one;
    for (let column = 0; column < wide; column++) {
      const [a, b] = [codes[one + column], codes[two + column]];
      folded[row * wide + column] = a > b ? a : b;
    }
  }
  return { codes: folded, wide, high: half };
}
