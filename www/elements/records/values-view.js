import { html, nothing } from 'lit';
import { askRecords } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { figureText, intervalHelp } from '../../text/estimate.js';
import { count, percent } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { Figure, Known, ValueCounts } from '../../types.d.ts' */

/** How many different values there are, and those with most rows: of one field, or of all and of what keys begin with. */
export class ValuesView extends View {
  static reads = slices('work', 'report');
  static properties = { field: { attribute: false } };

  /** @type {Known | null} */
  #known = null;
  /** The keys that the answer is of. @type {number | null} */
  #of = null;

  constructor() {
    super();
    /** @type {string | undefined} */
    this.field = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    this.closest('details')?.addEventListener('toggle', this.#ask);
  }

  updated() {
    void this.#ask();
  }

  /**
   * Asked anew when the keys are others, as long as a person looks: counting values is a pass over all
   * records.
   */
  #ask = async () => {
    const { keysVersion, view, phase } = state;
    if (!view || phase !== 'ready' || this.#of === keysVersion || this.closest('details:not([open])')) return;
    this.#of = keysVersion;
    const known = await askRecords('values', {}).catch(() => null);
    if (keysVersion !== state.keysVersion) return;
    this.#known = known;
    this.requestUpdate();
  };

  render() {
    const known = this.#known;
    if (!state.view) return nothing;
    if (!known) return html`<progress aria-label=${say('page.values')}></progress>`;
    const own = known.fields.find(({ of }) => of === this.field);
    if (this.field !== undefined) return own ? counted(own, say('page.values-title')) : nothing;
    return html`
      ${known.fields.map((one) => counted(one, one.of))}
      ${known.leading.map((one) => counted(one, say('page.values-leading', { parts: one.of })))}
    `;
  }
}

/** @param {ValueCounts} counts @param {string} name */
function counted({ rows, distinct, busiest: all }, name) {
  // A value whose interval includes zero rows is not shown as busy.
  const busiest = all.filter((one) => one.rows.low > 0);
  return html`<section>
    <h3>${name}</h3>
    <p title=${helpOf(distinct)}>${say(distinct.value === 1 ? 'page.values-one' : 'page.values-distinct', { values: figureText(distinct) })}</p>
    ${busiest.length ? table(rows, busiest) : html`<p class="muted">${say('page.values-even')}</p>`}
    ${busiest.length && distinct.value > busiest.length ? html`<p class="muted small">${say('page.values-listed', { listed: count(busiest.length) })}</p>` : nothing}
  </section>`;
}

/** @param {number} all rows @param {ValueCounts['busiest']} busiest */
function table(all, busiest) {
  return html`<table>
      <thead><tr><th>${say('page.values-value')}</th><th class="number">${say('page.rows')}</th><th class="number">${say('page.metric-share')}</th></tr></thead>
      <tbody>${busiest.map(
        ({ value, rows: own }) =>
          html`<tr><th scope="row" class="mono">${value || say('page.values-empty')}</th><td class="number" title=${helpOf(own)}>${figureText(own)}</td>
            <td class="number">${percent(own.value / Math.max(1, all))}</td></tr>`,
      )}</tbody>
    </table>`;
}

/** @param {Figure} figure */
const helpOf = ({ low, high }) => (low === high ? nothing : intervalHelp());
customElements.define('values-view', ValuesView);
