import { html, nothing } from 'lit';
import { comparedAlike } from '../../actions/review-answers.js';
import { evenEnd } from '../../heat/cell-codes.js';
import { evenTimes, levelOfChange, paintCells, pairOf } from '../../heat/difference.js';
import { paintRamp } from '../../heat/figure.js';
import { colours, divergingColours, partsOf, pixelsOf } from '../../heat/palette.js';
import { latestOnly } from '../../state/engine.js';
import { askRecords } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { onScheme, scheme } from '../../state/theme.js';
import { compact, count, moment, percent } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { Sheet } from '../../types.d.ts' */
/** @import { Pair } from '../../heat/difference.js' */

const MAPS = /** @type {const} */ (['one', 'other', 'change']);

/** Where an arrow key goes: lines up, moments on. @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Two designs side by side on one scale, and what the second changes. */
export class CompareMaps extends View {
  static reads = slices('page', 'design', 'records', 'work', 'report', 'review');

  /** Which of the compared designs are on show. */
  #which = [0, 1];
  /** @type {Pair | null} */
  #pair = null;
  /** @type {Sheet | null} */
  #axis = null;
  /** Inputs of the current pair of heatmaps. @type {unknown[]} */
  #of = [];
  /** @type {{ line: number, moment: number } | null} */
  #cell = null;
  #lost = false;
  /** Inputs of the last paint. @type {unknown[]} */
  #painted = [];

  connectedCallback() {
    super.connectedCallback();
    onScheme(() => this.requestUpdate());
  }

