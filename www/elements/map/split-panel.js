import { html, nothing } from 'lit';
import { setSplits } from '../../actions/actions.js';
import { keyOfSplits } from '../../design/document.js';
import { splitPoints, table } from '../../state/document-engine.js';
import { word } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { Splits } from '../../types.d.ts' */

const ALGORITHMS = ['HexStringSplit', 'DecimalStringSplit', 'UniformSplit'];
/**
 * Initial splits when a person switches to another kind of split.
 * @type {Record<string, (regions: number) => Splits>}
 */
const OTHERS = {
  between: (regions) => ({
    between: ['0000000000000000', 'ffffffffffffffff'],
    regions: Math.max(3, regions),
  }),
  hexRange: (regions) => ({ hexRange: ['0000000000000000', 'ffffffffffffffff'], regions }),
  shortRange: (regions) => ({ shortRange: [0, 32767], regions: Math.max(3, regions) }),
  salts: saltsOf,
  sample: (regions) => ({ sample: regions }),
};
const MOST_REGIONS = 1_000_000;
/** Most digits of a salt. */
const MOST_DIGITS = 9;
/** Split points that a person is given to edit. */
const MOST_POINTS = 999;
/** Regions that the slider reaches. */
const SLIDER = 256;

/** How the table is split into regions. */
export class SplitPanel extends View {
  static reads = slices('design', 'history');

  /** @type {Splits} the splits last chosen with a number of regions, to come back to */
  #counted = { algorithm: 'HexStringSplit', regions: 16 };

  render() {
    const splits = table()?.splits ?? {};
    const kind = kindOf(splits);
    const regions = regionsOf(splits);
    return html`
      <section class="panel" aria-labelledby="splits-title">
        <div class="title">
          <h2 id="splits-title">${word('region', say('page.regions'))}</h2>
          <select aria-labelledby="splits-title" @change=${this.#choose}>
            ${[...ALGORITHMS, ...Object.keys(OTHERS), 'points', ...(kind === 'other' ? ['other'] : [])].map(
              (one) =>
                html`<option value=${one} ?selected=${one === kind}>${say(`page.split-${one}`)}</option>`,
            )}
          </select>
        </div>
        ${kind === 'points' ? this.#points(splits.points ?? []) : this.#slider(splits, regions)}
        ${kind === 'salts' ? this.#digits(splits) : nothing}
        ${kind === 'between' ? this.#between(splits) : nothing}
        ${this.#stale(regions)}
        ${state.designProblems.map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}
      </section>
    `;
  }

  /** Says that split points were set for another key. @param {number} regions */
  #stale(regions) {
    const { design, table: index, past } = state;
    const designs = past.map((moment) => moment.design);
    const rowkey = design && keyOfSplits(design, index, designs);
    if (!rowkey) return nothing;
    return html`<p class="note warning">${say('page.splits-stale')} <code>${rowkey}</code>
      <button type="button" class="quiet" @click=${() => setSplits({ sample: regions })}>${say('page.splits-follow', { regions: count(regions) })}</button></p>`;
  }

  /** @param {Splits} splits @param {number} regions */
  #slider(splits, regions) {
    const to = (/** @type {Event} */ event) => {
      const asked = Math.round(Number(/** @type {HTMLInputElement} */ (event.target).value));
      if (asked >= 1) setSplits({ ...splits, [countMember(splits)]: Math.min(MOST_REGIONS, asked) });
    };
    return html`<div class="slider">
      <input type="range" min="1" max=${SLIDER} .value=${String(Math.min(SLIDER, regions))} @input=${to}
        aria-label=${say('page.region-slider')} aria-valuetext=${say('page.region-count', { count: count(regions) })}>
      <input type="number" min="1" max=${MOST_REGIONS} .value=${String(regions)} @change=${to} aria-label=${say('page.region-number')}>
    </div>`;
  }

  /** Decimal digits of a salt; none for one byte. @param {Splits} splits */
  #digits({ digits, ...splits }) {
    const to = (/** @type {any} */ event) => {
      const asked = Math.min(MOST_DIGITS, Math.round(Number(event.target.value)));
      setSplits(asked >= 1 ? { ...splits, digits: asked } : splits);
    };
    return html`<label class="digits"><span class="muted">${say('page.salt-digits')}</span>
      <input type="number" min="0" max=${MOST_DIGITS} .value=${String(digits ?? 0)} @change=${to}></label>`;
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
    const regions = regionsOf(now);
    if (!now.points) this.#counted = now;
    if (value === 'points') setSplits({ points: (await pointsOf(now)).slice(0, MOST_POINTS) });
    else if (OTHERS[value]) setSplits(this.#counted[value] ? this.#counted : OTHERS[value](regions));
    else if (value !== 'other')
      setSplits({ algorithm: value, regions: Math.max(value === 'HexStringSplit' ? 2 : 1, regions) });
  };
}

/** Salts as the key begins with, where it begins with a bucket in decimal digits. @param {number} regions @returns {Splits} */
function saltsOf(regions) {
  const first = state.check?.parts[0];
  const salts = Math.min(256, first?.distinct ?? regions);
  const digits = /\.decimal\((\d+)\)$/.exec(first?.text ?? '')?.[1];
  return { salts, ...(digits && { digits: Number(digits) }) };
}

/** @param {Splits} splits */
function kindOf(splits) {
  if (splits.points) return 'points';
  const other = Object.keys(OTHERS).find((name) => splits[name] !== undefined);
  return other ?? (ALGORITHMS.includes(splits.algorithm ?? '') ? splits.algorithm : 'other');
}

/** The member that says how many regions there are. @param {Splits} splits */
const countMember = (splits) => ['salts', 'sample'].find((name) => splits[name] !== undefined) ?? 'regions';

/** @param {Splits} splits */
const regionsOf = (splits) =>
  splits.points ? splits.points.length + 1 : Number(splits[countMember(splits)] ?? 1);

/** The split points as they are; those of the records where they follow from them. @param {Splits} splits */
async function pointsOf(splits) {
  const { points } = await splitPoints(splits);
  return points.length ? points : (state.view?.picture.starts ?? []).slice(1);
}
customElements.define('split-panel', SplitPanel);
