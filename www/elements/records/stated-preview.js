import { html, nothing } from 'lit';
import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { GuessedField } from '../../types.d.ts' */

/** Fields listed; the others are told when the records are there. */
const LISTED = 12;

/** The records as their file states them, while they are read. */
export class StatedPreview extends View {
  static reads = slices('records', 'work');

  render() {
    const { rows, groups, fields } = state.guess ?? {};
    if (rows === undefined || !fields) return nothing;
    const shown = fields.slice(0, LISTED);
    const stated = groups === undefined ? 'page.stated-rows' : 'page.stated-groups';
    return html`<p>${say(stated, { rows: count(rows), groups: count(groups ?? 0) })}</p>
      ${shown.some(({ range }) => range) ? table(shown) : nothing}
      ${shown.length < fields.length ? html`<p class="muted small">${say('page.fields', { count: count(fields.length) })}</p>` : nothing}`;
  }
}

/** @param {GuessedField[]} fields */
function table(fields) {
  return html`<div class="scroll"><table>
    <thead><tr><th>${say('page.field-name')}</th><th>${say('page.stated-least')}</th><th>${say('page.stated-most')}</th><th class="number">${say('page.stated-missing')}</th></tr></thead>
    <tbody>${fields.map(
      ({ name, range = {} }) => html`<tr><th scope="row" class="mono">${name}</th>
        ${end(range.least)}${end(range.most)}
        <td class="number">${range.missing === undefined ? '–' : count(range.missing)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

/** @param {string | undefined} value */
const end = (value) => html`<td class="mono" title=${value ?? nothing}>${value ?? '–'}</td>`;
customElements.define('stated-preview', StatedPreview);
