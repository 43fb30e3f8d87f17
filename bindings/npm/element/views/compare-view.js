import { html, nothing } from 'lit/html.js';
import { measured, sideText } from '../../../../www/text/measures.js';
import { say } from '../../../../www/text/sentences.js';

/** @import { Line } from '../../../../www/types.d.ts' */
/** @import { Answer } from '../types.d.ts' */

/** Designs side by side on the same records: the measures by which they differ. @param {Answer} answer */
export function compareView({ comparison }) {
  if (!comparison) return nothing;
  const { equalShares, designs, lines, queries, names } = comparison;
  const differ = (/** @type {Line} */ { changes }) => changes.some((change) => change !== 'same');
  const moved = designs
    .slice(1)
    .map((side, index) => html`<p>${sideText(side, names[index + 1], names[0], equalShares)}</p>`);
  return html`${moved}<div class="scroll" tabindex="0"><table part="table">
    <thead><tr><th>${say('page.compare-measure')}</th>${designs.map(({ rowkey }, index) => html`<th class="number"><strong>${names[index]}</strong><br><span class="mono">${rowkey}</span></th>`)}</tr></thead>
    <tbody>${lines.filter(differ).map(row)}
      ${queries.map(({ name, lines: own }) => {
        const other = own.filter(differ);
        return other.length
          ? html`<tr class="border"><th colspan=${designs.length + 1}>${name}</th></tr>${other.map(row)}`
          : nothing;
      })}</tbody></table></div>`;
}

/** A measure of all designs. @param {Line} line */
function row({ code, unit, values, changes }) {
  return html`<tr><th scope="row">${say(code)}</th>${values.map((value, index) => {
    const change = index ? changes[index] : 'same';
    return html`<td class=${`number is-${change}`}>${change === 'same' ? nothing : html`<small>${say(`page.compare-${change}`)}</small> `}${measured(unit, value)}</td>`;
  })}</tr>`;
}
