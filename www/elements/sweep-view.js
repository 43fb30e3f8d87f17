import { html, nothing } from 'lit';
import { applyFix, vary } from '../actions.js';
import { offBy } from '../estimate.js';
import { table } from '../language.js';
import { state } from '../store.js';
import { describe, say } from '../text.js';
import { measured } from './measures.js';
import { smallChart } from './small-chart.js';
import { View } from './view.js';

/** @import { Line, Parameter, Sweep, Variant } from '../types.d.ts' */

/** Curves of a design's measures: of each the first that is known. @type {Record<string, string[]>} */
const CURVES = {
  'page.sweep-writes': ['measure.written-at-once', 'measure.effective-regions'],
  'page.sweep-largest': ['measure.largest-share'],
  'page.sweep-bytes': ['measure.table-bytes'],
};

/** One thing of the design varied: what writes, reads and storage make of it. */
export class SweepView extends View {
  /** Which variant is looked at; the design itself at first. */
  #at = -1;
  /** @type {Sweep | null} */
  #of = null;

  render() {
    const { parameters, varied, sweep } = state;
    if (!parameters.length) return nothing;
    return html`
      <div class="vary">
        <label class="figure-input"><span>${say('page.sweep-vary')}</span>
          <select @change=${this.#choose}>
            <option value="" ?selected=${!varied}>${say('page.sweep-nothing')}</option>
            ${parameters.map((one, index) => html`<option value=${index} ?selected=${same(one, varied)}>${nameOf(one)}</option>`)}
          </select></label>
        ${sweep ? this.#curves(sweep) : nothing}
      </div>
    `;
  }

  /** @param {Sweep} sweep */
  #curves(sweep) {
    const order = orderOf(sweep);
    if (sweep !== this.#of) {
      this.#of = sweep;
      this.#at = order.indexOf(0);
    }
    const at = Math.max(0, Math.min(this.#at, order.length - 1));
    const chosen = sweep.variants[order[at]];
    const label = (/** @type {number} */ index) => settingOf(sweep.variants[order[index]], sweep.parameter);
    const common = { day: at, point: this.#point, begin: label(0), end: label(order.length - 1), dots: true };
    const curve = (
      /** @type {string} */ title,
      /** @type {Pick<Line, 'unit' | 'values'>} */ { unit, values },
    ) =>
      smallChart({
        ...common,
        title: say(title),
        format: (value) => measured(unit, value),
        series: [{ name: '', values: order.map((index) => values[index] ?? 0), look: 'line' }],
      });
    const lines = new Map(sweep.lines.map((line) => [line.code, line]));
    const own = Object.entries(CURVES).flatMap(([title, codes]) => {
      const line = codes.map((code) => lines.get(code)).find((known) => known);
      return line ? [curve(title, line)] : [];
    });
    const reads = meanRegions(sweep);
    return html`
      <div class="charts">${own}${reads ? curve('page.sweep-reads', reads) : nothing}</div>
      <label class="day"><span>${label(at)}</span>
        <input type="range" min="0" max=${order.length - 1} .value=${String(at)} aria-valuetext=${label(at)} @input=${(/** @type {Event} */ event) => this.#point(Number(/** @type {HTMLInputElement} */ (event.target).value))}></label>
      ${chosen.problem ? html`<p class="note bad">${describe(chosen.problem)}</p>` : this.#apply(chosen)}
      <p class="muted small">${reads ? nothing : say('page.sweep-no-queries')} ${sweep.sampled < sweep.rows ? say('page.sweep-sampled', { sampled: sweep.sampled, rows: sweep.rows, off: offBy(sweep.sampled) }) : nothing}</p>
    `;
  }

  /** @param {Variant} variant */
  #apply({ rowkey, splits }) {
    const now = table();
    const fix = {
      ...(rowkey !== this.#of?.variants[0].rowkey && { rowkey }),
      ...(JSON.stringify(splits) !== JSON.stringify(now?.splits) && { splits }),
    };
    return html`<div class="actions"><code>${rowkey}</code>
      <button type="button" ?disabled=${!Object.keys(fix).length} @click=${() => applyFix(fix)}>${say('page.apply')}</button></div>`;
  }

  /** @param {Event} event */
  #choose = (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    vary(value === '' ? null : state.parameters[Number(value)]);
  };

  #point = (/** @type {number} */ at) => {
    this.#at = at;
    this.requestUpdate();
  };
}

/** @param {Parameter} one @param {Parameter | null} other */
function same(one, other) {
  return one.parameter === other?.parameter && one.number === other.number;
}

/** @param {Parameter} parameter */
function nameOf({ parameter, text, value }) {
  return say(`page.sweep-${parameter}`, { text, value: value ?? '' });
}

/** What a variant is called. @param {Variant} variant @param {Parameter} parameter */
function settingOf({ setting, rowkey }, { value, parameter }) {
  const number = typeof setting === 'number' ? setting : setting === null ? value : undefined;
  return number === undefined || parameter === 'order' ? rowkey : String(number);
}

/** Variants by their number; orders of parts as they come. @param {Sweep} sweep */
function orderOf({ variants, parameter }) {
  const number = (/** @type {number} */ at) => Number(variants[at].setting ?? parameter.value ?? 0);
  const all = [...variants.keys()];
  return parameter.parameter === 'order' ? all : all.sort((a, b) => number(a) - number(b));
}

/** Regions that a query touches, on average. @param {Sweep} sweep @returns {Pick<Line, 'unit' | 'values'> | null} */
function meanRegions({ queries, variants }) {
  const lines = queries.flatMap(({ lines: own }) =>
    own.filter(({ code }) => code === 'measure.regions-read'),
  );
  if (!lines.length) return null;
  const mean = (/** @type {number} */ at) =>
    lines.reduce((sum, { values }) => sum + (values[at] ?? 0), 0) / lines.length;
  const values = variants.map((_, at) => mean(at));
  return { unit: 'regions', values };
}
customElements.define('sweep-view', SweepView);
