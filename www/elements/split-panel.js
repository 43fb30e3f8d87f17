import { html, nothing } from 'lit';
import { setSplits } from '../actions.js';
import { count } from '../format.js';
import { splitPoints, table } from '../language.js';
import { state } from '../store.js';
import { describe, say } from '../text.js';
import { View } from './view.js';

/** @import { Splits } from '../types.d.ts' */

const ALGORITHMS = ['HexStringSplit', 'DecimalStringSplit', 'UniformSplit'];
const MOST_REGIONS = 1_000_000;
/** Split points that a person is given to edit. */
const MOST_POINTS = 999;
/** Regions that the slider reaches. */
const SLIDER = 256;

/** How the table is split into regions. */
export class SplitPanel extends View {
  /** @type {Splits} the splits last chosen with a number of regions, to come back to */
  #counted = { algorithm: 'HexStringSplit', regions: 16 };

  render() {
    const splits = table()?.splits ?? {};
    const kind = kindOf(splits);
    const regions = splits.points ? splits.points.length + 1 : Number(splits.regions ?? 1);
    return html`
      <section class="panel" aria-labelledby="splits-title">
        <div class="title">
          <h2 id="splits-title">${say('page.regions')}</h2>
          <select aria-labelledby="splits-title" @change=${this.#choose}>
            ${[...ALGORITHMS, 'between', 'points', ...(kind === 'other' ? ['other'] : [])].map(
              (one) =>
                html`<option value=${one} ?selected=${one === kind}>${say(`page.split-${one}`)}</option>`,
            )}
          </select>
        </div>
        ${kind === 'points' ? this.#points(splits.points ?? []) : this.#slider(splits, regions)}
        ${kind === 'between' ? this.#between(splits) : nothing}
        ${state.designProblems.map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}
      </section>
    `;
  }

  /** @param {Splits} splits @param {number} regions */
  #slider(splits, regions) {
    const to = (/** @type {Event} */ event) => {
      const asked = Math.round(Number(/** @type {HTMLInputElement} */ (event.target).value));
      if (asked >= 1) setSplits({ ...splits, regions: Math.min(MOST_REGIONS, asked) });
    };
    return html`<div class="slider">
      <input type="range" min="1" max=${SLIDER} .value=${String(Math.min(SLIDER, regions))} @input=${to}
        aria-label=${say('page.region-slider')} aria-valuetext=${say('page.region-count', { count: count(regions) })}>
      <input type="number" min="1" max=${MOST_REGIONS} .value=${String(regions)} @change=${to} aria-label=${say('page.region-number')}>
    </div>`;
  }

  /** @param {Splits} splits */
  #between(splits) {
    const [start, end] = splits.between ?? ['', ''];
    const set = (/** @type {string} */ from, /** @type {string} */ to) =>
      setSplits({ ...splits, between: [from, to] });
    return html`<div class="ends">
      <label><span>${say('page.between-start')}</span><input class="mono" .value=${start} @change=${(/** @type {any} */ event) => set(event.target.value, end)}></label>
      <label><span>${say('page.between-end')}</span><input class="mono" .value=${end} @change=${(/** @type {any} */ event) => set(start, event.target.value)}></label>
    </div>`;
  }

  /** @param {string[]} points */
  #points(points) {
    return html`<label class="points"><span class="muted">${say('page.points-help')}</span>
      <textarea class="mono" rows=${Math.max(3, Math.min(10, points.length + 1))} spellcheck="false" .value=${points.join('\n')}
        @change=${(/** @type {any} */ event) =>
          setSplits({
            points: event.target.value
              .split('\n')
              .map((/** @type {string} */ line) => line.trim())
              .filter(Boolean),
          })}></textarea>
    </label>`;
  }

  /** @param {Event} event */
  #choose = async (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    const now = table()?.splits ?? {};
    const regions = now.points ? now.points.length + 1 : Number(now.regions ?? this.#counted.regions ?? 16);
    if (!now.points) this.#counted = now;
    if (value === 'points') setSplits({ points: (await splitPoints(now)).points.slice(0, MOST_POINTS) });
    else if (value === 'between')
      setSplits({ between: now.between ?? ['0000000000000000', 'ffffffffffffffff'], regions });
    else if (value !== 'other')
      setSplits({ algorithm: value, regions: Math.max(value === 'HexStringSplit' ? 2 : 1, regions) });
  };
}

/** @param {Splits} splits */
function kindOf({ algorithm, points, between }) {
  if (points) return 'points';
  if (between) return 'between';
  return ALGORITHMS.includes(algorithm ?? '') ? algorithm : 'other';
}
customElements.define('split-panel', SplitPanel);
