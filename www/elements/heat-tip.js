import { html, nothing } from 'lit';
import { say } from '../text.js';

/**
 * What is known of a cell. Pinned, each line can be copied.
 * @param {string[]} lines the first is the title
 * @param {{ pinned: boolean, copied: string | null, copy: (text: string) => void, unpin: () => void }} how
 */
export function heatTip([title, ...lines], { pinned, copied, copy, unpin }) {
  const line = (/** @type {string} */ text, /** @type {string} */ look) =>
    pinned
      ? html`<button type="button" class=${`line ${look}`} title=${say('page.copy')} @click=${() => copy(text)}>${text}${copied === text ? html` <em>${say('page.copied')}</em>` : nothing}</button>`
      : html`<span class=${look}>${text}</span>`;
  const all = [title, ...lines].join('\n');
  return html`
    <div class=${`tooltip${pinned ? ' pinned' : ''}`}>
      <strong>${title}</strong>
      ${lines.map((text, index) => line(text, index === 0 ? 'mono' : ''))}
      ${
        pinned
          ? html`<span class="row">
            <button type="button" class="quiet small" @click=${() => copy(all)}>${say(copied === all ? 'page.copied' : 'page.copy-all')}</button>
            <button type="button" class="quiet small" @click=${unpin}>${say('page.unpin')}</button>
          </span>`
          : nothing
      }
    </div>
  `;
}
