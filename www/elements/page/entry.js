import { html, nothing, svg } from 'lit';
import { chooseExample, chooseFiles, startTour } from '../../actions/actions.js';
import { state } from '../../state/store.js';
import { scheme } from '../../state/theme.js';
import { describe, say } from '../../text/sentences.js';
import { openRecords } from '../records/open-records.js';
import './live-picture.js';

/** @import { Example } from '../../types.d.ts' */

const ICONS = {
  file: svg`<path d="M5 2.5h6.5L16 7v10.5H5zM11.5 2.5V7H16M10.5 15V10M8.25 12l2.25-2.25L12.75 12"></path>`,
  shell: svg`<path d="M2.5 4h15v12.5h-15zM5.5 8l2.5 2.25-2.5 2.25M10 13h4"></path>`,
  fields: svg`<path d="M3 4h14v12.5H3zM3 8.25h14M8 4v12.5"></path>`,
};
/** Examples whose cards have room before they are known. */
const CARDS = 4;

/** The example beside the question. */
const live = () => state.examples.find(({ id }) => id === state.example) ?? state.examples[0];

/** The question before anything was opened: three ways in, examples, and the one that is at work beside them. */
export function entry() {
  const shown = live();
  return html`
    <div class="entry-title">
      <h2>${say('page.entry')}</h2>
      <p class="muted">${say('page.entry-lead')}</p>
    </div>
    <div class="entry-ways">
    <div class="doors">
      <label class="button door main">${words('file')}<input type="file" multiple class="unseen" @change=${pick}></label>
      <button type="button" class="door" aria-haspopup="dialog" @click=${() => openRecords('paste')}>${words('shell')}</button>
      <button type="button" class="door" aria-haspopup="dialog" @click=${() => openRecords('fields')}>${words('fields')}</button>
    </div>
    ${entryExamples()}
    </div>
    <div class="entry-live"><span class="tag">${say('page.example')}</span><strong>${shown?.title}</strong>
      ${shown ? html`<button type="button" class="quiet small tour-it" @click=${startTour}>${say('page.entry-tour')}</button><button type="button" class="quiet small entry-open" aria-label=${say('page.entry-open-this')} @click=${() => chooseExample(shown.id)}>${say('page.entry-open')}</button>` : nothing}</div>
  `;
}

/** @param {keyof typeof ICONS} door */
const words = (door) =>
  html`<svg viewBox="0 0 20 20" aria-hidden="true">${ICONS[door]}</svg><strong>${say(`page.door-${door}`)}</strong><span>${say(`page.door-${door}-what`)}</span>`;

/** Its picture until it is drawn from its records. */
export const livePicture = () =>
  html`<live-picture class="stage" .preview=${live()?.preview} .scheme=${scheme()}></live-picture>`;

/** The other examples, each with its picture and verdict. */
function entryExamples() {
  const others = state.examples.filter((example) => example !== live());
  return html`<section class="entry-examples" aria-labelledby="entry-examples">
    <h3 id="entry-examples">${say('page.entry-examples')}</h3>
    <ul>${others.length ? others.map(card) : Array.from({ length: CARDS }, () => html`<li></li>`)}</ul>
  </section>`;
}

/** @param {Example} example */
const card = ({ id, title, preview }) => html`<li><button type="button" @click=${() => chooseExample(id)}>
  <live-picture .preview=${preview} .scheme=${scheme()}></live-picture>
  <strong>${title}</strong>
  ${preview ? html`<span class=${`badge ${preview.verdict.severity}`}>${describe(preview.verdict)}</span>` : nothing}
</button></li>`;

/** @param {Event} event */
function pick({ target }) {
  const input = /** @type {HTMLInputElement} */ (target);
  chooseFiles([...(input.files ?? [])]);
  input.value = '';
}
