import { html, nothing } from 'lit';
import { startTour } from '../../actions/actions.js';
import { steps } from '../../state/document-engine.js';
import { keepShortcuts, keptShortcuts } from '../../state/local-storage.js';
import { say } from '../../text/sentences.js';
import { View } from '../shared/view.js';

/** @import { Step } from '../../types.d.ts' */

const SHAPES = ['diagonal', 'line', 'bands', 'even'];

/** Help about the heatmap and the row key formula language. */
export class HelpDialog extends View {
  /** @type {Step[] | null} */
  #steps = null;

  render() {
    return html`
      <button type="button" class="quiet" @click=${this.#open}>${say('page.help')}</button>
      <dialog aria-labelledby="help-title" @close=${this.#left}>
        <div class="title">
          <h2 id="help-title">${say('page.help')}</h2>
          <button type="button" class="quiet" @click=${() => this.querySelector('dialog')?.close()}>${say('page.close')}</button>
        </div>
        <div class="scroll help" tabindex="0" role="group" aria-labelledby="help-title">
          ${document.documentElement.dataset.build === 'development' ? html`<p class="quiet">${say('page.development')}</p>` : nothing}
          <p><button type="button" @click=${this.#tour}>${say('page.tour-offer')}</button></p>
          <h3>${say('page.help-keys')}</h3>
          <p>${say('page.help-keys-text')}</p>
          <label class="check"><input type="checkbox" .checked=${keptShortcuts()} @change=${(/** @type {any} */ event) => keepShortcuts(event.target.checked)}> ${say('page.help-shortcuts')}</label>
          <h3>${say('page.help-picture')}</h3>
          <ul>${SHAPES.map((shape) => html`<li>${say(`page.help-${shape}`)}</li>`)}</ul>
          <h3>${say('page.help-formula')}</h3>
          <p>${say('page.help-formula-text')}</p>
          <p><code>phone.md5().hex(4) + '_' + phone + '_' + call_time.format('yyyyMMdd')</code></p>
          ${
            this.#steps
              ? html`<table>
                <thead><tr><th>${say('page.help-step')}</th><th>${say('page.help-takes')}</th><th>${say('page.help-gives')}</th><th>${say('page.help-what')}</th></tr></thead>
                <tbody>${this.#steps.map(
                  (step) =>
                    html`<tr><td><code>${step.signature}</code></td><td>${step.takes.join(', ')}</td><td>${step.gives}</td><td>${say(`help.${step.name}`)}</td></tr>`,
                )}</tbody>
              </table>`
              : nothing
          }
        </div>
      </dialog>
    `;
  }

  /** The menu that it was opened from goes with it. */
  #left = () => /** @type {HTMLElement | null} */ (this.closest('[popover]'))?.hidePopover();

  #tour = () => {
    this.querySelector('dialog')?.close();
    startTour();
  };

  #open = async () => {
    this.querySelector('dialog')?.showModal();
    this.#steps ??= await steps();
    this.requestUpdate();
  };
}
customElements.define('help-dialog', HelpDialog);
