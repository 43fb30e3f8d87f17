import { html, nothing } from 'lit';
import { clearDocument, pinNow, setDocument } from '../../actions/actions.js';
import { download, fileName } from '../../actions/download.js';
import { print } from '../../design/document.js';
import { checkDocument } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { Problem } from '../../types.d.ts' */

/** The design document itself: to read, change, keep as a file. */
export class DesignDialog extends View {
  static reads = slices('page', 'design');

  #text = '';
  /** @type {Problem[]} */
  #problems = [];

  render() {
    if (!state.design) return nothing;
    return html`
      <div class="actions">
        <button type="button" @click=${this.#open}>${say('page.design-open')}</button>
        <button type="button" class="quiet" title=${say('page.shortlist-pin-help')} @click=${pinNow}>${say('page.compare-keep')}</button>
        <button type="button" class="quiet" @click=${clearDocument}>${say('page.design-clear')}</button>
      </div>
      ${state.keeps ? nothing : html`<p class="note">${say('page.not-kept')}</p>`}
      <dialog aria-labelledby="design-title">
        <div class="title">
          <h2 id="design-title">${say('page.design')}</h2>
          <button type="button" class="quiet" @click=${this.#close}>${say('page.close')}</button>
        </div>
        <textarea class="mono" spellcheck="false" aria-labelledby="design-title" .value=${this.#text} @input=${this.#typed}></textarea>
        <div aria-live="polite">${this.#problems.slice(0, 8).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</div>
        <div class="actions">
          <button type="button" class="main" ?disabled=${this.#problems.length > 0} @click=${this.#apply}>${say('page.apply')}</button>
          <button type="button" @click=${this.#download}>${say('page.download')}</button>
          <button type="button" @click=${() => navigator.clipboard?.writeText(this.#text)}>${say('page.copy')}</button>
        </div>
      </dialog>
    `;
  }

  #dialog() {
    return this.querySelector('dialog');
  }

  #open = () => {
    this.#text = state.design ? print(state.design) : '';
    this.#problems = [];
    this.requestUpdate();
    this.#dialog()?.showModal();
  };

  #close = () => this.#dialog()?.close();

  /** @param {Event} event */
  #typed = async (event) => {
    this.#text = /** @type {HTMLTextAreaElement} */ (event.target).value;
    const text = this.#text;
    const { problems } = await checkDocument(text);
    if (text !== this.#text) return;
    this.#problems = problems;
    this.requestUpdate();
  };

  #apply = async () => {
    const { problems } = await checkDocument(this.#text);
    this.#problems = problems;
    this.requestUpdate();
    if (problems.length) return;
    this.#close();
    await setDocument(this.#text);
  };

  #download = () => {
    download(`${fileName(state.design?.name)}.json`, this.#text);
  };
}
customElements.define('design-dialog', DesignDialog);
