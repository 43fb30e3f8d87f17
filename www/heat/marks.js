import { bandOf } from './bands.js';
import { boxOf } from './layout.js';
import { inside } from './scene.js';

/** @import { Box } from './layout.js' */
/** @import { Pen, Scene } from './scene.js' */

/** Width of the marks beside the plot. */
const MARK = 6;
/** Ranges up to this many pixels are drawn as a line. */
const THIN = 3;

/**
 * The crosshair through a cell, and its outline.
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {{ band: number, bucket: number }} cell
 * @param {boolean} strong whether the cell is pinned or focused
 */
export function paintCrosshair(pen, { layout, sheet, span, look }, cell, strong) {
  const box = boxOf(layout, sheet.picture, cell, span);
  const { plot, byTime, byRegion, share } = layout;
  const all = {
    x: plot.x,
    y: byTime.y,
    width: byRegion.x + byRegion.width - plot.x,
    height: layout.height - byTime.y,
  };
  const x = Math.round(box.x + box.width / 2);
  const y = Math.round(box.y + box.height / 2);
  inside(pen, all, () => {
    pen.fillStyle = look.ink;
    pen.globalAlpha = 0.35;
    if (x >= plot.x && x <= plot.x + plot.width) {
      pen.fillRect(x, byTime.y, 1, plot.y + plot.height - byTime.y);
      pen.fillRect(x, share.y, 1, share.height);
    }
    if (y >= plot.y && y <= plot.y + plot.height) {
      pen.fillRect(plot.x, y, byRegion.x + byRegion.width - plot.x, 1);
    }
    pen.globalAlpha = 1;
  });
  inside(pen, { x: plot.x - 2, y: plot.y - 2, width: plot.width + 4, height: plot.height + 4 }, () => {
    // Outlined twice, for the colours beneath are both light and dark.
    pen.strokeStyle = look.page;
    pen.lineWidth = strong ? 4 : 3;
    const [wide, tall] = [Math.max(3, box.width + 2), Math.max(3, box.height + 2)];
    pen.strokeRect(box.x - 1, box.y - 1, wide, tall);
    pen.strokeStyle = look.ink;
    pen.lineWidth = strong ? 2 : 1;
    pen.strokeRect(box.x - 1, box.y - 1, wide, tall);
    pen.lineWidth = 1;
  });
}

/**
 * The key ranges of a query: a mark along the left edge of the plot, a tint across it.
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {Float64Array} spans in regions, pair after pair
 */
export function paintRanges(pen, { layout: { plot }, sheet: { picture }, look, y }, spans) {
  const { bands, edges, parts } = picture;
  const place = (/** @type {number} */ region) =>
    y(parts ? region / edges[bands] : bandOf(picture, region) / bands);
  inside(pen, { x: plot.x - MARK, y: plot.y - 1, width: plot.width + MARK, height: plot.height + 2 }, () => {
    for (let at = 0; at < spans.length; at += 2) {
      const [from, to] = [place(spans[at]), place(spans[at + 1])];
      if (to > plot.y + plot.height || from < plot.y) continue;
      const tall = Math.max(2, from - to);
      // Outlined, for the colours beneath are both light and dark.
      pen.fillStyle = look.page;
      pen.fillRect(plot.x - MARK, from - tall - 1, plot.width + MARK, 1);
      pen.fillRect(plot.x - MARK, from, plot.width + MARK, 1);
      pen.fillStyle = look.accent;
      pen.fillRect(plot.x - MARK, from - tall, MARK, tall);
      pen.globalAlpha = tall > THIN ? 0.35 : 1;
      pen.fillRect(plot.x, from - tall, plot.width, tall);
      pen.globalAlpha = 1;
    }
  });
}

/** How far playback is: what comes later is veiled. @param {Pen} pen @param {Scene} scene */
export function paintNow(pen, { layout: { plot, byTime, share }, look, now, x }) {
  if (now === null) return;
  const at = Math.max(plot.x, Math.min(plot.x + plot.width, x(now)));
  pen.fillStyle = look.page;
  pen.globalAlpha = 0.88;
  for (const box of [byTime, plot, share]) {
    pen.fillRect(at, box.y, box.x + box.width - at, box.height);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = look.accent;
  pen.fillRect(Math.round(at) - 1, byTime.y, 2, plot.y + plot.height - byTime.y);
  pen.fillRect(Math.round(at) - 1, share.y, 2, share.height);
}

/** The box that is being drawn. @param {Pen} pen @param {Scene} scene @param {Box} box */
export function paintBox(pen, { look }, { x, y, width, height }) {
  pen.fillStyle = look.accent;
  pen.globalAlpha = 0.18;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
  pen.strokeStyle = look.page;
  pen.lineWidth = 3;
  pen.strokeRect(x, y, width, height);
  pen.strokeStyle = look.accent;
  pen.lineWidth = 1;
  pen.strokeRect(x, y, width, height);
}
