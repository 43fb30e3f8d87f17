import { html, nothing } from 'lit';
import { propose } from '../../actions/actions.js';
import { servers } from '../../actions/review-answers.js';
import { withLayout } from '../../design/document.js';
import { colours } from '../../heat/palette.js';
import { table } from '../../state/document-engine.js';
import { explained } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import { onScheme, scheme } from '../../state/theme.js';
import { figureText, rowsOf, sampleOf } from '../../text/estimate.js';
import { count, decimal, moment, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { figureInput } from './figure-input.js';

/** @import { Problem, Reads, ServerLoad } from '../../types.d.ts' */

/** Servers listed in figures. */
const LISTED = 100;

/** Writes per server over time, with regions assigned round-robin. */
export class ServerPanel extends View {
  static reads = slices('page', 'design', 'report', 'review');

  /** @type {Problem[]} */
  #problems = [];

  connectedCallback() {
    super.connectedCallback();
    onScheme(() => this.requestUpdate());
  }

  render() {
    const { load } = state;
    return html`
      <section class="servers" aria-labelledby="servers-title">
        <h2 class="unseen" id="servers-title">${say('page.tab-servers')}</h2>
        ${load ? this.#answer(load) : html`<p class="muted">${say('page.servers-unknown')}</p>`}
        <div class="columns">
          ${load ? this.#figures(load) : nothing}
          <div class="asides">
            ${figureInput({ label: say('page.servers'), value: table()?.servers, hint: String(servers()), set: this.#serve })}
            <div aria-live="polite">${this.#problems.map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</div>
          </div>
        </div>
        ${state.reads ? readsBesideWrites(state.reads) : nothing}
      </section>
    `;
  }

  /** @param {ServerLoad} load */
  #answer({ servers: number, busiest, throughput }) {
    const worst = busiest.indexOf(Math.max(...busiest));
    return html`
      <p class="sentence">${explained(say('page.servers-sentence', { throughput: decimal(throughput), servers: count(number), share: percent(busiest[worst]), when: this.#when(worst) }))}</p>
      <figure class="load">
        <canvas role="img" aria-label=${say('page.servers-picture', { servers: count(number) })}></canvas>
        <figcaption class="muted small"><span>${this.#when(0)}</span><span>${say('page.servers-axis')}</span><span>${this.#when(busiest.length)}</span></figcaption>
      </figure>
    `;
  }

  /** @param {ServerLoad} load */
  #figures({ rows }) {
    const all = rows.reduce((sum, some) => sum + some, 0);
    const most = Math.max(1, ...rows);
    const sample = sampleOf(state.view);
    // Servers without a region take nothing, whatever was sampled.
    const regions = state.view?.regionCount ?? 0;
    const asked = state.reads?.requests ? state.reads.servers : null;
    const busiest = Math.max(...(asked ?? []));
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${say('page.servers-figures')}>
      <table class="loads">
        <thead><tr><th>${say('page.server')}</th><th class="number">${say('page.rows')}</th><th class="share">${say('page.metric-share')}</th>${asked ? html`<th class="share">${say('page.reads-a-second')}</th>` : nothing}</tr></thead>
        <tbody>${rows.slice(0, LISTED).map((some, index) => {
          const share = percent(some / Math.max(1, all));
          return html`<tr><th scope="row">${count(index + 1)}</th><td class="number">${sample && index < regions ? figureText(rowsOf(some, sample)) : count(some)}</td>
            <td class="share"><meter min="0" max=${most} .value=${some} aria-label=${share}></meter><span>${share}</span></td>
            ${asked ? html`<td class="share"><meter min="0" max=${busiest} .value=${asked[index] ?? 0} aria-label=${rate(asked[index] ?? 0)}></meter><span>${rate(asked[index] ?? 0)}</span></td>` : nothing}</tr>`;
        })}</tbody>
      </table>
      ${rows.length > LISTED ? html`<p class="muted small">${say('page.servers-first', { listed: LISTED, all: rows.length })}</p>` : nothing}
    </div>`;
  }

  updated() {
    const canvas = this.querySelector('canvas');
    const { load } = state;
    if (!canvas || !load) return;
    const { servers: number, stretches, load: cells } = load;
    canvas.width = stretches;
    canvas.height = number;
    const most = cells.reduce((one, other) => Math.max(one, other), 0);
    const table = colours(scheme());
    const image = new ImageData(stretches, number);
    for (let at = 0; at < cells.length; at++) {
      // In proportion: a server with twice the load is to look like it.
      const from = Math.round((cells[at] / Math.max(1, most)) * 255) * 3;
      image.data.set(table.subarray(from, from + 3), at * 4);
      image.data[at * 4 + 3] = 255;
    }
    canvas.getContext('2d')?.putImageData(image, 0, 0);
  }

  /** When a stretch of time begins. @param {number} stretch */
  #when(stretch) {
    const { view, load } = state;
    if (!view?.time || !load) return '';
    const { start, step, buckets } = view.time;
    const length = (buckets * step) / load.stretches;
    return moment(Math.round(start + stretch * length), length);
  }

  /** @param {string | number | undefined} number */
  #serve = async (number) => {
    const servers = /** @type {number | undefined} */ (number);
    this.#problems = await propose((design) => withLayout(design, state.table, { servers }));
    this.requestUpdate();
  };
}

/** Requests a second. @param {number} value */
const rate = (value) => (value >= 100 || !value ? count(value) : decimal(value));

/** Requests of queries per region, next to the rows written there. @param {Reads} reads */
function readsBesideWrites({ requests, unrated, regions, regionCount }) {
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

customElements.define('server-panel', ServerPanel);
