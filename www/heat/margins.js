import { bytes, compact, percent } from '../text/format.js';
import { say } from '../text/sentences.js';
import { evenEnd, isOfRows, mostOf, unitOf } from './cell-codes.js';
import { BORDER_FROM } from './key-axis.js';
import { css, partsOf } from './palette.js';
import { caption, extentOf, HOT, inside, isByRegion } from './scene.js';

/** @import { Pen, Scene } from './scene.js' */

/** The scale that even shares begin with. */
const AS_DRAWN = { gain: 1, linear: true };
/** Part of the scale that is still seen as a bar. */
const PALEST = 0.15;

/** Rows of the margins, or bytes. @param {Scene} scene @param {number} value */
const figure = ({ sheet }, value) => (sheet.picture.metric === 'bytes' ? bytes(value) : compact(value));

/** The unit in the message of a margin. @param {Scene} scene */
const unit = ({ sheet }) => unitOf(sheet.picture.metric);

/** How far the margins count: as far as playback is. @param {Scene} scene */
export function endOf({ sheet, now, lastBucket, firstBucket }) {
  if (now === null) return lastBucket;
  return Math.max(firstBucket, Math.min(lastBucket, Math.ceil(now * sheet.picture.buckets)));
}

/**
 * Bars at the right: rows of each region in the visible time. A band of several regions shows its busiest
 * region while all time is visible, otherwise their sum. Hot regions are striped; empty regions are hatched
 * across the picture.
 * @param {Pen} pen
 * @param {Scene} scene
 */
export function paintByRegion(pen, scene) {
  const { layout, sheet, sums, look, firstBand, lastBand, firstBucket, tall } = scene;
  const { plot, byRegion } = layout;
  const { picture } = sheet;
  const { bands, buckets, edges, metric, most, rows, parts } = picture;
  const end = endOf(scene);
  const single = isByRegion(scene);
  const ofBusiest = !single && !parts && isOfRows(metric) && firstBucket === 0 && end === buckets;
  const values = new Float64Array(lastBand - firstBand);
  for (let band = firstBand; band < lastBand; band++) {
    values[band - firstBand] = ofBusiest ? most[band] : sums.of(band, band + 1, firstBucket, end);
  }
  const longest = mostOf(values);
  const mean = rows.reduce((sum, held) => sum + held, 0) / bands;
  const gap = tall >= BORDER_FROM ? 1 : 0;
  inside(pen, { ...plot, width: byRegion.x + byRegion.width - plot.x }, () => {
    let row = -1;
    let widest = 0;
    for (let band = firstBand; band < lastBand; band++) {
      const value = values[band - firstBand];
      const { top, height: high } = extentOf(scene, band);
      const height = Math.max(1, high - gap);
      const whole = single || (parts && edges[band + 1] - edges[band] === 1);
      if (whole && rows[band] === 0 && tall >= 3) {
        pen.fillStyle = look.hatch;
        pen.fillRect(plot.x, top + gap, plot.width, height);
      }
      // Bars thinner than a pixel: the longest of those that fall on it.
      const width = value ? Math.max(1, (value / Math.max(1, longest)) * byRegion.width) : 0;
      if (tall < 1) {
        if (Math.floor(top) !== row) widest = 0;
        row = Math.floor(top);
        if (width <= widest) continue;
        widest = width;
      }
      const hot = single && bands > HOT && rows[band] > 0 && rows[band] >= HOT * mean;
      pen.fillStyle = look.bar;
      pen.fillRect(byRegion.x, tall < 1 ? row : top + gap, width, height);
      if (!hot) continue;
      pen.fillStyle = look.stripes;
      pen.fillRect(byRegion.x, tall < 1 ? row : top + gap, width, height);
    }
  });
  if (byRegion.width < 48) return;
  const of = unit(scene);
  const what = parts && parts.slots > 1 ? 'part' : single || parts || ofBusiest ? 'region' : 'band';
  const words = say(`page.${of}-by-${what}`);
  caption(pen, words, byRegion.x, plot.y - 8, look);
  const top = figure(scene, longest);
  const wide = (/** @type {string} */ text) => pen.measureText(text).width;
  // Right beside it the last moment of the axis is named.
  const atMost = [say('page.at-most', { rows: top }), `≤ ${top}`];
  const fits = atMost.find((text) => wide(text) <= byRegion.width - 8) ?? atMost[1];
  caption(pen, fits, byRegion.x + byRegion.width - wide(fits), plot.y + plot.height + 18, look);
}

