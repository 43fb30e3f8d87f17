/** @import { Picture } from '../types.d.ts' */
/** @import { Layout } from './layout.js' */
/** @import { Look } from './paint.js' */

/** Width of the marks beside the plot. */
const MARK = 6;
/** Ranges up to this many pixels are drawn as a line. */
const THIN = 3;

/**
 * The key ranges of a query: a mark along the left edge of the plot, a tint across it.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {Picture} picture
 * @param {Float64Array} spans in regions, pair after pair
 * @param {Look} look
 */
export function paintRanges(draw, { plot }, picture, spans, { accent, page }) {
  const { bands } = picture;
  const y = (/** @type {number} */ place) => plot.y + plot.height * (1 - bandOf(picture, place) / bands);
  for (let at = 0; at < spans.length; at += 2) {
    const [from, to] = [y(spans[at]), y(spans[at + 1])];
    const tall = Math.max(2, from - to);
    // Outlined, for the colours beneath are both light and dark.
    draw.fillStyle = page;
    draw.fillRect(plot.x - MARK, from - tall - 1, plot.width + MARK, 1);
    draw.fillRect(plot.x - MARK, from, plot.width + MARK, 1);
    draw.fillStyle = accent;
    draw.fillRect(plot.x - MARK, from - tall, MARK, tall);
    draw.globalAlpha = tall > THIN ? 0.35 : 1;
    draw.fillRect(plot.x, from - tall, plot.width, tall);
  }
  draw.globalAlpha = 1;
}

/**
 * Where a place among the regions lies among the bands, which may hold several regions each.
 * @param {Pick<Picture, 'bands' | 'edges'>} picture
 * @param {number} place
 */
export function bandOf({ bands, edges }, place) {
  let low = 0;
  let high = bands - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low + Math.min(1, (place - edges[low]) / Math.max(1, edges[low + 1] - edges[low]));
}
