import { html, nothing } from 'lit';
import { redo, undo } from '../../actions/actions.js';
import { laterStyles } from '../../state/later-styles.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** Undo, redo, and what opens the link to share. */
export class HistoryButtons extends View {
  static reads = slices('design', 'history');

  /** True once the link was requested; the view of its contents is fetched only then. */
  #shares = false;

  connectedCallback() {
    super.connectedCallback();
    addEventListener('keydown', this.#key);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#key);
  }

  render() {
    const { past, future, design } = state;
    const link = say('page.share');
    return html`
      <button type="button" class="icon" aria-label=${say('page.undo')} title=${say('page.undo-keys')} ?disabled=${!past.length} @click=${undo}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M7 4 3 8l4 4M3 8h8.5a4.5 4.5 0 0 1 0 9H8"></path></svg>
      </button>
      <button type="button" class="icon" aria-label=${say('page.redo')} title=${say('page.redo-keys')} ?disabled=${!future.length} @click=${redo}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="m13 4 4 4-4 4M17 8H8.5a4.5 4.5 0 0 0 0 9H12"></path></svg>
      </button>
      <button type="button" class="link-copy" aria-haspopup="dialog" aria-label=${link} title=${link} ?disabled=${!design} @click=${(/** @type {Event} */ event) => this.share(/** @type {HTMLElement} */ (event.currentTarget))}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M8.5 11.5a3.5 3.5 0 0 0 5 0l2.5-2.5a3.5 3.5 0 0 0-5-5L9.8 5.2M11.5 8.5a3.5 3.5 0 0 0-5 0L4 11a3.5 3.5 0 0 0 5 5l1.2-1.2"></path></svg><span>${link}</span>
      </button>
      ${this.#shares ? html`<share-link></share-link>` : nothing}
    `;
  }

  /** Opens the link to share beside a button. @param {HTMLElement} button */
  async share(button) {
    await laterStyles();
    await import('./share-link.js');
    this.#shares = true;
    this.requestUpdate();
    await this.updateComplete;
    const link = /** @type {import('./share-link.js').ShareLink | null} */ (this.querySelector('share-link'));
    await link?.open(button);
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const again = key === 'y' || (key === 'z' && event.shiftKey);
    if ((key !== 'z' && key !== 'y') || hasOwnUndo(event.target)) return;
    event.preventDefault();
    again ? redo() : undo();
  };
}

/**
 * True if the browser itself undoes typing in this element; the page undoes typing in the formula.
 * @param {EventTarget | null} target
 */
function hasOwnUndo(target) {
  if (!(target instanceof Element)) return false;
  if (target.closest('.formula')) return false;
  return target.matches('textarea, input:not([type=range], [type=radio], [type=checkbox], [type=file])');
}
customElements.define('history-buttons', HistoryButtons);
