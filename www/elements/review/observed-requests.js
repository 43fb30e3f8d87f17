// Requests to a table, as dumps of its counters show them, and the picture that cells and requests share.
import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { colours, pixelsOf } from '../../heat/palette.js';
import { scheme } from '../../state/theme.js';
import { bytes, count, moment, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';

/** @import { Heat, ObservedRequests, Problem, RegionEvent } from '../../types.d.ts' */

/** Regions, servers and events that are listed. */
const LISTED = 12;
/** Ranges of keys whose beginnings stand beside the picture. */
const LABELS = 8;
/** Conclusions that something is wrong. */
const BAD = /^observe\.(busy|hot|moving|large)/;
/** Conclusions that all is well. */
const GOOD = /^observe\.even/;

/** The conclusion about a table, and its figures. @param {Problem} headline @param {string} figures */
export function conclusion(headline, figures) {
  const tone = BAD.test(headline.code) ? 'bad' : GOOD.test(headline.code) ? 'good' : 'plain';
  return html`<div class=${`live is-${tone}`}>
    <p class="headline">${describe(headline)}</p>
    <p>${figures}</p>
  </div>`;
}

/**
 * Figures by key and time, the lowest keys at the bottom.
 * @param {Heat} heat
 * @param {(most: number) => string} title
 */
export function picture({ starts, times, step, counts }, title) {
  const most = Math.max(1, ...counts.map((row) => Math.max(...row)));
  const every = Math.ceil(starts.length / LABELS);
  const labels = starts.filter((_, at) => at % every === 0);
  const last = times[times.length - 1] + step;
  const alt = title(most);
  return html`<figure class="observed-map">
    <figcaption class="muted small">${alt}</figcaption>
    <div class="observed-keys mono">${labels.map((start) => html`<span title=${start}>${start || say('page.first-key')}</span>`)}</div>
    <canvas role="img" aria-label=${alt} ${ref((canvas) => paint(canvas, counts, most))}></canvas>
    <div class="observed-times muted small"><span>${moment(times[0], step)}</span><span>${moment(last, step)}</span></div>
  </figure>`;
}

/**
 * A pixel for each count, the first range at the bottom.
 * @param {Element | undefined} canvas
 * @param {number[][]} counts
 * @param {number} most
 */
function paint(canvas, counts, most) {
  if (!(canvas instanceof HTMLCanvasElement)) return;
  const table = pixelsOf(colours(scheme()));
  const width = counts[0].length;
  canvas.width = width;
  canvas.height = counts.length;
  const pixels = new Uint32Array(width * counts.length);
  for (const [at, row] of counts.entries()) {
    for (const [column, figure] of row.entries()) {
      const shade = figure ? Math.max(1, Math.round((figure / most) * (table.length - 1))) : 0;
      pixels[(counts.length - 1 - at) * width + column] = table[shade];
    }
  }
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, counts.length);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/** @param {string} table @param {ObservedRequests} requests */
export function requestsOf(table, requests) {
  const { headline, heat, metric, servers, events } = requests;
  const named = say(`observe.metric-${metric}`);
  const told = events.filter(({ kind }) => kind !== 'missing');
  return html`
    ${conclusion(headline, figuresOf(table, requests))}
    ${heat ? picture(heat, (most) => say('page.requests-map', { metric: named, most: metric === 'size' ? bytes(most) : count(most) })) : nothing}
    ${regionsOf(requests)}
    ${servers.length > 1 ? serversOf(servers) : nothing}
    ${
      told.length
        ? html`<h3>${say('page.requests-events')}</h3>
          <ul class="rules">${told.slice(0, LISTED).map((event) => html`<li>${happened(event)}</li>`)}</ul>`
        : nothing
    }`;
}

/** @param {string} table @param {ObservedRequests} requests @returns {string} */
function figuresOf(table, { origin, dumps, times, reads, writes, requests }) {
  const step = times ? (times[1] - times[0]) / 100 : 1;
  return say(origin === 'totals' ? 'page.requests-in-one' : 'page.requests-of', {
    table: table || say('page.existing-unnamed'),
    dumps,
    reads: count(reads),
    writes: count(writes),
    requests: count(requests),
    from: times ? moment(times[0], step) : '–',
    to: times ? moment(times[1], step) : '–',
  });
}

/** @param {ObservedRequests} requests */
function regionsOf({ regions, origin }) {
  const order = [...regions].sort((a, b) => b.share - a.share);
  const most = order[0]?.share || 1;
  const isTotal = origin === 'totals';
  const heads = isTotal ? ['requests'] : ['reads', 'writes'];
  return html`<h3>${say('page.observe-regions')}</h3>
    <div class="scroll tall" tabindex="0" role="group" aria-label=${say('page.observe-regions')}><table class="existing-regions">
      <thead><tr><th>${say('page.start-key')}</th><th>${say('page.existing-server')}</th>${heads.map((head) => html`<th class="number">${say(`observe.metric-${head}`)}</th>`)}
        <th class="number">${say('page.observe-bytes')}</th><th class="share">${say('page.observe-share')}</th></tr></thead>
      <tbody>${order.slice(0, LISTED).map(
        ({ region, start, server, reads, writes, requests, size, share, gone }) => html`<tr>
          <td class="mono key" title=${region}>${labelOf(region, start, gone)}</td><td class="mono server">${server ?? '–'}</td>
          ${(isTotal ? [requests] : [reads, writes]).map((figure) => html`<td class="number">${count(figure)}</td>`)}
          <td class="number">${size === undefined ? '–' : bytes(size)}</td>
          <td class="share"><meter min="0" max=${most} .value=${share} aria-label=${percent(share)}></meter><span>${percent(share)}</span></td></tr>`,
      )}</tbody>
    </table></div>
    ${regions.length > LISTED ? html`<p class="muted small">${say('page.regions-first', { listed: count(LISTED), all: count(regions.length) })}</p>` : nothing}`;
}

/** @param {string} region @param {string | null} start @param {boolean} gone */
function labelOf(region, start, gone) {
  if (start === null) return region;
  const label = start || say('page.first-key');
  return gone ? say('observe.gone', { start: label }) : label;
}

/** @param {ObservedRequests['servers']} servers */
function serversOf(servers) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${say('page.existing-server')}><table>
    <thead><tr><th>${say('page.existing-server')}</th><th class="number">${say('page.observe-regions-of')}</th><th class="share">${say('page.observe-share')}</th></tr></thead>
    <tbody>${servers.slice(0, LISTED).map(
      ({
        server,
        regions,
        share,
      }) => html`<tr><td class="mono">${server}</td><td class="number">${count(regions)}</td>
        <td class="share"><meter min="0" max=${servers[0].share} .value=${share} aria-label=${percent(share)}></meter><span>${percent(share)}</span></td></tr>`,
    )}</tbody></table></div>`;
}

/** An event in words. @param {RegionEvent} event */
const happened = ({ kind, time, region, start, to }) =>
  say(`observe.event-${kind}`, { time: moment(time, 1000), region: start || region, to: to ?? '' });
