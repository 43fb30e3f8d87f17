import { html, nothing } from 'lit/html.js';
import { partColours } from '../../../../www/design/part-colours.js';
import { borderAt } from '../../../../www/design/region-borders.js';
import { escaped } from '../../../../www/text/escaped-bytes.js';
import { count, moment } from '../../../../www/text/format.js';
import { say } from '../../../../www/text/sentences.js';

/** @import { KeyPage } from '../../../../www/types.d.ts' */
/** @import { Answer } from '../types.d.ts' */

/** The first keys in order, with the borders of regions between them. @param {Answer} answer */
export function keysView({ report, keys, parts = [] }) {
  if (!report || !keys) return nothing;
  const colours = partColours(parts);
  const { duplicates, min, max, mean, count: all } = report.keys;
  const listed = keys.ends.length;
  const facts = { count: count(all), min: count(min), max: count(max), mean: mean.toFixed(1) };
  const timed = keys.times.some((time) => !Number.isNaN(time));
  return html`<p class="muted">${say(min === max ? 'page.keys-alike' : 'page.keys-facts', facts)},
      ${duplicates.rows ? say('page.duplicates', { keys: count(duplicates.keys), rows: count(duplicates.rows) }) : say('page.no-duplicates')}</p>
    <div class="scroll" tabindex="0"><table part="table">
      <thead><tr><th class="number">#</th><th>${say('page.row-key')}</th>${timed ? html`<th class="number narrow-out">${say('figure.time')}</th>` : nothing}</tr></thead>
      <tbody>${Array.from({ length: listed }, (_, at) => {
        const border = borderAt(report.listed, at);
        return html`${border ? html`<tr class="border"><th colspan="3">${borderText(border)}</th></tr>` : nothing}
          <tr><td class="number">${count(at)}</td><td class="mono key">${colouredKey(keys, at, colours)}</td>
          ${timed ? html`<td class="number narrow-out">${moment(keys.times[at], 1000)}</td>` : nothing}</tr>`;
      })}</tbody></table></div>
    ${listed < all ? html`<p class="muted">${say('figure.keys-first', { listed: count(listed), all: count(all) })}</p>` : nothing}`;
}

/** @param {{ first: number, last: number }} border */
function borderText({ first, last }) {
  const code = ['page.region', 'page.region-after-empty'][last - first] ?? 'page.region-after-some-empty';
  return say(code, { index: count(last), first: count(first), before: count(last - 1) });
}

/**
 * The bytes of each part of a key.
 * @param {KeyPage} page
 * @param {number} index
 * @returns {{ part: number, bytes: Uint8Array }[]}
 */
export function partsOf({ bytes, ends, spans, parts }, index) {
  const start = index ? ends[index - 1] : 0;
  const end = ends[index];
  const pieces = [];
  let at = start;
  for (let part = 0; part < parts; part++) {
    const to = part === parts - 1 ? end : start + spans[index * parts + part];
    if (to > at) pieces.push({ part, bytes: bytes.subarray(at, to) });
    at = Math.max(at, to);
  }
  if (at < end) pieces.push({ part: parts, bytes: bytes.subarray(at, end) });
  return pieces;
}

/** @param {KeyPage} page @param {number} index @param {string[]} colours */
function colouredKey(page, index, colours) {
  return partsOf(page, index).map(
    ({ part, bytes }) => html`<span class=${`part-${colours[part] ?? 'fixed'}`}>${escaped(bytes)}</span>`,
  );
}
