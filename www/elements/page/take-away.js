import { html, nothing } from 'lit';
import { openSheet } from '../../actions/actions.js';
import { state } from '../../state/store.js';
import { describe, say } from '../../text/sentences.js';
import '../review/export-panel.js';
import '../review/migrate-panel.js';
import { slices, View } from '../shared/view.js';
import './embed-figure.js';
import './share-link.js';

/** @typedef {NonNullable<typeof state.sheet>} Tab */

const TABS = /** @type {Tab[]} */ (['create', 'code', 'migrate', 'share']);

/** All that a person can leave with, in one sheet over the bar. */
export class TakeAway extends View {
  static reads = slices('design', 'review');

  render() {
    const { sheet, answerProblems } = state;
    return html`<dialog class="taking" aria-labelledby="take-title" @close=${() => openSheet(null)} @click=${this.#outside}>
      ${
        sheet
          ? html`<div class="title">
              <h2 id="take-title">${say('page.take')}</h2>
              <button type="button" class="quiet" @click=${() => openSheet(null)}>${say('page.close')}</button>
            </div>
            <div class="tabs scroll" role="tablist" aria-labelledby="take-title" @keydown=${this.#key}>${TABS.map(
              (
                one,
              ) => html`<button type="button" role="tab" id=${`take-${one}`} aria-controls="take-panel" aria-selected=${one === sheet}
                tabindex=${one === sheet ? 0 : -1} @click=${() => openSheet(one)}>${say(`page.take-${one}`)}</button>`,
            )}</div>
            <div class="review" role="tabpanel" id="take-panel" aria-labelledby=${`take-${sheet}`}>
              ${sheet === 'migrate' && answerProblems.migrate ? html`<p class="note bad">${describe(answerProblems.migrate)}</p>` : nothing}
              ${panelOf(sheet)}
            </div>`
          : nothing
      }
    </dialog>`;
  }

  updated() {
    const dialog = this.querySelector('dialog');
    if (!dialog || dialog.open === Boolean(state.sheet)) return;
    if (!state.sheet) return dialog.close();
    dialog.showModal();
    this.#focus(state.sheet);
  }

  /** @param {Tab} tab */
  #focus(tab) {
    /** @type {HTMLElement | null} */ (this.querySelector(`#take-${tab}`))?.focus();
  }

  /** A click beside the sheet closes it. @param {MouseEvent} event */
  #outside = ({ target, currentTarget }) => {
    if (target === currentTarget) openSheet(null);
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const at = TABS.indexOf(/** @type {Tab} */ (state.sheet));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = TABS[(to + TABS.length) % TABS.length];
    openSheet(tab);
    this.#focus(tab);
  };
}

/** @param {Tab} tab */
function panelOf(tab) {
  if (tab === 'migrate') return html`<migrate-panel></migrate-panel>`;
  if (tab !== 'share') return html`<export-panel></export-panel>`;
  return html`<div class="shares"><share-link inline></share-link><embed-figure></embed-figure></div><export-panel></export-panel>`;
}
customElements.define('take-away', TakeAway);
