import { html, nothing } from 'lit';
import { openTab } from '../../actions/actions.js';
import { laterStyles } from '../../state/later-styles.js';
import { state } from '../../state/store.js';
import { sampledAs } from '../../text/estimate.js';
import { count } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import './compare-panel.js';
import './findings-panel.js';
import './growth-panel.js';
import './query-panel.js';
import './server-panel.js';
import './storage-panel.js';
import { slices, View } from '../shared/view.js';

/** @typedef {typeof state.tab} Tab */

const TABS = /** @type {Tab[]} */ ([
  'findings',
  'queries',
  'storage',
  'growth',
  'servers',
  'compare',
  'migrate',
  'existing',
  'export',
]);

/** Tabs that tell rows of the records that are held. @type {Set<Tab>} */
const SAMPLED = new Set(['findings', 'compare', 'migrate']);

/** Panels that few open, fetched when first shown. @type {Partial<Record<Tab, () => Promise<unknown>>>} */
const LATER = {
  migrate: () => import('./migrate-panel.js'),
  existing: () => import('./existing-panel.js'),
  export: () => import('./export-panel.js'),
};

/** The analysis of the design: one tab per question of a review. */
export class ReviewTabs extends View {
  static reads = slices('design', 'work', 'report', 'review');

  render() {
    const { view, phase, design, tab, answerProblem } = state;
    if (!design || !(view || phase === 'empty')) return nothing;
    return html`
      <div class="tabs" role="tablist" aria-label=${say('page.review')} @keydown=${this.#key}>
        ${TABS.map(
          (one) => html`<button type="button" role="tab" id=${`tab-${one}`} aria-controls="tab-panel"
            aria-selected=${one === tab} tabindex=${one === tab ? 0 : -1} @click=${() => openTab(one)}>${say(`page.tab-${one}`)}${this.#number(one)}</button>`,
        )}
      </div>
      <div class="review" role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${tab}`}>
        ${answerProblem && tab !== 'findings' && tab !== 'export' ? html`<p class="note bad">${describe(answerProblem)}</p>` : nothing}
        ${view?.sample && SAMPLED.has(tab) ? html`<p class="note">${say('page.review-sampled', sampledAs(view.sample))}</p>` : nothing}
        ${this.#panel(tab)}
      </div>
    `;
  }

  /** @param {Tab} tab */
  #panel(tab) {
    const load = LATER[tab];
    if (load) void laterStyles().then(load);
    if (tab === 'migrate') return html`<migrate-panel></migrate-panel>`;
    if (tab === 'export') return html`<export-panel></export-panel>`;
    if (tab === 'existing') return html`<existing-panel></existing-panel>`;
    if (tab === 'queries') return html`<query-panel></query-panel>`;
    if (tab === 'storage') return html`<storage-panel></storage-panel>`;
    if (tab === 'growth') return html`<growth-panel></growth-panel>`;
    if (tab === 'servers') return html`<server-panel></server-panel>`;
    if (tab === 'compare') return html`<compare-panel></compare-panel>`;
    return html`<findings-panel></findings-panel>`;
  }

  /** How many there are behind a tab. @param {Tab} tab */
  #number(tab) {
    const number = { findings: state.findings?.length ?? 0, queries: state.design?.queries?.length ?? 0 }[
      /** @type {'findings' | 'queries'} */ (tab)
    ];
    return number ? html` <span class="number">${count(number)}</span>` : nothing;
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const at = TABS.indexOf(state.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = TABS[(to + TABS.length) % TABS.length];
    openTab(tab);
    /** @type {HTMLElement | null} */ (this.querySelector(`#tab-${tab}`))?.focus();
  };
}
customElements.define('review-tabs', ReviewTabs);
