import { count, percent } from '../text/format.js';
import { say } from '../text/sentences.js';

/** @import { Design, Source, View } from '../types.d.ts' */

/** Regions in the table that is read where there is no script. */
const LISTED = 8;
const MARKS = /** @type {Record<string, string>} */ ({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
});
const escaped = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (mark) => MARKS[mark]);

/**
 * HTML that shows a design in another page: the figure element with the design inside, next to its records
 * file.
 * @param {Design} design
 * @param {Source | null} source
 * @param {View | null} view
 */
export function embedOf(design, source, view) {
  const made = source?.kind === 'generator' && !design.records && !design.generate;
  const document = made ? { ...design, generate: source.spec } : design;
  const data = source && source.kind !== 'generator' ? ` data="${escaped(source.name)}"` : '';
  const rows = (view?.busiestRegions ?? []).slice(0, LISTED).map(({ index, start, rows: held, share }) => {
    const cells = [count(index), start || say('page.first-key'), count(held), percent(share)];
    return `    <tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  });
  const heads = ['#', say('page.start-key'), say('page.rows'), say('page.metric-share')];
  const head = `    <tr>${heads.map((text) => `<th>${escaped(text)}</th>`).join('')}</tr>`;
  return [
    '<script type="module" src="rowscape/element.js"></script>',
    `<rowscape-figure${data}>`,
    // Only “</script” could end the script element early, so escape every “<”.
    `  <script type="application/json">${JSON.stringify(document).replaceAll('<', '\\u003c')}</script>`,
    ...(rows.length ? ['  <table>', head, ...rows, '  </table>'] : []),
    '</rowscape-figure>',
    '',
  ].join('\n');
}
