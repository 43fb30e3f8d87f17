import { compact, percent } from '../format.js';
import { say } from '../text.js';
import { foldCells, groupEdges } from '../worker/fold.js';
import { timeTicks } from './axis.js';
import { boxOf } from './layout.js';
import { colours, css, level } from './palette.js';

/** @import { View } from '../types.d.ts' */
/** @import { Box, Layout } from './layout.js' */
/** @import { Scheme } from './palette.js' */

/** @typedef {{ ink: string, muted: string, line: string, bar: string, accent: string, page: string, font: string, mono: string, scheme: Scheme }} Look */

/** Least height in pixels at which every region border is drawn. */
const BORDER_FROM = 6;
const LABEL_HEIGHT = 18;

/**
 * The heat as a bitmap of one pixel a cell, folded by its busiest cell when there are more cells than pixels.
 * @param {View} view
 * @param {number} wide pixels there are
 * @param {number} high
 * @param {Scheme} scheme
 * @param {number} gain
 */
export function bitmapOf({ picture }, wide, high, scheme, gain) {
  const { bands, buckets } = picture;
  const rowEdges = groupEdges(bands, Math.max(1, high));
  const columnEdges = groupEdges(buckets, Math.max(1, wide));
  const width = columnEdges.length - 1;
  const height = rowEdges.length - 1;
  const folded = width !== buckets || height !== bands;
  const peak = folded ? foldCells(picture.peak, buckets, rowEdges, columnEdges).peak : picture.peak;
  const most = mostOf(picture.peak);
  const table = colours(scheme);
  const image = new ImageData(width, height);
  for (let band = 0; band < height; band++) {
    for (let bin = 0; bin < width; bin++) {
      const at = level(peak[band * width + bin], most, gain) * 3;
      const to = ((height - 1 - band) * width + bin) * 4;
      image.data[to] = table[at];
      image.data[to + 1] = table[at + 1];
      image.data[to + 2] = table[at + 2];
      image.data[to + 3] = 255;
    }
  }
  const bitmap = document.createElement('canvas');
  bitmap.width = width;
  bitmap.height = height;
  bitmap.getContext('2d')?.putImageData(image, 0, 0);
  return bitmap;
}

/** @param {Uint32Array | Float64Array} cells */
export function mostOf(cells) {
  let most = 0;
  for (const rows of cells) if (rows > most) most = rows;
  return most;
}

/**
 * Draws the figure but for what follows the pointer.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {HTMLCanvasElement} bitmap
 * @param {Look} look
 */
export function paint(draw, layout, view, bitmap, look) {
  draw.clearRect(0, 0, layout.width, layout.height);
  draw.imageSmoothingEnabled = false;
  const { plot } = layout;
  draw.drawImage(bitmap, plot.x, plot.y, plot.width, plot.height);
  paintBorders(draw, layout, view, look);
  paintByRegion(draw, layout, view, look);
  paintByTime(draw, layout, view, look);
  paintShare(draw, layout, view, look);
  paintAxis(draw, layout, view, look);
}

/**
 * Region borders with the start keys along the left edge.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {Look} look
 */
function paintBorders(draw, { plot, keys }, { picture }, look) {
  const { bands, edges, starts } = picture;
  const height = plot.height / bands;
  draw.fillStyle = look.line;
  if (height >= BORDER_FROM) {
    for (let band = 1; band < bands; band++) {
      draw.fillRect(plot.x, Math.round(plot.y + plot.height - band * height), plot.width, 1);
    }
  }
  draw.strokeStyle = look.line;
  draw.strokeRect(plot.x - 0.5, plot.y - 0.5, plot.width + 1, plot.height + 1);
  const every = Math.max(1, Math.ceil(LABEL_HEIGHT / height));
  draw.font = look.mono;
  draw.textAlign = 'right';
  draw.textBaseline = 'middle';
  const shared = sharedStart(starts.filter(Boolean));
  for (let band = 0; band < bands; band += every) {
    const y = plot.y + plot.height - band * height;
    draw.fillStyle = look.line;
    draw.fillRect(plot.x - 6, Math.round(y), 6, 1);
    draw.fillStyle = look.muted;
    const text =
      starts[band] ||
      say(edges[band] ? 'page.region-short' : 'page.first-key', { index: compact(edges[band]) });
    draw.fillText(clipped(draw, text, keys - 12, shared), plot.x - 10, y - (band === 0 ? 3 : 0));
  }
}

