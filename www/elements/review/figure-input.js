import { html, nothing } from 'lit';
import { figureIn } from '../../text/format.js';

/**
 * A figure to fill in: `1,000,000`, `1e6` and `1M` are all taken.
 * @param {object} about
 * @param {string} about.label
 * @param {string | number | undefined} about.value
 * @param {string} [about.unit] what it counts
 * @param {string} [about.hint] what holds while it is empty
 * @param {(value: string | number | undefined) => unknown} about.set told `undefined` for an empty one, the text itself when it is no figure
 */
export function figureInput({ label, value, unit, hint = '', set }) {
  const changed = (/** @type {Event} */ event) => {
    const text = /** @type {HTMLInputElement} */ (event.target).value.trim();
    set(text === '' ? undefined : figureIn(text));
  };
  const shown =
    typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 6 }) : (value ?? '');
  return html`<label class="figure-input"><span>${label}</span>
    <span class="with-unit"><input inputmode="decimal" autocomplete="off" placeholder=${hint} .value=${shown} @change=${changed}>${unit ? html`<span class="unit">${unit}</span>` : nothing}</span></label>`;
}
