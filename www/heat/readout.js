import { effectiveText, figureText, rowsOf, sampleOf } from '../text/estimate.js';
import { bytes, count, decimal, duration, moment, percent } from '../text/format.js';
import { say } from '../text/sentences.js';
import { lastRegionOf, partOf, regionOf } from './bands.js';
import { isOfRows, unitOf } from './cell-codes.js';
import { HOT, isByRegion } from './scene.js';

/** @import { Scene } from './scene.js' */

/** @typedef {{ band: number, bucket: number }} Cell */

/**
 * Details of a cell, one per line; the first line is its title.
 * @param {Pick<Scene, 'view' | 'sheet' | 'sums' | 'servers'>} scene
 * @param {Cell} cell
 */
export function linesOf({ view, sheet, sums, servers }, { band, bucket }) {
  const { picture, time, moments } = sheet;
  const { metric, edges, starts, buckets, sum, rows, parts } = picture;
  const first = regionOf(picture, band);
  const last = lastRegionOf(picture, band);
  const here = sum[band * buckets + bucket];
  const single = isByRegion({ sheet, view });
  const inBand = !isOfRows(metric) ? sums.of(band, band + 1, 0, buckets) : rows[band];
  const all = !isOfRows(metric) ? sums.of(0, picture.bands, 0, buckets) : view.keys.count;
  const atOnce = !isOfRows(metric) ? sums.of(0, picture.bands, bucket, bucket + 1) : moments.rows[bucket];
  const unit = unitOf(metric);
  const sample = parts ? parts.sample : sampleOf(view);
  const figure = (/** @type {number} */ value) => {
    if (unit === 'bytes') return sample ? say('page.about', { about: bytes(value) }) : bytes(value);
    return sample ? figureText(rowsOf(value, sample)) : count(value);
  };
  const mean = view.keys.count / Math.max(1, view.regionCount);
  const whole = single || (parts && edges[band + 1] - edges[band] === 1);
  const hot = single && view.regionCount > HOT && rows[band] >= HOT * mean ? 'hot' : '';
  const mark = whole && rows[band] === 0 ? 'dead' : hot;
  return [
    titleOf(picture, band),
    say('page.key-range', {
      start: starts[band] || say(first ? 'page.region' : 'page.first-key', { index: count(first) }),
      stop:
        starts[band + 1] ||
        say(last + 1 < view.regionCount ? 'page.region' : 'page.last-key', { index: count(last + 1) }),
    }),
    ...(time
      ? [
          say('page.time-range', {
            start: `${moment(time.start + bucket * time.step, time.step)} UTC`,
            step: duration(time.step),
          }),
        ]
      : []),
    say(`page.here-${unit}`, { rows: figure(here), share: percent(here / Math.max(1, atOnce)) }),
    say(`page.region-${unit}`, { rows: figure(inBand), share: percent(inBand / Math.max(1, all)) }),
    ...(metric === 'even' && here
      ? [say('page.here-even', { times: decimal((here / Math.max(1, atOnce)) * view.regionCount) })]
      : []),
    ...(mark ? [say(`page.region-${mark}`, { times: decimal(rows[band] / mean) })] : []),
    ...(servers ? [say('page.region-server', { server: (first % servers) + 1, servers })] : []),
    say('page.moment-effective', {
      regions: effectiveText(moments, bucket, sampleOf(view), view.regionCount),
    }),
  ];
}

/**
 * The region of a band, which part of it, or the regions.
 * @param {Scene['sheet']['picture']} picture
 * @param {number} band
 */
function titleOf(picture, band) {
  const [first, last] = [regionOf(picture, band), lastRegionOf(picture, band)];
  if (picture.parts) {
    const { part, parts } = partOf(picture, band);
    if (parts > 1)
      return say('page.region-part', { index: count(first), part: count(part), parts: count(parts) });
  }
  if (first === last) return say('page.region', { index: count(first) });
  const most = count(picture.most[band]);
  return say('page.regions-folded', { first: count(first), last: count(last), most });
}
