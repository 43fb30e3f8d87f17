import { html, nothing } from 'lit/html.js';
import { partColours } from '../../../../www/design/part-colours.js';
import { escaped } from '../../../../www/text/escaped-bytes.js';
import { count } from '../../../../www/text/format.js';
import { say } from '../../../../www/text/sentences.js';
import { partsOf } from './keys-view.js';

/** @import { Answer } from '../types.d.ts' */

/** The row key of a record in the middle, byte by byte, under the part of the formula that makes them. @param {Answer} answer */
export function bytesView({ keys, parts = [], rowkey = '', record, report }) {
  if (!keys)
    return html`<p>${say(report ? 'figure.no-keys' : 'figure.no-records', { view: 'bytes' })}</p><p class="mono">${rowkey}</p>`;
  const colours = partColours(parts);
  const pieces = partsOf(keys, 0);
  return html`<div class="scroll" tabindex="0"><table part="table" class="bytes">
      <thead><tr><th>${say('figure.part')}</th><th class="number">${say('figure.bytes')}</th><th>${say('figure.shown')}</th><th>${say('figure.hex')}</th></tr></thead>
      <tbody>${pieces.map(
        ({ part, bytes }) => html`<tr>
          <td class="mono">${parts[part]?.text ?? ''}</td><td class="number">${count(bytes.length)}</td>
          <td class="mono"><span class=${`part-${colours[part] ?? 'fixed'}`}>${escaped(bytes)}</span></td>
          <td class="mono">${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ')}</td></tr>`,
      )}</tbody></table></div>
    ${
      record
        ? html`<p class="muted">${say('figure.record', { index: count(keys.rows[0]) })}
      ${Object.entries(record).map(([field, value]) => html`<span class="field">${field} <span class="mono">${value}</span></span> `)}</p>`
        : nothing
    }`;
}
