import { html, nothing } from 'lit';
import { say } from '../../text/sentences.js';

/** Milliseconds that is said what was done. */
export const SAID = 2500;

/**
 * Text to copy, with a button that does.
 * @param {string} text
 * @param {string} label what it is
 * @param {{ more?: unknown, shown?: number, main?: boolean }} [options] more: what stands beside the button; shown: characters shown of a
 *   longer text; main: whether the button is the main one of its place
 */
export function copyable(
  text,
  label,
  { more = nothing, shown = Number.POSITIVE_INFINITY, main = false } = {},
) {
  return html`<div class="copyable">
    <pre class="scroll mono" tabindex="0" role="group" aria-label=${label}>${text.length > shown ? `${text.slice(0, shown)}\n…` : text}</pre>
    <button type="button" class=${main ? 'main' : ''} @click=${(/** @type {Event} */ event) => copy(event, text)}>${say('page.copy')}</button>
    ${more}
    <span class="muted" role="status"></span>
  </div>`;
}

/** @param {Event} event @param {string} text */
async function copy({ currentTarget }, text) {
  const button = /** @type {Element} */ (currentTarget);
  const told = /** @type {Element} */ (button.parentElement?.querySelector('[role=status]'));
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
  }, SAID);
}