/**
 * Rows of each region over all time, as bars at the right; of a band of several the busiest: a bar is a region, never a sum.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {Look} look
 */
function paintByRegion(draw, { byRegion, plot }, { picture }, look) {
  const { bands, most } = picture;
  const longest = Math.max(1, mostOf(most));
  const height = plot.height / bands;
  const gap = height >= BORDER_FROM ? 1 : 0;
  draw.fillStyle = look.bar;
  most.forEach((rows, band) => {
    const y = plot.y + plot.height - (band + 1) * height;
    const width = rows ? Math.max(1, (rows / longest) * byRegion.width) : 0;
    draw.fillRect(byRegion.x, y + gap, width, Math.max(1, height - gap));
  });
  if (byRegion.width < 48) return;
  caption(draw, say('page.rows-by-region'), byRegion.x, plot.y - 8, look);
  caption(draw, say('page.at-most', { rows: compact(longest) }), byRegion.x, plot.y + plot.height + 18, look);
}

/**
 * Rows of each moment, as bars on top.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {Look} look
 */
function paintByTime(draw, { byTime }, { moments }, look) {
  draw.fillStyle = look.bar;
  bars(draw, byTime, moments.rows, mostOf(moments.rows));
  caption(draw, say('page.rows-by-time', { rows: compact(mostOf(moments.rows)) }), byTime.x, 10, look);
}

/**
 * The largest region's share of each moment: 100% means that one server takes every write.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {Look} look
 */
