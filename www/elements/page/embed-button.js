import { html } from 'lit';
import { openSheet } from '../../actions/actions.js';
import { embedOf } from '../../design/embed-code.js';
import { change, state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { SAID } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** The design as a figure for another page. */
export class EmbedButton extends View {
  static reads = slices('design');

  #embedded = false;

  render() {
    const text = say(this.#embedded ? 'page.embed-copied' : 'page.embed-copy');
    return html`
      <button type="button" title=${say('page.embed-help')} ?disabled=${!state.design} @click=${this.#embed}>${text}</button>
      <span class="unseen" role="status">${this.#embedded ? text : ''}</span>
    `;
  }

  #embed = async () => {
    if (!state.design) return;
    try {
      await navigator.clipboard.writeText(embedOf(state.design, state.source, state.view));
    } catch {
      return change({ notice: say('page.embed-refused') });
    }
    /** @type {HTMLElement | null} */ (this.closest('[popover]'))?.hidePopover();
    openSheet('share');
    this.#embedded = true;
    this.requestUpdate();
    setTimeout(() => {
      this.#embedded = false;
      this.requestUpdate();
    }, SAID);
  };
}
customElements.define('embed-button', EmbedButton);
