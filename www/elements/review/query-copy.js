import { html } from 'lit';
import { describe, say } from '../../text/sentences.js';
import { SAID } from '../shared/copy.js';
import { closeMenu } from '../shared/menu.js';

/** @import { Problem } from '../../types.d.ts' */

/** Exports that hold queries. */
const FORMS = ['scan-shell', 'scan-rest', 'reader-java', 'reader-scala', 'reader-python'];

/** Menu that copies the code of one query. @param {number} index */
export function copyMenu(index) {
  return html`<details class="save copy-as" @keydown=${closeMenu} @focusout=${closeMenu}>
      <summary class="quiet small">${say('page.query-copy')}</summary>
      <div>${FORMS.map(
        (name) =>
          html`<button type="button" class="quiet small" @click=${(/** @type {Event} */ event) => copy(event, name, index)}>${say(`page.export-${name}`)}</button>`,
      )}</div>
    </details>
    <span class="muted small" role="status"></span>
    <pre class="scroll mono" tabindex="0" role="group" aria-label=${say('page.query-copy')} hidden></pre>`;
}

/** @param {Event} event @param {string} name @param {number} index */
async function copy({ currentTarget }, name, index) {
  const menu = /** @type {HTMLDetailsElement} */ (/** @type {Element} */ (currentTarget).closest('details'));
  const told = /** @type {HTMLElement} */ (menu.nextElementSibling);
  const shown = /** @type {HTMLElement} */ (told.nextElementSibling);
  shown.hidden = true;
  // Said again after a pause, it is read out again.
  told.textContent = '';
  menu.querySelector('summary')?.focus();
  menu.open = false;
  try {
    const { emittedQuery } = await import('../../actions/exports.js');
    const { text } = await emittedQuery(name, index);
    told.textContent = await copied(text, shown);
    setTimeout(() => {
      told.textContent = '';
    }, SAID);
  } catch (error) {
    told.textContent = describe(/** @type {Problem} */ (error));
  }
}

/** Without leave to write to the clipboard the text is shown and marked. @param {string} text @param {HTMLElement} shown */
async function copied(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return say('page.copied');
  } catch {
    shown.textContent = text;
    shown.hidden = false;
    getSelection()?.selectAllChildren(shown);
    return say('page.copy-marked');
  }
}
