import { html, nothing } from 'lit';
import { resize } from '../../actions/resize.js';
import { state } from '../../state/store.js';
import { bytes, count } from '../../text/format.js';
import { say } from '../../text/sentences.js';

/** @import { Sizing } from '../../types.d.ts' */

/**
 * How many regions a table should have: every rule with its answer and its source.
 * @param {Sizing} sizing
 * @param {number} months
 */
export function sizingRules({ bytes: size, suggested, bearable, rules }, months) {
  const { view } = state;
  return html`
    <h3>${say('page.sizing')}</h3>
    <p class="sentence">${say('page.sizing-sentence', { size: bytes(size), months, regions: count(suggested) })}
      ${bearable ? nothing : html`<strong class="bad">${say('page.sizing-unbearable')}</strong>`}</p>
    ${view && view.regionCount !== suggested ? html`<div class="actions"><button type="button" @click=${() => resize(suggested)}>${say('page.sizing-take', { regions: count(suggested) })}</button></div>` : nothing}
    <div class="scroll" tabindex="0" role="group" aria-label=${say('page.sizing')}><table>
      <thead><tr><th>${say('page.sizing-rule')}</th><th class="number">${say('page.regions')}</th><th>${say('page.sizing-source')}</th></tr></thead>
      <tbody>${rules.map(
        ({
          name,
          source,
          ...answer
        }) => html`<tr><th scope="row">${say(`page.sizing-${name}`)}</th><td class="number">${answered(answer)}</td>
          <td class="muted">${sourceOf(name, source)}</td></tr>`,
      )}</tbody>
    </table></div>`;
}

/**
 * Where a rule comes from, in words.
 * @param {string} name
 * @param {string} source class, property or address
 */
function sourceOf(name, source) {
  const words = say(`page.sizing-from-${name}`, { source });
  return source.startsWith('https:')
    ? html`<a href=${source} rel="noreferrer noopener" target="_blank">${words}</a>`
    : words;
}

/** The answer of a rule. @param {{ least?: number, most?: number, splitsAt?: number }} answer */
function answered({ least, most, splitsAt }) {
  if (least === undefined) return say('page.sizing-silent');
  if (splitsAt !== undefined)
    return say('page.sizing-splits', { regions: count(least), size: bytes(splitsAt) });
  if (most === undefined) return say('page.sizing-least', { least: count(least) });
  if (least === most) return count(least);
  return least <= 1 ? say('page.sizing-most', { most: count(most) }) : `${count(least)} – ${count(most)}`;
}
