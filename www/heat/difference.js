/** @import { Sheet } from '../types.d.ts' */

/** Most lines of a picture of two designs. */
const MOST_LINES = 240;

/**
 * Two designs on the same lines and moments: of each cell the rows of the region that lies there. A line is a
 * place among the regions in key order, for the keys themselves are others.
 * @typedef {object} Pair
 * @property {number} lines
 * @property {number} moments
 * @property {Float64Array} one line after line, lowest keys first
 * @property {Float64Array} other
 * @property {number} most rows of the busiest cell of both: their common scale
 */

/**
 * @param {Sheet} one
 * @param {Sheet} other
 * @returns {Pair}
 */
export function pairOf(one, other) {
  const [a, b] = [one.picture.bands, other.picture.bands];
  const common = (a * b) / divisor(a, b);
  const lines = common <= MOST_LINES ? common : Math.min(MOST_LINES, Math.max(a, b));
  const moments = one.picture.buckets;
  const [first, second] = [one, other].map((sheet) => spread(sheet, lines, one));
  let most = 0;
  for (const cells of [first, second]) for (const rows of cells) if (rows > most) most = rows;
  return { lines, moments, one: first, other: second, most };
}

/**
 * How many times an even share of its moment each cell has. One row is added to each line, as in the large picture: a
 * few rows at night are no hotspot.
 * @param {Float64Array} cells of one of the designs
 * @param {Pick<Pair, 'lines' | 'moments'>} of
 */
export function evenTimes(cells, { lines, moments }) {
  const sums = new Float64Array(moments);
  for (const [at, rows] of cells.entries()) sums[at % moments] += rows;
  return cells.map((rows, at) => rows && (rows + 1) / (sums[at % moments] / lines + 1));
}

/**
 * The cells of a sheet on so many lines, in the moments of another; of several regions on a line the busiest.
 * @param {Sheet} sheet
 * @param {number} lines
 * @param {Sheet} of
 */
function spread({ picture, time }, lines, of) {
  const { bands, buckets, peak } = picture;
  const moments = of.picture.buckets;
  const cells = new Float64Array(lines * moments);
  const bucketOf = (/** @type {number} */ moment) => {
    if (!time || !of.time) return moment < buckets ? moment : -1;
    return Math.floor((of.time.start + (moment + 0.5) * of.time.step - time.start) / time.step);
  };
  const from = Array.from({ length: moments }, (_, moment) => bucketOf(moment));
  for (let line = 0; line < lines; line++) {
    const last = Math.max(Math.floor((line * bands) / lines) + 1, Math.ceil(((line + 1) * bands) / lines));
    for (let band = Math.floor((line * bands) / lines); band < last; band++) {
      for (let moment = 0; moment < moments; moment++) {
        const bucket = from[moment];
        if (bucket < 0 || bucket >= buckets) continue;
        const at = line * moments + moment;
        cells[at] = Math.max(cells[at], peak[band * buckets + bucket]);
      }
    }
  }
  return cells;
}

/** @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b ? divisor(b, a % b) : Math.max(1, a));

/**
 * The level of a difference: 128 for none, 0 and 255 for as many rows fewer or more as the busiest cell has.
 * @param {number} rows
 * @param {number} most
 */
export function levelOfChange(rows, most) {
  if (!rows) return 128;
  const part = Math.log1p(Math.abs(rows)) / Math.log1p(Math.max(1, most));
  const far = Math.max(1, Math.min(127, Math.round(part * 127)));
  return rows < 0 ? 128 - far : 128 + far;
}

/**
 * Cells as pixels, the last line on top.
 * @param {HTMLCanvasElement} canvas
 * @param {Pair} pair
 * @param {(at: number) => number} level
 * @param {Uint32Array} colours of each level
 */
export function paintCells(canvas, { lines, moments }, level, colours) {
  canvas.width = moments;
  canvas.height = lines;
  const image = new ImageData(moments, lines);
  const pixels = new Uint32Array(image.data.buffer);
  for (let line = 0; line < lines; line++) {
    for (let moment = 0; moment < moments; moment++) {
      pixels[(lines - 1 - line) * moments + moment] = colours[level(line * moments + moment)];
    }
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}
