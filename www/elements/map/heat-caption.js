import { html, nothing } from 'lit';
import { bandAt, lastRegionOf, regionOf } from '../../heat/bands.js';
import { HOT, isByRegion } from '../../heat/scene.js';
import { isWhole } from '../../heat/viewport.js';
import { isMissing } from '../../state/heat-sheets.js';
import { sampledAs } from '../../text/estimate.js';
import { bytes, compact, count, decimal, duration, moment, percent } from '../../text/format.js';
import { say } from '../../text/sentences.js';

/** @import { Metric, Sheet, View } from '../../types.d.ts' */
/** @import { Span } from '../../heat/viewport.js' */

/** Metrics whose least is one. @type {Set<Metric>} */
const COUNTED = new Set(['rows', 'reads', 'writes']);

/** Legend of colors and patterns, and the visible part of the heatmap.
 * @param {{ view: View, sheet: Sheet, metric: Sheet['picture']['metric'], span: Span, gain: number }} given
 */
export function heatCaption({ view, sheet, metric, span, gain }) {
  const { picture } = sheet;
  const { outside = 0 } = view.time ?? {};
  const top = picture.top / gain;
  const ends = {
    even: ['0', say('page.times', { times: Number.isInteger(top) ? count(top) : decimal(top) })],
    rows: ['1', compact(Math.max(1, top))],
    bytes: [bytes(1), bytes(Math.max(1, top))],
    share: [percent(0), percent(top)],
    reads: ['1', compact(Math.max(1, top))],
    writes: ['1', compact(Math.max(1, top))],
  }[picture.metric];
  // One record a cell is no scale: all of them have one colour.
  const alike = COUNTED.has(picture.metric) && picture.top <= 1;
  const { dead, hot } = marksOf(view, sheet);
  return html`<figcaption>
    <span class="scale">
      ${
        alike
          ? html`<i class="swatch most" aria-hidden="true"></i> <span>${say(`page.${picture.metric}-each-cell`, { number: 1 })}</span>`
          : html`<span>${ends[0]}</span>
            <canvas class="ramp" width="128" height="1" aria-hidden="true"></canvas>
            <span>${ends[1]}${gain > 1 || picture.metric === 'even' ? '+' : ''}</span>
            <span>${say(`page.${picture.metric}-a-cell`)}</span>`
      }
    </span>
    ${dead ? html`<span><i class="swatch dead" aria-hidden="true"></i> ${say('page.mark-dead', { regions: count(dead) })}</span>` : nothing}
    ${hot ? html`<span><i class="swatch hot" aria-hidden="true"></i> ${say('page.mark-hot', { regions: count(hot), times: HOT })}</span>` : nothing}
    ${isWhole(span) ? nothing : html`<span class="on-show">${onShow(view, sheet, span)}</span>`}
    ${picture.parts && picture.parts.slots > 1 ? html`<span>${partsText(picture.parts)}</span>` : nothing}
    ${picture.parts || isByRegion({ sheet, view }) ? nothing : html`<span>${say('page.heat-folded', { regions: count(Math.ceil(view.regionCount / picture.bands)) })}</span>`}
    ${isMissing(view, metric) ? html`<span>${say('page.metric-missing')}</span>` : nothing}
    ${outside ? html`<span>${say('page.outside', { rows: count(outside) })}</span>` : nothing}
    <span id="heat-help">${say(matchMedia('(pointer: coarse)').matches ? 'page.heat-help-touch' : 'page.heat-help')}</span>
  </figcaption>`;
}

/**
 * How many regions are marked; none where a line of the picture is several.
 * @param {View} view
 * @param {Sheet} sheet
 */
function marksOf(view, sheet) {
  if (!isByRegion({ sheet, view })) return { dead: 0, hot: 0 };
  const { rows, bands } = sheet.picture;
  const mean = view.keys.count / Math.max(1, bands);
  const hot = bands > HOT ? rows.filter((held) => held && held >= HOT * mean).length : 0;
  return { dead: rows.filter((held) => !held).length, hot };
}

/** The note about the parts between region borders. @param {NonNullable<Sheet['picture']['parts']>} parts */
const partsText = ({ sample }) =>
  sample ? say('page.heat-parts-sampled', sampledAs(sample)) : say('page.heat-parts');

/** Which part of the picture is on show. @param {View} view @param {Sheet} sheet @param {Span} span */
function onShow(view, { picture, time }, { x0, x1, y0, y1 }) {
  const first = regionOf(picture, bandAt(picture, y0 + 1e-9));
  const last = Math.min(view.regionCount - 1, lastRegionOf(picture, bandAt(picture, y1 - 1e-9)));
  const regions = say('page.on-show-regions', { first: count(first), last: count(last) });
  if (!time) return regions;
  const at = (/** @type {number} */ part) => moment(time.start + part * time.step * time.buckets, time.step);
  return `${regions}, ${say('page.on-show-time', { from: at(x0), to: at(x1), step: duration(time.step) })}`;
}