  render() {
    const designs = comparedAlike();
    if (designs.length < 2 || !state.view) return nothing;
    const [one, other] = this.#which.map((at) => Math.min(at, designs.length - 1));
    const of = [JSON.stringify([designs[one], designs[other]]), state.view];
    // A design that changed is drawn when its own report is there.
    if (state.phase === 'ready' && !state.counting && of.some((part, at) => part !== this.#of[at])) {
      this.#of = of;
      void this.#ask();
    }
    const pair = this.#pair;
    const names = [designs[one].name, designs[other].name];
    return html`
      <figure class="maps" aria-busy=${!pair && !this.#lost}>
        ${designs.length > 2 ? this.#choices(designs.map(({ name }) => name ?? '')) : nothing}
        ${
          pair
            ? html`<div class="side-by-side" role="group" tabindex="0" aria-label=${say('page.maps-label')} @keydown=${this.#key}
                @pointerleave=${() => this.#look(null)}>
                ${MAPS.map(
                  (map, at) => html`<div>
                    <strong>${names[at] ?? say('page.maps-change')}</strong>
                    <div class="map" @pointermove=${this.#move}>
                      <canvas role="img" data-map=${map} aria-label=${this.#summary(map, names)}></canvas>
                      ${this.#cell ? html`<i class="at" aria-hidden="true"></i>` : nothing}
                    </div>
                  </div>`,
                )}
              </div>
              ${this.#legend(pair)}
              <output class="muted small" aria-live="polite">${this.#readout(names)}</output>`
            : html`<p class="muted">${say(this.#lost ? 'page.maps-lost' : 'page.maps-busy')}</p>`
        }
      </figure>
    `;
  }

  /** @param {string[]} names */
  #choices(names) {
    return html`<div class="row">${this.#which.map(
      (
        chosen,
        at,
      ) => html`<label class="figure-input"><span>${say(at ? 'page.maps-other' : 'page.maps-one')}</span>
        <select @change=${(/** @type {Event} */ event) => this.#choose(at, Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
          ${names.map((name, index) => html`<option value=${index} ?selected=${index === chosen}>${name || index + 1}</option>`)}
        </select></label>`,
    )}</div>`;
  }

  /** @param {Pair} pair */
  #legend({ lines, most }) {
    return html`<figcaption>
      <span class="scale"><span>0</span><canvas class="ramp" data-ramp="even" width="128" height="1" aria-hidden="true"></canvas><span>${say('page.times', { times: count(evenEnd(lines)) })}+</span> <span>${say('page.even-a-cell')}</span></span>
      <span class="scale"><span>−${compact(most)} ${say('page.maps-fewer')}</span><canvas class="ramp" data-ramp="change" width="128" height="1" aria-hidden="true"></canvas><span>+${compact(most)} ${say('page.maps-more')}</span></span>
      <span>${say('page.maps-help')}</span>
    </figcaption>`;
  }

  updated() {
    const pair = this.#pair;
    if (!pair) return;
    const rows = pixelsOf(colours(scheme()));
    const changes = pixelsOf(divergingColours(scheme()));
    const [first] = this.#all('canvas[data-map]');
    const painted = [pair, scheme(), first].every((part, at) => part === this.#painted[at]);
    this.#painted = [pair, scheme(), first];
    if (!painted) {
      const { one, other, most, lines } = pair;
      const part = partsOf({ metric: 'even', top: evenEnd(lines), one: 1 }, { gain: 1, linear: true });
      const level = (/** @type {number} */ times) =>
        times && Math.max(1, Math.min(255, Math.round(part(times) * 255)));
      const [before, after] = [one, other].map((cells) => evenTimes(cells, pair));
      /** @type {[(at: number) => number, Uint32Array][]} */
      const paints = [
        [(at) => level(before[at]), rows],
        [(at) => level(after[at]), rows],
        [(at) => levelOfChange(other[at] - one[at], most), changes],
      ];
      for (const [at, canvas] of this.#all('canvas[data-map]').entries())
        paintCells(canvas, pair, ...paints[at]);
      this.#paintRamps(changes, part(1));
    }
    this.#mark();
  }

  /** @param {Uint32Array} changes @param {number} mark where an even share is */
  #paintRamps(changes, mark) {
    const both = { lines: 1, moments: 128, one: new Float64Array(), other: new Float64Array(), most: 1 };
    for (const ramp of this.#all('canvas[data-ramp]')) {
      if (ramp.dataset.ramp === 'even') paintRamp(ramp, scheme(), mark);
      else paintCells(ramp, both, (at) => Math.min(255, 1 + at * 2), changes);
    }
  }

  /** @param {string} what @returns {HTMLCanvasElement[]} */
  #all(what) {
    return [...this.querySelectorAll(what)].map((one) => /** @type {HTMLCanvasElement} */ (one));
  }

  /** Marks the cell that is looked at in all three. */
  #mark() {
    const [cell, pair] = [this.#cell, this.#pair];
    if (!cell || !pair) return;
    for (const mark of this.querySelectorAll('.at')) {
      const { style } = /** @type {HTMLElement} */ (mark);
      style.setProperty('left', `${((cell.moment + 0.5) / pair.moments) * 100}%`);
      style.setProperty('bottom', `${((cell.line + 0.5) / pair.lines) * 100}%`);
    }
  }

  #ask = latestOnly(async () => {
    const designs = comparedAlike();
    const [one, other] = this.#which.map((at) => designs[Math.min(at, designs.length - 1)]);
    this.#lost = false;
    try {
      const [first, second] = [await sheetOfDesign(one), await sheetOfDesign(other)];
      this.#axis = first;
      this.#pair = pairOf(first, second);
    } catch {
      this.#pair = null;
      this.#lost = true;
    }
    this.requestUpdate();
  });

  /** @param {number} at @param {number} design */
  #choose(at, design) {
    this.#which = this.#which.map((one, place) => (place === at ? design : one));
    this.requestUpdate();
  }

  /** @param {PointerEvent} event */
  #move = (event) => {
    const pair = this.#pair;
    const { left, top, width, height } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    if (!pair || !width || !height) return;
    const moment = Math.floor(((event.clientX - left) / width) * pair.moments);
    const line = Math.floor((1 - (event.clientY - top) / height) * pair.lines);
    this.#look({ line: clamp(line, pair.lines), moment: clamp(moment, pair.moments) });
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const step = STEPS[event.key];
    const pair = this.#pair;
    if (event.key === 'Escape') this.#look(null);
    if (!step || !pair) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const { line, moment } = this.#cell ?? { line: 0, moment: 0 };
    this.#look({
      line: clamp(line + step[0] * far, pair.lines),
      moment: clamp(moment + step[1] * far, pair.moments),
    });
  };

  /** @param {{ line: number, moment: number } | null} cell */
  #look(cell) {
    if (cell?.line === this.#cell?.line && cell?.moment === this.#cell?.moment) return;
    this.#cell = cell;
    this.requestUpdate();
  }

  /** @param {(string | undefined)[]} names */
  #readout([one, other]) {
    const [cell, pair, sheet] = [this.#cell, this.#pair, this.#axis];
    if (!cell || !pair || !sheet) return say('page.maps-point');
    const at = cell.line * pair.moments + cell.moment;
    const when = sheet.time
      ? `${moment(sheet.time.start + cell.moment * sheet.time.step, sheet.time.step)} UTC`
      : '';
    return say('page.maps-cell', {
      when,
      place: percent((cell.line + 0.5) / pair.lines),
      one: one ?? '',
      other: other ?? '',
      before: count(pair.one[at]),
      after: count(pair.other[at]),
    });
  }

  /** @param {(typeof MAPS)[number]} map @param {(string | undefined)[]} names */
  #summary(map, [one, other]) {
    const pair = this.#pair;
    if (!pair) return '';
    const top = (/** @type {Float64Array} */ cells) =>
      count(cells.reduce((most, rows) => Math.max(most, rows), 0));
    const figures = { one: one ?? '', other: other ?? '', before: top(pair.one), after: top(pair.other) };
    return say(`page.maps-summary-${map}`, figures);
  }
}
customElements.define('compare-maps', CompareMaps);

/** @param {number} at @param {number} number */
const clamp = (at, number) => Math.max(0, Math.min(number - 1, at));

/** Heat of other designs on the records that are held, the latest last. @type {Map<string, Sheet>} */
const drawn = new Map();
const MOST_DRAWN = 6;
/** @type {unknown} */
let records = null;

/**
 * The heat of a design on the records that are held.
 * @param {{ document: string, table: number }} design
 * @returns {Promise<Sheet>}
 */
async function sheetOfDesign({ document, table }) {
  const { view, loaded } = state;
  if (view && table === state.table && document === JSON.stringify(state.design)) {
    return { picture: view.picture, moments: view.moments, time: view.time };
  }
  if (loaded !== records) drawn.clear();
  records = loaded;
  const key = `${table} ${document}`;
  const sheet =
    drawn.get(key) ?? (await askRecords('heatOf', { document, table, buckets: view?.picture.buckets ?? 1 }));
  drawn.set(key, sheet);
  for (const old of [...drawn.keys()].slice(0, -MOST_DRAWN)) drawn.delete(old);
  return sheet;
}
