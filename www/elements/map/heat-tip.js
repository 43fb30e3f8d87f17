import { html, nothing } from 'lit';
import { boxOf } from '../../heat/layout.js';
import { say } from '../../text/sentences.js';

/** @import { Cell } from '../../heat/readout.js' */
/** @import { Scene } from '../../heat/scene.js' */

/**
 * Details of a cell. While pinned, each line can be copied.
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

/**
 * Puts the tooltip beside its cell, inside the figure.
 * @param {Element} figure
 * @param {Scene} scene
 * @param {Cell} cell
 */
export function placeTip(figure, { layout, sheet, span }, cell) {
  const tooltip = /** @type {HTMLElement | null} */ (figure.querySelector('.tooltip'));
  const stage = /** @type {HTMLElement | null} */ (figure.querySelector('.stage'));
  if (!tooltip || !stage) return;
  const box = boxOf(layout, sheet.picture, cell, span);
  const { width, height } = tooltip.getBoundingClientRect();
  const right = box.x + box.width + 12;
  const left = right + width <= layout.width ? right : box.x - width - 12;
  // Where there is no room beside the cell, it stands below or above it.
  const below = box.y + box.height + 12;
  const high = left >= 0 ? box.y - 12 : below + height <= layout.height ? below : box.y - height - 12;
  const top = Math.max(0, Math.min(high, layout.height - height)) + stage.offsetTop;
  const inside = Math.max(0, Math.min(layout.width - width, left));
  tooltip.style.setProperty('translate', `${Math.round(inside)}px ${Math.round(top)}px`);
}
