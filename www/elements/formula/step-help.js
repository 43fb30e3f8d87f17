import { html, nothing } from 'lit';
import { propertiesOf } from '../../state/explain.js';
import '../../text/later-sentences.js';
import { say } from '../../text/sentences.js';

/** @import { Explained } from '../../state/explain.js' */

/**
 * Help for a step: its effect, its four properties and its result for the visible record.
 * @param {string} name in the catalogue of steps
 * @param {Explained | null} explained
 */
export function stepHelp(name, explained) {
  const help = say(`help.${name}`);
  const known = explained?.part ? propertiesOf(explained.part, explained.written) : null;
  const line = (/** @type {string} */ what, /** @type {string} */ says) =>
    says ? html`<div><dt>${say(what)}</dt><dd>${says}</dd></div>` : nothing;
  return html`
    ${help === `help.${name}` ? nothing : html`<p>${help}</p>`}
    ${
      known
        ? html`<dl>
          ${line('page.property-order', known.order)}${line('page.property-unique', known.unique)}
          ${line('page.property-width', known.width)}${line('page.property-alphabet', known.alphabet)}
          ${explained?.value != null ? html`<div><dt>${say('page.property-record')}</dt><dd class="mono value" dir="auto">${explained.value || '∅'}</dd></div>` : nothing}
        </dl>`
        : nothing
    }
  `;
}
