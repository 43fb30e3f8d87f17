/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ width: number, height: number, plot: Box, byTime: Box, byRegion: Box, share: Box, axisY: number, keys: number }} Layout
 */

const GAP = 8;

/**
 * Where the parts of the figure lie, in CSS pixels: rows per moment above the plot, rows per region to its right,
 * the largest share of each moment below it, start keys to its left.
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
export function layoutOf(width, height) {
  const narrow = width < 560;
  const keys = narrow ? 64 : Math.min(208, Math.round(width * 0.17));
  const right = narrow ? 40 : 96;
  const above = narrow ? 32 : 44;
  const below = narrow ? 48 : 60;
  const axis = 28;
  const x = keys;
  const inner = Math.max(40, width - keys - right - GAP);
  const y = above + GAP + 14;
  const tall = Math.max(60, height - y - axis - below - 24);
  const plot = { x, y, width: inner, height: tall };
  return {
    width,
    height,
    keys,
    plot,
    byTime: { x, y: 14, width: inner, height: above },
    byRegion: { x: x + inner + GAP, y, width: right - GAP, height: tall },
    axisY: y + tall,
    share: { x, y: y + tall + axis + 22, width: inner, height: below },
  };
}

/**
 * The cell under a point of the plot; null outside. Band 0 is at the bottom: keys rise upwards.
 * @param {Layout} layout
 * @param {{ bands: number, buckets: number }} picture
 * @param {number} x
 * @param {number} y
 */
export function cellAt({ plot }, { bands, buckets }, x, y) {
  const across = (x - plot.x) / plot.width;
  const up = 1 - (y - plot.y) / plot.height;
  if (across < 0 || across >= 1 || up < 0 || up >= 1 || !bands || !buckets) return null;
  return {
    band: Math.min(bands - 1, Math.floor(up * bands)),
    bucket: Math.min(buckets - 1, Math.floor(across * buckets)),
  };
}

/**
 * @param {Layout} layout
 * @param {{ bands: number, buckets: number }} picture
 * @param {{ band: number, bucket: number }} cell
 * @returns {Box}
 */
export function boxOf({ plot }, { bands, buckets }, { band, bucket }) {
  const width = plot.width / buckets;
  const height = plot.height / bands;
  return { x: plot.x + bucket * width, y: plot.y + plot.height - (band + 1) * height, width, height };
}
