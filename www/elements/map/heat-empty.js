import { html, nothing, svg } from 'lit';
import { makeUp } from '../../actions/actions.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';

/** Replaces the heatmap if there are no rows: says why, and what to do. */
export function heatEmpty() {
  const { loaded, view } = state;
  const refused = Math.max(loaded?.problems.refused ?? 0, view?.refused.count ?? 0);
  return html`<figure class="heat status empty" aria-busy=${state.counting}>
    ${emptyIcon()}
    <p><strong>${say('page.none-drawn')}</strong></p>
    <p class="muted">${refused ? say('page.none-refused', { rows: refused }) : say('page.none-read')}</p>
    <div class="actions">
      ${refused ? html`<button type="button" class="main" @click=${why}>${say('page.none-why')}</button>` : nothing}
      <button type="button" @click=${makeUp}>${say('page.make-up')}</button>
    </div>
  </figure>`;
}

/** Regions with nothing in them. */
export const emptyIcon = () =>
  html`<svg viewBox="0 0 64 40" aria-hidden="true">${[0, 14, 28].map((y) => svg`<rect x="1" y=${y + 1} width="62" height="10" rx="2"></rect>`)}</svg>`;

/** Leads to the reasons for refusing records. */
function why() {
  const issues = /** @type {HTMLElement | null} */ (document.querySelector('data-line .issues'));
  issues?.scrollIntoView({ block: 'center' });
  issues?.click();
}
