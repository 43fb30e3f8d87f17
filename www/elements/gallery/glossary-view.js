import { html } from 'lit';
import { glossary, linked } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import '../../text/later-sentences.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { Glossary } from '../../state/glossary.js' */

/** The words of HBase and of this page, in order; the address may name one. */
export class GlossaryView extends View {
  static reads = slices('page');

  /** @type {Glossary | null} */
  #words = null;
  #language = '';
  #failed = false;
  #wanted = '';
  /** @type {string | null} */
  #shown = null;

  render() {
    if (this.#language !== state.language) this.#load();
    if (this.#failed)
      return html`<div class="status bad" role="alert"><p>${say('gallery.not-loaded')}</p>
        <button type="button" class="main" @click=${() => this.#load()}>${say('page.again')}</button></div>`;
    const words = this.#words;
    if (!words) return html`<p class="muted" role="status">${say('gallery.loading')}</p>`;
    const order = new Intl.Collator(state.language);
    const found = Object.entries(words)
      .filter(([, { name, text }]) => `${name} ${text}`.toLowerCase().includes(this.#wanted.toLowerCase()))
      .sort(([, a], [, b]) => order.compare(a.name, b.name));
    return html`
      <div class="title"><h2 tabindex="-1">${say('glossary.title')}</h2>
        <label class="find"><span>${say('glossary.find')}</span>
          <input type="search" .value=${this.#wanted} @input=${this.#find}></label></div>
      <p class="lead">${say('glossary.lead')}</p>
      ${
        found.length
          ? html`<dl class="glossary">${found.map(
              ([
                id,
                { name, text },
              ]) => html`<div id=${`word-${id}`} tabindex="-1" class=${id === state.place.id ? 'named' : ''}>
                <dt>${name}</dt><dd>${linked(text, words, id)}</dd></div>`,
            )}</dl>`
          : html`<p class="muted" role="status">${say('glossary.none-found')}</p>`
      }
    `;
  }

  updated() {
    const { id } = state.place;
    if (!this.#words || this.#shown === id) return;
    this.#shown = id;
    const word = id && this.querySelector(`#word-${CSS.escape(id)}`);
    if (!word) return;
    word.scrollIntoView({ block: 'center' });
    /** @type {HTMLElement} */ (word).focus({ preventScroll: true });
  }

  /** @param {Event} event */
  #find = (event) => {
    this.#wanted = /** @type {HTMLInputElement} */ (event.target).value;
    this.requestUpdate();
  };

  async #load() {
    const { language } = state;
    this.#language = language;
    this.#failed = false;
    try {
      const words = await glossary();
      if (language === state.language) this.#words = words;
    } catch {
      this.#failed = !this.#words;
    }
    this.requestUpdate();
  }
}
customElements.define('glossary-view', GlossaryView);
