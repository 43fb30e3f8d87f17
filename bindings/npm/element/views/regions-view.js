import { html, nothing } from 'lit/html.js';
import { bytes, count, percent } from '../../../../www/text/format.js';
import { say } from '../../../../www/text/sentences.js';

/** @import { Region, View } from '../../../../www/types.d.ts' */
/** @import { Answer } from '../types.d.ts' */

/** Regions listed. */
const LISTED = 100;

/** The regions in key order; those of a table without records are only where they begin and end. @param {Answer} answer */
export function regionsView({ report, points }) {
  if (report) return regionTable(report, report.firstRegions);
  const starts = ['', ...(points ?? [])];
  return html`<div class="scroll" tabindex="0"><table part="table">
      <thead><tr><th class="number">#</th><th>${say('page.start-key')}</th><th>${say('figure.stop-key')}</th></tr></thead>
      <tbody>${starts.slice(0, LISTED).map(
        (start, index) => html`<tr><td class="number">${count(index)}</td>
          <td class="mono">${start || say('page.first-key')}</td><td class="mono">${starts[index + 1] ?? say('page.last-key')}</td></tr>`,
      )}</tbody></table></div>
    ${more(Math.min(LISTED, starts.length), starts.length, 'page.regions-first')}`;
}

/**
 * @param {View} report
 * @param {Region[]} regions
 * @param {string} [partly] what is said when there are more
 */
export function regionTable({ skew, regionCount }, regions, partly = 'page.regions-first') {
  const most = Math.max(1, skew.max);
  return html`<div class="scroll" tabindex="0"><table part="table">
      <thead><tr><th class="number">#</th><th>${say('page.start-key')}</th><th class="number">${say('page.rows')}</th>
        <th class="share">${say('page.metric-share')}</th><th class="number narrow-out">${say('page.key-bytes')}</th></tr></thead>
      <tbody>${regions.map(
        ({ index, start, rows, records, share, bytes: size }) => html`<tr>
          <td class="number">${count(index)}</td><td class="mono">${start || say('page.first-key')}</td>
          <td class="number">${count(rows)}</td>
          <td class="share"><meter min="0" max=${most} .value=${records} aria-label=${percent(share)}></meter> ${percent(share)}</td>
          <td class="number narrow-out">${bytes(size)}</td></tr>`,
      )}</tbody></table></div>
    ${more(regions.length, regionCount, partly)}`;
}

/** @param {number} listed @param {number} all @param {string} code */
function more(listed, all, code) {
  return listed < all
    ? html`<p class="muted">${say(code, { listed: count(listed), all: count(all) })}</p>`
    : nothing;
}
