import { html, nothing } from 'lit';
import { jumpTo } from '../../actions/actions.js';
import { firstKeyOf } from '../../design/region-borders.js';
import { state } from '../../state/store.js';
import { figureText, intervalHelp, rowsOf, sampleOf } from '../../text/estimate.js';
import { bytes, count, percent } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { afterFrame, slices, View } from '../shared/view.js';

/** @import { Region } from '../../types.d.ts' */

/**
 * Rows of the table that are made at a time: to lay all of them out with each move of the slider takes longer
 * than the picture.
 */
const MADE = 30;

/** The regions as a table: what the picture says, in figures. Rows are made as they are scrolled to. */
export class RegionTable extends View {
  static reads = slices('report');

  #byRows = true;
  #made = MADE;
  /** @type {IntersectionObserver | undefined} sees the last of them come near */
  #last;

  /** Comes after the picture, in a frame of its own: together they take long. */
  async scheduleUpdate() {
    await afterFrame();
    super.scheduleUpdate();
  }

  render() {
    const { view } = state;
    if (!view?.keys.count) return nothing;
    const listed = this.#byRows ? view.busiestRegions : view.firstRegions;
    const most = Math.max(1, view.skew.max);
    const sample = sampleOf(view);
    const columns = { reads: view.tellsReads, records: listed.some(({ rows, records }) => rows !== records) };
    return html`
      <section class="regions" aria-labelledby="regions-title">
        <div class="title">
          <h2 id="regions-title">${say('page.region-table')}</h2>
          <fieldset class="segments">
            <legend class="unseen">${say('page.sort-by')}</legend>
            ${[true, false].map(
              (
                byRows,
              ) => html`<label><input type="radio" name="region-order" .checked=${this.#byRows === byRows} @change=${() => this.#order(byRows)}>
                <span>${say(byRows ? 'page.by-rows' : 'page.by-key')}</span></label>`,
            )}
          </fieldset>
        </div>
        <p class="muted figures">${say('page.skew', {
          empty: count(view.skew.empty),
          ratio: view.skew.maxOverMean.toFixed(2),
          gini: view.skew.gini.toFixed(2),
        })}</p>
        ${sample ? html`<p class="muted">${intervalHelp()}</p>` : nothing}
        <div class="scroll" tabindex="0" role="group" aria-labelledby="regions-title">
          <table>
            <thead><tr>
              <th class="number">#</th><th>${say('page.start-key')}</th><th class="number">${say('page.rows')}</th>
              ${columns.records ? html`<th class="number">${say('page.records')}</th>` : nothing}
              ${columns.reads ? html`<th class="number">${say('page.metric-reads')}</th><th class="number">${say('page.metric-writes')}</th>` : nothing}
              <th class="share">${say('page.metric-share')}</th><th class="number">${say('page.key-bytes')}</th>
            </tr></thead>
            <tbody>${listed.slice(0, this.#made).map((region) => this.#row(region, most, columns))}</tbody>
          </table>
        </div>
        ${
          listed.length < view.regionCount
            ? html`<p class="muted">${say(this.#byRows ? 'page.regions-busiest' : 'page.regions-first', { listed: count(listed.length), all: count(view.regionCount) })}</p>`
            : nothing
        }
      </section>
    `;
  }

  updated() {
    this.#last?.disconnect();
    const rows = this.querySelectorAll('tbody tr');
    if (rows.length < this.#made) return;
    this.#last = new IntersectionObserver((entries) => this.#make(entries), {
      root: this.querySelector('.scroll'),
      rootMargin: '25%',
    });
    this.#last.observe(rows[rows.length - 1]);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#last?.disconnect();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #make(entries) {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    this.#made += MADE;
    this.requestUpdate();
  }

  /** @param {Region} region @param {number} most @param {{ reads: boolean, records: boolean }} columns */
  #row(region, most, columns) {
    const sample = sampleOf(state.view);
    const figure = (/** @type {number} */ rows) => (sample ? figureText(rowsOf(rows, sample)) : count(rows));
    const { rows, records, reads = 0 } = region;
    return html`<tr>
      <td class="number">${count(region.index)}</td>
      <td class="mono key"><button type="button" class="link" title=${say('page.key-range', { start: region.start || say('page.first-key'), stop: region.stop || say('page.last-key') })}
        @click=${() => this.#jump(region.index)}>${region.start || say('page.first-key')}</button></td>
      <td class="number">${figure(rows)}</td>
      ${columns.records ? html`<td class="number">${figure(records)}</td>` : nothing}
      ${columns.reads ? html`<td class="number">${figure(reads)}</td><td class="number">${figure(records - reads)}</td>` : nothing}
      <td class="share"><meter min="0" max=${most} .value=${records} aria-label=${percent(region.share)}></meter><span>${percent(region.share)}</span></td>
      <td class="number">${bytes(region.bytes)}</td>
    </tr>`;
  }

  /** @param {boolean} byRows */
  #order(byRows) {
    this.#byRows = byRows;
    this.#made = MADE;
    this.requestUpdate();
  }

  /** @param {number} region */
  #jump(region) {
    if (state.view) jumpTo(firstKeyOf(state.view.listed, region));
  }
}
customElements.define('region-table', RegionTable);
