import { html } from 'lit';
import { say } from '../text.js';

/** Milliseconds that is said what was done. */
const TOLD = 2000;

/**
 * Text to copy, with a button that does.
 * @param {string} text
 * @param {string} label what it is
 */
export function copyable(text, label) {
  return html`<div class="copyable">
    <pre class="scroll mono" tabindex="0" role="group" aria-label=${label}>${text}</pre>
    <button type="button" @click=${(/** @type {Event} */ event) => copy(event, text)}>${say('page.copy')}</button>
    <span class="muted" role="status"></span>
  </div>`;
}

/** @param {Event} event @param {string} text */
async function copy({ currentTarget }, text) {
  const button = /** @type {Element} */ (currentTarget);
  const told = /** @type {Element} */ (button.nextElementSibling);
  try {
    await navigator.clipboard.writeText(text);
    told.textContent = say('page.copied');
  } catch {
    // Without leave to write to the clipboard the text is marked, so that a key press copies it.
    getSelection()?.selectAllChildren(/** @type {Element} */ (button.previousElementSibling));
    told.textContent = say('page.copy-marked');
  }
  setTimeout(() => {
    told.textContent = '';
  }, TOLD);
}