function paintShare(draw, { share }, { moments, regionCount }, look) {
  caption(
    draw,
    say(share.width < 480 ? 'page.largest-share' : 'page.largest-share-by-time'),
    share.x,
    share.y - 8,
    look,
  );
  draw.fillStyle = look.line;
  draw.fillRect(share.x, share.y, share.width, 1);
  draw.fillRect(share.x, share.y + share.height, share.width, 1);
  const { scheme } = look;
  const wide = share.width / Math.max(1, moments.largestShare.length);
  moments.largestShare.forEach((part, bucket) => {
    if (!moments.rows[bucket]) return;
    draw.fillStyle = css(scheme, Math.round(60 + 150 * part));
    const tall = Math.max(1, part * share.height);
    draw.fillRect(
      share.x + bucket * wide,
      share.y + share.height - tall,
      Math.max(1, wide - (wide > 4 ? 1 : 0)),
      tall,
    );
  });
  draw.fillStyle = look.muted;
  draw.font = look.font;
  draw.textAlign = 'right';
  draw.textBaseline = 'middle';
  draw.fillText('100%', share.x - 10, share.y + 2);
  const even = 1 / Math.max(1, regionCount);
  const evenY = share.y + share.height - even * share.height;
  if (evenY - share.y > 16) draw.fillText(percent(even), share.x - 10, evenY - (even < 0.1 ? 4 : 0));
  draw.setLineDash([2, 3]);
  draw.strokeStyle = look.muted;
  draw.beginPath();
  draw.moveTo(share.x, Math.round(evenY) + 0.5);
  draw.lineTo(share.x + share.width, Math.round(evenY) + 0.5);
  draw.stroke();
  draw.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {Look} look
 */
function paintAxis(draw, { plot, axisY }, { time }, look) {
  draw.font = look.font;
  draw.fillStyle = look.muted;
  draw.textBaseline = 'top';
  draw.textAlign = 'left';
  if (!time) {
    draw.fillText(say('page.no-time'), plot.x, axisY + 8);
    return;
  }
  const end = time.start + time.step * time.buckets;
  const ticks = timeTicks(time.start, end, Math.max(3, Math.floor(plot.width / 76)));
  let free = plot.x - 20;
  for (const { at, label } of ticks) {
    const x = plot.x + ((at - time.start) / (end - time.start)) * plot.width;
    const wide = draw.measureText(label).width;
    const left = Math.max(plot.x, Math.min(x - wide / 2, plot.x + plot.width - wide));
    draw.fillStyle = look.line;
    draw.fillRect(Math.round(x), axisY, 1, 5);
    if (left < free) continue;
    draw.fillStyle = look.muted;
    draw.fillText(label, left, axisY + 8);
    free = left + wide + 12;
  }
}

/**
 * The crosshair through a cell, and its outline.
 * @param {CanvasRenderingContext2D} draw
 * @param {Layout} layout
 * @param {View} view
 * @param {{ band: number, bucket: number }} cell
 * @param {Look} look
 * @param {boolean} strong whether the cell is pinned or focused
 */
export function paintCrosshair(draw, layout, { picture }, cell, look, strong) {
  const box = boxOf(layout, picture, cell);
  const { plot, byTime, byRegion, share } = layout;
  draw.fillStyle = look.ink;
  draw.globalAlpha = 0.35;
  const x = Math.round(box.x + box.width / 2);
  const y = Math.round(box.y + box.height / 2);
  draw.fillRect(x, byTime.y, 1, plot.y + plot.height - byTime.y);
  draw.fillRect(x, share.y, 1, share.height);
  draw.fillRect(plot.x, y, byRegion.x + byRegion.width - plot.x, 1);
  draw.globalAlpha = 1;
  draw.strokeStyle = look.ink;
  draw.lineWidth = strong ? 2 : 1;
  draw.strokeRect(box.x - 1, box.y - 1, Math.max(3, box.width + 2), Math.max(3, box.height + 2));
  draw.lineWidth = 1;
}

/**
 * @param {CanvasRenderingContext2D} draw
 * @param {Box} box
 * @param {Uint32Array} values
 * @param {number} most
 */
function bars(draw, box, values, most) {
  const wide = box.width / Math.max(1, values.length);
  values.forEach((value, index) => {
    if (!value) return;
    const tall = Math.max(1, (value / Math.max(1, most)) * box.height);
    draw.fillRect(
      box.x + index * wide,
      box.y + box.height - tall,
      Math.max(1, wide - (wide > 4 ? 1 : 0)),
      tall,
    );
  });
}

/**
 * @param {CanvasRenderingContext2D} draw
 * @param {string} text
 * @param {number} x
 * @param {number} y baseline
 * @param {Look} look
 */
function caption(draw, text, x, y, look) {
  draw.font = look.font;
  draw.fillStyle = look.muted;
  draw.textAlign = 'left';
  draw.textBaseline = 'alphabetic';
  draw.fillText(text, x, y);
}

/**
 * A key as far as there is room; what all keys begin with is left out first, for it tells nothing.
 * @param {CanvasRenderingContext2D} draw
 * @param {string} text
 * @param {number} width
 * @param {number} shared characters that all keys begin with
 */
function clipped(draw, text, width, shared) {
  if (draw.measureText(text).width <= width) return text;
  const fit = Math.max(1, Math.floor(width / draw.measureText('0').width) - 1);
  const rest = shared > 1 ? text.slice(shared) : text;
  if (rest.length <= fit) return `…${text.slice(text.length - Math.max(rest.length, fit))}`;
  return shared > 1 ? `…${rest.slice(0, fit - 1)}…` : `${text.slice(0, fit)}…`;
}

/** Characters that all keys begin with. @param {string[]} keys */
function sharedStart(keys) {
  const [first = '', ...others] = keys;
  let shared = first.length;
  for (const key of others) while (!key.startsWith(first.slice(0, shared))) shared--;
  return shared;
}
