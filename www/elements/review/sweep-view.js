import { html, nothing } from 'lit';
import { applyFix, limitScans, vary } from '../../actions/actions.js';
import { bestWithin, countsBuckets, scansOf } from '../../design/sweeps.js';
import { table } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { offBy } from '../../text/estimate.js';
import { count, decimal, percent } from '../../text/format.js';
import { measured, measuredBetween } from '../../text/measures.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { figureInput } from './figure-input.js';
import { smallChart } from './small-chart.js';

/** @import { Line, Parameter, Sweep, Variant } from '../../types.d.ts' */

/** Curves of a design's measures: of each the first that is known. @type {Record<string, string[]>} */
const CURVES = {
  'page.sweep-writes': ['measure.written-at-once', 'measure.effective-regions'],
  'page.sweep-largest': ['measure.largest-share'],
  'page.sweep-bytes': ['measure.table-bytes'],
};

/** One thing of the design varied: what writes, reads and storage make of it. */
export class SweepView extends View {
  static reads = slices('design', 'review');

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
        ${varied && countsBuckets(varied) && sweep ? this.#limit(sweep) : nothing}
        ${sweep ? this.#curves(sweep) : nothing}
      </div>
    `;
  }

  /** How many scans a query may take, and what is best within that. @param {Sweep} sweep */
  #limit(sweep) {
    const { mostScans } = state;
    if (!sweep.queries.length) return nothing;
    const tried = mostScans !== null && sweep.mostScans === mostScans;
    const best = tried ? bestWithin(sweep, mostScans) : null;
    return html`
      ${figureInput({ label: say('page.sweep-most-scans'), value: mostScans ?? undefined, hint: say('page.sweep-no-limit'), set: this.#allow })}
      <p class="sentence" role="status">${
        !tried
          ? nothing
          : best
            ? say(`page.sweep-best-${best.by}`, {
                most: count(mostScans),
                value: settingOf(sweep.variants[best.at], sweep.parameter),
                spread: (best.by === 'share' ? percent : decimal)(best.value),
                scans: count(best.scans),
              })
            : say('page.sweep-none-within', { most: count(mostScans) })
      }</p>`;
  }

  #allow = (/** @type {string | number | undefined} */ most) => {
    limitScans(typeof most === 'number' && most >= 1 ? Math.round(most) : null);
  };

  /** @param {Sweep} sweep */
  #curves(sweep) {
    const order = orderOf(sweep);
    if (sweep !== this.#of) {
      this.#of = sweep;
      const best = sweep.mostScans === null ? null : bestWithin(sweep, sweep.mostScans);
      this.#at = order.indexOf(best?.at ?? 0);
    }
    const at = Math.max(0, Math.min(this.#at, order.length - 1));
    const chosen = sweep.variants[order[at]];
    const label = (/** @type {number} */ index) => settingOf(sweep.variants[order[index]], sweep.parameter);
    const common = { day: at, point: this.#point, begin: label(0), end: label(order.length - 1), dots: true };
    const curve = (
      /** @type {string} */ title,
      /** @type {Pick<Line, 'unit' | 'values' | 'between'>} */ { unit, values, between },
      /** @type {number | null} */ most = null,
    ) =>
      smallChart({
        ...common,
        title: say(title),
        // A line of its own in all or in none, so that the curves stand side by side.
        about: measuredBetween(unit, between?.[order[at]]) || (sweep.sampled < sweep.rows ? '\u00a0' : ''),
        format: (value) => measured(unit, Number.isNaN(value) ? null : value),
        series: [{ name: '', values: order.map((index) => values[index] ?? Number.NaN), look: 'line' }],
        ...(most && { limit: { name: say('page.sweep-most-scans'), value: most } }),
      });
    const lines = new Map(sweep.lines.map((line) => [line.code, line]));
    const own = Object.entries(CURVES).flatMap(([title, codes]) => {
      const line = codes.map((code) => lines.get(code)).find((known) => known);
      return line ? [curve(title, line)] : [];
    });
    const scans = scansOf(sweep);
    return html`
      <div class="charts">${own}${scans ? curve('page.sweep-scans', { unit: 'ranges', values: scans }, sweep.mostScans) : nothing}</div>
      <label class="day"><span>${label(at)}</span>
        <input type="range" min="0" max=${order.length - 1} .value=${String(at)} aria-valuetext=${label(at)} @input=${(/** @type {Event} */ event) => this.#point(Number(/** @type {HTMLInputElement} */ (event.target).value))}></label>
      ${chosen.problem ? html`<p class="note bad">${describe(chosen.problem)}</p>` : this.#apply(chosen)}
      <p class="muted small">${scans ? nothing : say('page.sweep-no-queries')} ${sweep.sampled < sweep.rows ? say('page.sweep-sampled', { sampled: sweep.sampled, rows: sweep.rows, off: offBy(sweep.sampled) }) : nothing}</p>
    `;
  }

  /** @param {Variant} variant */
  #apply({ rowkey, splits }) {
    const now = table();
    const fix = {
      ...(rowkey !== this.#of?.variants[0].rowkey && { rowkey, kind: this.#of?.parameter.kind }),
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
  return one.parameter === other?.parameter && one.number === other.number && one.kind === other.kind;
}

/** @param {Parameter} parameter */
function nameOf({ parameter, text, value, kind }) {
  const name = say(`page.sweep-${parameter}`, { text, value: value ?? '' });
  return kind ? `${kind}: ${name}` : name;
}

/** The label of a variant. @param {Variant} variant @param {Parameter} parameter */
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

customElements.define('sweep-view', SweepView);
