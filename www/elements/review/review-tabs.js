import { html, nothing } from 'lit';
import { openTab } from '../../actions/actions.js';
import { keyOfSplits } from '../../design/document.js';
import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @typedef {typeof state.tab} Tab */

const TABS = /** @type {Tab[]} */ (['writes', 'questions', 'regions', 'storage', 'servers']);

/** The strip of tabs over the chosen key's proof. */
export class ReviewTabs extends View {
  static reads = slices('design', 'history', 'report', 'review');

  render() {
    const { design, tab } = state;
    if (!design) return nothing;
    return html`<div class="tabs scroll" role="tablist" aria-label=${say('page.review')} @keydown=${this.#key}>
      ${TABS.map(
        (one) => html`<button type="button" role="tab" id=${`tab-${one}`} aria-controls="tab-panel"
          aria-selected=${one === tab} tabindex=${one === tab ? 0 : -1} @click=${() => openTab(one)}>${say(`page.tab-${one}`)}${mark(one)}</button>`,
      )}
    </div>`;
  }

  updated() {
    const { tab } = state;
    if (tab === this.dataset.tab) return;
    // The layout of the bench follows the tab.
    this.dataset.tab = tab;
    const strip = this.querySelector('.tabs');
    const button = /** @type {HTMLElement | null} */ (this.querySelector(`#tab-${tab}`));
    if (strip && button) strip.scrollLeft = button.offsetLeft - (strip.clientWidth - button.offsetWidth) / 2;
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const at = TABS.indexOf(state.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = TABS[(to + TABS.length) % TABS.length];
    openTab(tab);
    /** @type {HTMLElement | null} */ (this.querySelector(`#tab-${tab}`))?.focus({ preventScroll: true });
  };
}

/** How many there are behind a tab, or that something there is to be looked at. @param {Tab} tab */
function mark(tab) {
  const { design, findings, past, table } = state;
  const stale = () =>
    keyOfSplits(
      /** @type {any} */ (design),
      table,
      past.map((moment) => moment.design),
    );
  if (tab === 'regions' && stale())
    return html` <span class="warned" role="img" aria-label=${say('page.splits-stale')} title=${say('page.splits-stale')}>!</span>`;
  const number = { writes: findings?.length, questions: design?.queries?.length }[
    /** @type {'writes' | 'questions'} */ (tab)
  ];
  return number ? html` <span class="number">${count(number)}</span>` : nothing;
}
customElements.define('review-tabs', ReviewTabs);