/** Bars on top: rows of the visible regions in each interval. @param {Pen} pen @param {Scene} scene */
export function paintByTime(pen, scene) {
  const { layout, sums, look, span, firstBand, lastBand, firstBucket, lastBucket } = scene;
  const { byTime } = layout;
  const values = new Float64Array(lastBucket - firstBucket);
  for (let bucket = firstBucket; bucket < lastBucket; bucket++) {
    values[bucket - firstBucket] = sums.of(firstBand, lastBand, bucket, bucket + 1);
  }
  const most = mostOf(values);
  pen.fillStyle = look.bar;
  columns(pen, scene, byTime, values, (value, x, wide) => {
    const tall = Math.max(1, (value / Math.max(1, most)) * byTime.height);
    pen.fillRect(x, byTime.y + byTime.height - tall, wide, tall);
  });
  const part = span.y0 > 0 || span.y1 < 1 ? '-part' : '';
  const rows = figure(scene, most);
  const of = unit(scene);
  const words = [`page.${of}-by-time${part}`, `page.${of}-by-time`].map((code) => say(code, { rows }));
  caption(pen, [...words, say('page.at-most', { rows })], byTime.x, 10, look, scene.layout.width - byTime.x);
}

/**
 * The largest region's share of each moment: 100% means that one server takes every write.
 * @param {Pen} pen
 * @param {Scene} scene
 */
export function paintShare(pen, scene) {
  const { layout, sheet, view, look, firstBucket, lastBucket } = scene;
  const { share } = layout;
  const { moments } = sheet;
  const words = say(share.width < 480 ? 'page.largest-share' : 'page.largest-share-by-time');
  caption(pen, words, share.x, share.y - 8, look);
  pen.fillStyle = look.line;
  pen.fillRect(share.x, share.y, share.width, 1);
  pen.fillRect(share.x, share.y + share.height, share.width, 1);
  const even = 1 / Math.max(1, view.regionCount);
  const scale = partsOf({ metric: 'even', top: evenEnd(view.regionCount), one: 1 }, AS_DRAWN);
  columns(pen, scene, share, moments.largestShare.subarray(firstBucket, lastBucket), (part, x, wide) => {
    // As the cells of the picture are: pale where the shares are even.
    pen.fillStyle = css(look.scheme, Math.round(255 * Math.min(1, Math.max(PALEST, scale(part / even)))));
    const tall = Math.max(1, part * share.height);
    pen.fillRect(x, share.y + share.height - tall, wide, tall);
  });
  pen.fillStyle = look.muted;
  pen.font = look.font;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  pen.fillText('100%', share.x - 10, share.y + 2);
  const evenY = share.y + share.height - even * share.height;
  if (evenY - share.y > 16) pen.fillText(percent(even), share.x - 10, evenY - (even < 0.1 ? 4 : 0));
  for (let x = share.x; x < share.x + share.width; x += 5) pen.fillRect(x, Math.round(evenY), 2, 1);
}

/**
 * A bar for each bucket on show, or where they are thinner than a pixel for the highest of those that fall on
 * it.
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {import('./layout.js').Box} box
 * @param {ArrayLike<number>} values from the first bucket on show
 * @param {(value: number, x: number, wide: number) => void} bar
 */
function columns(pen, { sheet, x, firstBucket }, box, values, bar) {
  const { buckets } = sheet.picture;
  const wide = x(1 / buckets) - x(0);
  inside(pen, { ...box, y: box.y - 1, height: box.height + 2 }, () => {
    if (wide >= 1) {
      const gap = wide > 4 ? 1 : 0;
      for (let at = 0; at < values.length; at++) {
        if (!values[at]) continue;
        const left = Math.round(x((firstBucket + at) / buckets));
        const right = Math.round(x((firstBucket + at + 1) / buckets)) - gap;
        bar(values[at], left, Math.max(1, right - left));
      }
      return;
    }
    const highest = new Float64Array(Math.ceil(box.width) + 1);
    for (let at = 0; at < values.length; at++) {
      const column = Math.floor(x((firstBucket + at + 0.5) / buckets) - box.x);
      if (values[at] > highest[column]) highest[column] = values[at];
    }
    highest.forEach((value, column) => {
      if (value) bar(value, box.x + column, 1);
    });
  });
}
