import { html, nothing } from 'lit';
import { exportFigure, FIGURE_FILES } from '../../actions/figure-export.js';
import { moment } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { closeMenu } from '../shared/menu.js';

/** @import { Metric, Sheet } from '../../types.d.ts' */

const METRICS = /** @type {const} */ (['even', 'rows', 'bytes', 'share', 'reads', 'writes']);

/** Brightest there is. */
export const BRIGHTEST = 4096;

/**
 * State and callbacks of the tools.
 * @typedef {object} Tools
 * @property {Metric} metric
 * @property {boolean} reads whether the records tell reads from writes
 * @property {(metric: Metric) => void} choose
 * @property {boolean} linear
 * @property {(linear: boolean) => void} scale
 * @property {number} gain
 * @property {(factor: number) => void} brighten
 * @property {boolean} whole nothing to zoom out of
 * @property {(factor: number) => void} zoom
 * @property {() => void} reset
 * @property {import('../../heat/playback.js').Playback | null} playback none without a time
 * @property {string} nowText
 */

/** The row of tools above the picture. @param {Tools} tools */
export function heatTools(tools) {
  const { whole, zoom, reset, playback, nowText } = tools;
  return html`<div class="heat-tools">
    <span class="zoom" role="group" aria-label=${say('page.zoom')}>
      <span class="muted" aria-hidden="true">${say('page.zoom')}</span>
      ${button('page.zoom-out', '−', () => zoom(-1), whole)}
      ${button('page.zoom-in', '+', () => zoom(1))}
      ${whole ? nothing : html`<button type="button" class="quiet small" @click=${reset}>${say('page.zoom-reset')}</button>`}
    </span>
    ${playback ? player(playback, nowText) : nothing}
    <details class="save" @keydown=${closeMenu} @focusout=${closeMenu}>
      <summary class="quiet small">${say('page.heat-view')}</summary>
      <div>${view(tools)}
        <p class="muted small">${say('page.heat-save')}</p>
        ${FIGURE_FILES.map(
          (kind) =>
            html`<button type="button" class="quiet small" @click=${() => exportFigure(kind)}>${say(`page.export-${kind}`)}</button>`,
        )}</div>
    </details>
  </div>`;
}

/** A small button. @param {string} key @param {string} sign @param {() => void} act @param {boolean} [disabled] */
const button = (key, sign, act, disabled = false) =>
  html`<button type="button" class="quiet small" aria-label=${say(key)} title=${say(key)} ?disabled=${disabled} @click=${act}>${sign}</button>`;

/** Choices of the colours and their scale. @param {Tools} tools */
function view({ metric, reads, choose, linear, scale, gain, brighten }) {
  return html`
    <label class="color"><span class="muted small">${say('page.heat-metric')}</span>
      <select @change=${(/** @type {any} */ event) => choose(event.target.value)}>${METRICS.filter(
        (one) => reads || (one !== 'reads' && one !== 'writes'),
      ).map(
        (one) =>
          html`<option value=${one} title=${say(`page.metric-${one}-help`)} ?selected=${one === metric}>${say(`page.metric-${one}`)}</option>`,
      )}</select></label>
    <p class="muted small">${say(`page.metric-${metric}-help`)}</p>
    <fieldset class="segments">
      <legend class="unseen">${say('page.heat-scale')}</legend>
      ${[false, true].map(
        (
          one,
        ) => html`<label title=${say(one ? 'page.scale-linear-help' : 'page.scale-log-help')}><input type="radio" name="heat-scale" .checked=${one === linear} @change=${() => scale(one)}>
          <span>${say(one ? 'page.scale-linear' : 'page.scale-log')}</span></label>`,
      )}
    </fieldset>
    <span class="steps"><span class="muted small" aria-hidden="true">${say('page.heat-contrast')}</span>
      ${button('page.darker', '−', () => brighten(0.5), gain <= 1)}${button('page.brighter', '+', () => brighten(2), gain >= BRIGHTEST)}</span>`;
}

/** The moment that playback is at. @param {Sheet} sheet @param {number | null} now */
export function momentText({ time }, now) {
  if (!time || now === null) return '';
  const bucket = Math.min(time.buckets - 1, Math.floor(now * time.buckets));
  return moment(time.start + bucket * time.step, time.step);
}

/** Plays the arrivals; where it is, once it was begun. @param {import('../../heat/playback.js').Playback} playback @param {string} nowText */
function player(playback, nowText) {
  const { now, playing } = playback;
  const scrub = (/** @type {Event} */ event) =>
    playback.scrub(Number(/** @type {HTMLInputElement} */ (event.target).value) / 1000);
  return html`<span class="player" role="group" aria-label=${say('page.playback')}>
    <button type="button" class="quiet small" @click=${() => playback.toggle()}>
      <span aria-hidden="true">${playing ? '❚❚' : '▶'}</span> ${say(playing ? 'page.pause' : 'page.play')}</button>
    ${
      now === null
        ? nothing
        : html`<input type="range" min="0" max="1000" .value=${String(Math.round(now * 1000))} aria-label=${say('page.playback-moment')} aria-valuetext=${nowText} @input=${scrub}>
    <output class="figures" aria-live=${playing ? 'off' : 'polite'}>${nowText}</output>
    <button type="button" class="quiet small" aria-label=${say('page.playback-end')} title=${say('page.playback-end')} @click=${() => playback.end()}>×</button>`
    }
  </span>`;
}
