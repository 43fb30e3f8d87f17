import { html, nothing } from 'lit';
import { chooseFiles, propose } from '../../actions/actions.js';
import { withLayout, withOutlook } from '../../design/document.js';
import { SERVERS } from '../../design/outlook-defaults.js';
import { table } from '../../state/document-engine.js';
import { askRecords } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { figureText } from '../../text/estimate.js';
import { count, duration, figureIn, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { shortRange } from '../../text/stated-range.js';
import { slices, View } from '../shared/view.js';
import { issues } from './data-issues.js';
import { openRecords } from './open-records.js';

/** @import { Design, Field, FieldType, Known } from '../../types.d.ts' */
/** @import { DataAbout, Topic } from './data-about.js' */

/** Fields that have a chip of their own. */
const CHIPS = 8;
/** Digits of an estimate. */
const SHOWN = 3;
/** Records whose values are counted unasked. */
const COUNTED = 300_000;
/** A sign of each type. @type {Record<FieldType, string>} */
const SIGNS = { text: 'Aa', integer: '#', time: '◷', bytes: '\\x', float: '.5', decimal: '.5', boolean: '✓' };

/** The records in one line: where they come from, how many, their fields, and what is wrong with them. */
export class DataLine extends View {
  static reads = slices('design', 'records', 'work', 'report');

  #about = false;
  /** @type {Known | null} */
  #known = null;
  /** The records that these are of. @type {unknown} */
  #of = null;

  render() {
    const { source, input, design, phase, progress } = state;
    const fields = input?.fields ?? design?.fields ?? [];
    const busy = phase === 'reading' || phase === 'sorting';
    const part = progress?.total ? progress.bytes / progress.total : undefined;
    const issue = issues();
    return html`<section class="data" aria-label=${say('page.records')} aria-busy=${busy}>
      <div class="scroll chips">
        ${chip('source', 'source', this.#open, html`<strong>${source ? source.name.split('/').at(-1) : say('page.empty-title')}</strong> ${this.#amount()}`)}
        ${issue ? chip('issues', 'issues', this.#open, issue) : nothing}
        ${design && state.view ? stated(design) : nothing}
        ${fields.length > CHIPS ? chip('fields', 'all', this.#open, say('page.fields', { count: count(fields.length) })) : nothing}
        <span class="each">${fields
          .slice(0, CHIPS)
          .map((field, index) =>
            chip(
              index,
              'field',
              this.#open,
              html`<span class="sign" role="img" aria-label=${say(`page.type-${field.type}`)}>${SIGNS[field.type]}</span> <strong class="mono">${field.name}</strong> ${this.#values(field)}`,
            ),
          )}</span>
        ${fields.length && fields.length <= CHIPS ? chip('fields', 'all few', this.#open, say('page.fields', { count: count(fields.length) })) : nothing}
      </div>
      <div class="actions">
        <label class="button quiet" title=${say('page.open-file')}><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2.5 5.5V16h13l2-8.5H6L4 16M2.5 5.5V4h5l1.5 2h6.5v1.5"></path></svg><span>${say('page.open-file')}</span><input type="file" multiple class="unseen" @change=${pick}></label>
        <button type="button" class="quiet" aria-haspopup="dialog" aria-label=${say('page.records-open')} title=${say('page.records-open')} @click=${() => openRecords()}><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 4v12M4 10h12"></path></svg><span>${say('page.records-open')}</span></button>
      </div>
      <progress class="hair" max="1" .value=${part ?? 0} aria-label=${say('page.progress')} ?hidden=${!busy}></progress>
      ${this.#about ? html`<data-about></data-about>` : nothing}
    </section>`;
  }

  updated() {
    void this.#count();
  }

  /** How many rows, and over which time. */
  #amount() {
    const { loaded, view, guess } = state;
    const held = loaded?.rows ?? guess?.rows;
    if (held === undefined) return nothing;
    const rows = say('page.row-count', { rows: count(held) });
    const { step, buckets } = view?.time ?? { step: 0, buckets: 0 };
    return html`<span class="muted figures">${rows}${step ? html`<span class="span"> · ${duration(step * buckets)}</span>` : nothing}</span>`;
  }

  /** How many values a field has, and the share of the most frequent; before they are counted, what the file states. @param {Field} field */
  #values({ name, type }) {
    const known = this.#of === state.loaded ? this.#known?.fields.find(({ of }) => of === name) : undefined;
    if (!known || type === 'time' || !known.rows) {
      const range = shortRange(state.guess?.fields.find((field) => field.name === name)?.range, type);
      return range ? html`<span class="muted figures">${range}</span>` : nothing;
    }
    const { distinct, rows, busiest } = known;
    const most = busiest[0]?.rows.value ?? 0;
    const share = percent(most / rows);
    // Distinct values are estimated where they are many; the report knows whether one of the key repeats.
    const own = state.view?.busiest.find(({ field }) => field === name)?.values[0]?.rows;
    if (distinct.value >= rows || (distinct.high >= rows && own === 1))
      return html`<span class="muted">${say('page.data-unique')}</span>`;
    const about = `≈${count(Number(distinct.value.toPrecision(SHOWN)))}`;
    const values = distinct.low === distinct.high ? count(distinct.value) : about;
    return html`<span class="muted figures" title=${figureText(distinct)}>${say('page.data-values', { values })}${most > 1 && distinct.value > 1 ? ` · ${say('page.data-top', { share })}` : nothing}</span>`;
  }

  /** Counts the values of a new data set, after it was judged. */
  async #count() {
    const { phase, view, loaded, findings } = state;
    if (!loaded || this.#of === loaded || loaded.rows > COUNTED) return;
    if (phase !== 'ready' || !view || !findings) return;
    this.#of = loaded;
    const known = await askRecords('values', {}).catch(() => null);
    if (loaded !== state.loaded) return;
    this.#known = known;
    this.requestUpdate();
  }

  #open = async (/** @type {Topic} */ topic, /** @type {HTMLElement} */ button) => {
    await import('./data-about.js');
    this.#about = true;
    this.requestUpdate();
    await this.updateComplete;
    await /** @type {DataAbout | null} */ (this.querySelector('data-about'))?.open(topic, button);
  };
}

/**
 * A button that tells about a topic.
 * @param {Topic} topic
 * @param {string} kind
 * @param {(topic: Topic, button: HTMLElement) => void} open
 * @param {unknown} content
 */
const chip = (topic, kind, open, content) =>
  html`<button type="button" class=${`chip ${kind}`} aria-haspopup="dialog" @click=${(/** @type {any} */ event) => open(topic, event.currentTarget)}>${content}</button>`;

/**
 * The number of servers and the rate of writes, by which everything is judged, to be filled in.
 * @param {Design} design
 */
const stated = ({ writesPerSecond }) => html`<span class="stated">
  ${number('servers', table()?.servers, count(SERVERS), (design, servers) => withLayout(design, state.table, { servers }))}
  ${number('writes', writesPerSecond, '', (design, rate) => withOutlook(design, { writesPerSecond: rate }))}
</span>`;

/**
 * A number with its unit.
 * @param {'servers' | 'writes'} of
 * @param {number | undefined} value
 * @param {string} assumed while it is empty
 * @param {(design: Design, value: number | undefined) => Design} edit
 */
function number(of, value, assumed, edit) {
  const change = async (/** @type {any} */ { target }) => {
    const text = target.value.trim();
    const figure = /** @type {number | undefined} */ (text === '' ? undefined : figureIn(text));
    const [problem] = await propose((design) => edit(design, figure));
    target.setCustomValidity(problem ? describe(problem) : '');
    target.reportValidity();
  };
  return html`<label title=${say(`page.data-${of}-help`)}><input inputmode="decimal" autocomplete="off" placeholder=${assumed || '?'} .value=${value?.toLocaleString('en-US', { maximumFractionDigits: 6 }) ?? ''} @change=${change}><span class="muted">${say(`page.data-${of}`)}</span></label>`;
}

/** @param {Event} event */
function pick({ target }) {
  const input = /** @type {HTMLInputElement} */ (target);
  chooseFiles([...(input.files ?? [])]);
  input.value = '';
}
customElements.define('data-line', DataLine);
