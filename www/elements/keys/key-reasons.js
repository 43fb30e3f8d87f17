import { html, nothing } from 'lit';
import { bytes, count, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';

/** @import { Note, Suggestion, Suggestions } from '../../types.d.ts' */
/** @import { KeyRow } from './key-rows.js' */

/** A change smaller than this share of an even one is none. */
const LEAST = 0.0005;

/** A reason or a note, with the kind of records that it is about. @param {Note} note */
const noted = (note) => (note.kind ? `${note.kind}: ${describe(note)}` : describe(note));

/**
 * Why a key is as it is, and what becomes of it with one choice taken back.
 * @param {KeyRow} row
 * @param {(formula: string) => unknown} formula
 */
export function reasonsView({ rowkeys, reasons, suggestion }, formula) {
  const texts = [...new Set(reasons.map(noted))];
  return html`<div class="because">
    <div class="formulas">${rowkeys.map((rowkey) => html`<p><code>${formula(rowkey)}</code></p>`)}</div>
    <ul class="reasons">${texts.map((text) => html`<li>${text}</li>`)}</ul>
    ${suggestion?.without.length ? withoutTable(suggestion) : nothing}
    ${suggestion?.ties.map((keys) => html`<p class="muted small">${say('page.shortlist-tie')} <code>${keys.join(' · ')}</code></p>`) ?? nothing}
  </div>`;
}

/** @param {Suggestion} suggestion */
function withoutTable({ without }) {
  const signed = (/** @type {number} */ value, /** @type {string} */ text) =>
    value > 0 ? `+${text}` : `−${text}`;
  const figure = (/** @type {number} */ value, /** @type {(size: number) => string} */ say, least = LEAST) =>
    Math.abs(value) < least
      ? html`<td class="number muted">–</td>`
      : html`<td class=${`number is-${value > 0 ? 'worse' : 'better'}`}>${signed(value, say(Math.abs(value)))}</td>`;
  const told = new Set();
  const lines = without.filter(({ choice, change }) => {
    const text = JSON.stringify([choice, change]);
    return !told.has(text) && told.add(text);
  });
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${say('page.shortlist-why')}><table class="sides">
    <caption class="unseen">${say('page.shortlist-why')}</caption>
    <thead><tr><th scope="col">${say('page.shortlist-choices')}</th><th scope="col" class="number">${say('page.shortlist-hottest')}</th>
      <th scope="col" class="number">${say('page.shortlist-reads')}</th><th scope="col" class="number">${say('page.shortlist-bytes')}</th><th scope="col" class="number">${say('page.shortlist-repeated')}</th></tr></thead>
    <tbody>${lines.map(
      ({ choice, rowkey, change }) => html`<tr><th scope="row" title=${rowkey}>${describe(choice)}</th>
        ${figure(change.hottestServer, percent)}${figure(change.reads, count, 0.5)}${figure(change.bytesPerRow, bytes, 0.5)}${figure(change.repeatedRows, count, 0.5)}</tr>`,
    )}</tbody>
  </table></div>`;
}

/**
 * The assumptions of a search, and keys that were measured and are not suggested.
 * @param {Suggestions} answer
 * @param {Set<string>} shown codes of notes that are said elsewhere
 * @param {(formula: string) => unknown} formula
 */
export function basisView({ notes, considered }, shown, formula) {
  const said = notes.filter(({ code }) => !shown.has(code));
  return html`<div class="because">
    <ul class="reasons">${said.map((/** @type {Note} */ note) => html`<li>${noted(note)}</li>`)}</ul>
    <dl class="others">${considered.alternatives.map(
      ({ rowkey, reason }) =>
        html`<div><dt><code>${formula(rowkey)}</code></dt><dd class="muted">${describe(reason)}</dd></div>`,
    )}</dl>
  </div>`;
}
