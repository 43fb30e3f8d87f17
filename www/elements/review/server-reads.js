import { html, nothing } from 'lit';
import { count, decimal, percent } from '../../text/format.js';
import { say } from '../../text/sentences.js';

/** @import { Reads } from '../../types.d.ts' */

/** Requests a second. @param {number} value */
export const rate = (value) => (value >= 100 || !value ? count(value) : decimal(value));

/** What queries ask of the regions, beside what is written there. @param {Reads} reads */
export function readsBesideWrites({ requests, unrated, regions, regionCount }) {
  const without = unrated.length
    ? html`<p class="muted small">${say('page.reads-unrated', { queries: unrated.join(', ') })}</p>`
    : nothing;
  if (!requests) return without;
  const [busiest] = regions;
  const most = Math.max(...regions.map(({ share }) => share));
  const bar = (/** @type {number} */ value, /** @type {number} */ max, /** @type {string} */ text) =>
    html`<td class="share"><meter min="0" max=${max} .value=${value} aria-label=${text}></meter><span>${text}</span></td>`;
  return html`
    <h3>${say('page.reads')}</h3>
    <p class="sentence">${say('page.reads-sentence', { requests: rate(requests), region: count(busiest.region), share: percent(busiest.reads / requests), rows: percent(busiest.share) })}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${say('page.reads')}><table class="loads">
      <thead><tr><th class="number">#</th><th>${say('page.start-key')}</th><th class="share">${say('page.reads-a-second')}</th><th class="share">${say('page.reads-writes')}</th></tr></thead>
      <tbody>${regions.map(
        ({
          region,
          start,
          reads,
          share,
        }) => html`<tr><th scope="row" class="number">${count(region)}</th><td class="mono key">${start || say('page.first-key')}</td>
          ${bar(reads, busiest.reads, rate(reads))}${bar(share, most, percent(share))}</tr>`,
      )}</tbody>
    </table></div>
    ${regionCount > regions.length ? html`<p class="muted small">${say('page.regions-busiest', { listed: count(regions.length), all: count(regionCount) })}</p>` : nothing}
    ${without}
  `;
}
