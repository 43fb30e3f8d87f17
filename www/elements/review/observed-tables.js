import { html, nothing } from 'lit';
import { forgetObserved, observe } from '../../actions/observing.js';
import { state } from '../../state/store.js';
import { bytes, count, moment, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { conclusion, picture, requestsOf } from './observed-requests.js';

/** @import { HotKey, ObservedAnswer, ObservedTable } from '../../types.d.ts' */

/** Regions and files that are listed. */
const LISTED = 12;

/** Tables as the files of HBase show them. */
export class ObservedTables extends View {
  static reads = slices('page', 'review');

  render() {
    const { observed } = state;
    if (!observed) return nothing;
    const { answer, progress, problem, files, all } = observed;
    const isIdle = (/** @type {ObservedTable} */ { source, headline }) =>
      source === 'counters' && headline.code === 'observe.idle';
    const tables = answer?.tables ?? [];
    const told = tables.length > 1 ? tables.filter((table) => !isIdle(table)) : tables;
    const idle = tables.filter((table) => !told.includes(table)).map(({ table }) => table);
    return html`
      <div class="actions">
        <span class="muted">${say('page.observe-files', { count: files.length })}</span>
        ${answer?.unread && !all ? html`<button type="button" class="main" ?disabled=${Boolean(progress)} @click=${() => observe(files, true)}>${say('page.observe-all', { size: bytes(answer.unread) })}</button>` : nothing}
        <button type="button" class="quiet" @click=${forgetObserved}>${say('page.existing-forget')}</button>
      </div>
      <div aria-live="polite">
        ${problem ? html`<p class="note bad">${describe(problem)}</p>` : nothing}
        ${progress ? html`<p class="muted">${say('page.observe-reading', { read: bytes(progress[0]), total: bytes(Math.max(...progress)) })}</p>` : nothing}
      </div>
      ${told.map(tableOf)}
      ${idle.length ? html`<p class="muted">${say('observe.idle-tables', { count: idle.length, tables: idle.slice(0, LISTED).join(', ') + (idle.length > LISTED ? ', …' : '') })}</p>` : nothing}
      ${answer && !tables.length ? html`<p class="note bad">${say('observe.nothing')}</p>` : nothing}
      ${answer ? left(answer) : nothing}
    `;
  }
}

/** @param {ObservedTable} table */
function tableOf(table) {
  const { headline, heat, regions, borders, hotRows, prefixes, notes, families } = table;
  const isCounted = table.source === 'counters';
  return html`<section class="observed">
    ${isCounted ? nothing : conclusion(headline, figures(table))}
    ${heat && !isCounted ? picture(heat, (most) => say('page.observe-map', { cells: count(most) })) : nothing}
    ${borders === 'keys' || isCounted ? nothing : regionsOf(table, regions)}
    <div class="observed-hot">${hottest('page.observe-rows', hotRows)}${hottest('page.observe-prefixes', prefixes)}</div>
    ${families.some(({ files }) => files) ? familiesOf(families) : nothing}
    ${table.requests ? requestsOf(table.table, table.requests) : nothing}
    <ul class="rules muted small">${notes.map((note) => html`<li>${describe(note)}</li>`)}</ul>
  </section>`;
}

/** @param {ObservedTable} table @returns {string} */
function figures({ table, source, cells, rows, bytes: size, deletes, times }) {
  const step = times ? (times[1] - times[0]) / 100 : 1;
  return say(source === 'index' ? 'page.observe-of-index' : 'page.observe-of', {
    table: table || say('page.existing-unnamed'),
    source: say(`page.observe-from-${source}`),
    cells: count(cells),
    rows: count(rows),
    size: bytes(size),
    deletes: count(deletes),
    from: times ? moment(times[0], step) : '–',
    to: times ? moment(times[1], step) : '–',
  });
}

/** @param {ObservedTable} table @param {ObservedTable['regions']} regions */
function regionsOf({ source }, regions) {
  const order = regions.map((region, index) => ({ ...region, index })).sort((a, b) => b.share - a.share);
  const most = order[0]?.share || 1;
  const isIndex = source === 'index';
  const servers = regions.some(({ server }) => server);
  return html`<h3>${say('page.observe-regions')}</h3>
    <div class="scroll tall" tabindex="0" role="group" aria-label=${say('page.observe-regions')}><table class="existing-regions">
      <thead><tr><th class="number">#</th><th>${say('page.start-key')}</th>${servers ? html`<th>${say('page.existing-server')}</th>` : nothing}
        <th class="number">${say(isIndex ? 'page.observe-bytes' : 'page.observe-cells')}</th><th class="share">${say('page.observe-share')}</th></tr></thead>
      <tbody>${order.slice(0, LISTED).map(
        (
          region,
        ) => html`<tr><td class="number">${count(region.index)}</td><td class="mono key">${region.start || say('page.first-key')}</td>
          ${servers ? html`<td class="mono server">${region.server?.split(',')[0] ?? '–'}</td>` : nothing}
          <td class="number">${isIndex ? bytes(region.bytes) : count(region.cells)}</td>
          <td class="share"><meter min="0" max=${most} .value=${region.share} aria-label=${percent(region.share)}></meter><span>${percent(region.share)}</span></td></tr>`,
      )}</tbody>
    </table></div>
    ${regions.length > LISTED ? html`<p class="muted small">${say('page.regions-first', { listed: count(LISTED), all: count(regions.length) })}</p>` : nothing}`;
}

/** @param {string} title @param {HotKey[]} keys */
function hottest(title, keys) {
  if (!keys.length) return nothing;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${say(title)}><table>
    <caption>${say(title)}</caption>
    <thead><tr><th>${say('page.observe-key')}</th><th class="number">${say('page.observe-cells')}</th><th class="number">${say('page.observe-share')}</th></tr></thead>
    <tbody>${keys.map(
      ({ key, cells, share }) => html`<tr><td class="mono key">${key}</td>
        <td class="number">${cells.low === cells.high ? count(cells.value) : `${count(cells.low)}–${count(cells.high)}`}</td><td class="number">${percent(share)}</td></tr>`,
    )}</tbody></table></div>`;
}

/** @param {ObservedTable['families']} families */
function familiesOf(families) {
  return html`<h3>${say('page.observe-families')}</h3>
    <div class="scroll" tabindex="0" role="group" aria-label=${say('page.observe-families')}><table>
      <thead><tr><th>${say('page.storage-family')}</th><th>DATA_BLOCK_ENCODING</th><th>COMPRESSION</th><th class="number">${say('page.observe-count')}</th>
        <th class="number">${say('page.observe-cells')}</th><th class="number">${say('page.observe-stored')}</th><th class="number">${say('page.observe-of-cell')}</th></tr></thead>
      <tbody>${families.map(
        ({
          family,
          encodings,
          compressions,
          files,
          cells,
          stored,
        }) => html`<tr><th scope="row" class="mono">${family}</th><td class="mono">${encodings.join(', ')}</td><td class="mono">${compressions.join(', ')}</td>
          <td class="number">${count(files)}</td><td class="number">${count(cells)}</td><td class="number">${bytes(stored)}</td><td class="number">${cells ? bytes(stored / cells) : '–'}</td></tr>`,
      )}</tbody></table></div>`;
}

/** Files that do not count. @param {ObservedAnswer} answer */
function left({ files, kinds }) {
  const named = files.flatMap(({ path, problem }) => (problem ? [{ path, problem }] : []));
  const others = kinds.find(([kind]) => kind === 'other')?.[1] ?? 0;
  return html`${
    named.length
      ? html`<h3>${say('page.observe-left')}</h3>
        <ul class="rules">${named.slice(0, LISTED).map(({ path, problem }) => html`<li><code>${path}</code>: ${describe(problem)}</li>`)}</ul>`
      : nothing
  }
  ${others ? html`<p class="muted small">${say('page.observe-others', { count: others })}</p>` : nothing}`;
}

customElements.define('observed-tables', ObservedTables);
