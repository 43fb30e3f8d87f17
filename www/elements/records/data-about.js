import { html, nothing } from 'lit';
import { correctField, setEncoding, setHeader } from '../../actions/actions.js';
import { again } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { escaped } from '../../text/escaped-bytes.js';
import { sampledAs } from '../../text/estimate.js';
import { bytes, count, duration } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { isBroken, TOLD } from './data-issues.js';
import './values-view.js';

/** @import { Encoding, Field, FieldType, GuessedField, KeySegment, Problem, StatedRange } from '../../types.d.ts' */

/** Stands for what differs from record to record in the reason for refusing many. */
const LEFT_OPEN = { found: '…', length: '…' };

const TYPES = /** @type {FieldType[]} */ ([
  'text',
  'integer',
  'time',
  'bytes',
  'float',
  'decimal',
  'boolean',
]);
/** Rows named for each reason of refusing them. */
const ROWS_NAMED = 6;
/** Characters shown of a value that can't be used. */
const FOUND_SHOWN = 24;
/** Pixels around the popover, at least. */
const MARGIN = 16;
/** Fields listed before the person asks for the rest. */
const LISTED = 40;

const ENCODINGS = /** @type {Encoding[]} */ (['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']);

/** Subject of the popover: the source, what was wrong, all fields or one. @typedef {'source' | 'issues' | 'fields' | number} Topic */

/** The popover below the line of the records: how they were read and why, to be corrected. */
export class DataAbout extends View {
  static reads = slices('design', 'records', 'report', 'work');

  /** @type {Topic} */
  #topic = 'source';
  #all = false;

  connectedCallback() {
    super.connectedCallback();
    this.popover = 'auto';
    this.tabIndex = -1;
  }

  render() {
    const topic = this.#topic;
    if (topic === 'source') return this.#source();
    if (topic === 'issues') return html`<h2>${say('page.data-issues')}</h2>${this.#issues()}`;
    return topic === 'fields' ? this.#fields() : this.#one(topic);
  }

  /**
   * Shows what is told of a topic below what asked for it.
   * @param {Topic} topic
   * @param {HTMLElement} button
   */
  async open(topic, button) {
    this.#topic = topic;
    this.#all = false;
    this.requestUpdate();
    await this.updateComplete;
    this.showPopover();
    const { left, bottom } = button.getBoundingClientRect();
    const start = Math.max(MARGIN, Math.min(left, innerWidth - this.offsetWidth - MARGIN));
    this.style.setProperty('left', `${start}px`);
    this.style.setProperty('top', `${bottom + scrollY + MARGIN / 2}px`);
    this.focus({ preventScroll: true });
  }

  #source() {
    const { source, loaded, guess, examples, example } = state;
    const story = examples.find(({ id }) => id === example);
    return html`
      <h2>${say('page.records')}</h2>
      ${story ? html`<p class="story">${story.story}</p>${story.source ? html`<p class="muted small">${story.source}</p>` : nothing}` : nothing}
      ${
        source
          ? html`<dl class="facts">
            <div><dt>${say(source.kind === 'generator' ? 'page.generated' : 'page.file')}</dt><dd>${source.name.split('/').at(-1)}${loaded?.bytes ? html` <span class="muted">${bytes(loaded.bytes)}</span>` : nothing}</dd></div>
            ${loaded ? this.#facts(loaded) : nothing}
            ${guess ? html`<div><dt>${say('page.format')}</dt><dd>${this.#format()}</dd></div>` : nothing}
            ${guess?.groups ? html`<div><dt>${say('page.row-groups')}</dt><dd>${count(guess.groups)}</dd></div>` : nothing}
            ${this.#firstRow()}
            ${this.#encoding()}
          </dl>`
          : html`<p class="muted">${say('page.drop-hint')}</p>`
      }
      ${this.#keys()}
      ${state.view ? html`<details class="values"><summary>${say('page.values')}</summary><values-view></values-view></details>` : nothing}
    `;
  }

  /** Faults of the records that anything they show has to be judged by. */
  #issues() {
    const { guess, loaded } = state;
    return html`
      ${(guess?.problems ?? []).map((problem) => html`<p class="note warning">${describe(problem)}</p>`)}
      ${this.#sample()}
      ${(loaded?.problems.first ?? []).filter(isBroken).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}
      ${this.#told()}
      ${this.#refused()}
    `;
  }

  /** One field: how it is read, why, and its values. @param {number} index */
  #one(index) {
    const { input, guess, design } = state;
    const field = (input?.fields ?? design?.fields ?? [])[index];
    if (!field) return nothing;
    return html`<table class="fields"><tbody>${this.#field(field, index, guess?.fields[index])}</tbody></table>
      <values-view .field=${field.name}></values-view>`;
  }

  /** @param {NonNullable<typeof state.loaded>} loaded */
  #facts({ rows, memory, milliseconds }) {
    return html`
      <div><dt>${say('page.rows')}</dt><dd>${count(rows)} <span class="muted">${say('page.read-in', { time: duration(Math.round(milliseconds)) })}</span></dd></div>
      <div><dt>${say('page.memory')}</dt><dd>${bytes(memory)}</dd></div>
    `;
  }

  /** How plain row keys are built, as guessed. */
  #keys() {
    const { keys, input, design } = state.guess ?? {};
    if (!keys) return nothing;
    const { separator, segments } = keys;
    const scanned = input?.format === 'scan';
    const timed = segments.some(({ kind }) => kind === 'time');
    const time = scanned ? 'page.keys-scan' : timed ? 'page.keys-time' : 'page.keys-no-time';
    const code = input?.keys
      ? 'page.keys-found'
      : separator === null
        ? segments.length
          ? 'page.keys-runs'
          : 'page.keys-bytes'
        : 'page.keys-parts';
    const sentence = say(code, { separator: separator === '\t' ? 'Tab' : (separator ?? '') });
    return html`<div class="note"><p>${sentence}</p>${
      segments.length
        ? html`<ol class="segments-found">${segments.map((segment) => html`<li>${describeSegment(segment)}</li>`)}</ol>`
        : nothing
    }<p class="muted small">${say(time)}${design?.splits?.points ? ` ${say('page.keys-points')}` : ''}</p></div>`;
  }

  /** The columns that are loaded. @param {NonNullable<typeof state.loaded>} loaded */
  #narrowed({ read }) {
    if (!read) return say('page.narrowed');
    return say('page.read-in-part', { read: bytes(read.bytes), size: bytes(read.size) });
  }

  /** Note that only a sample of the records is held. */
  #sample() {
    const { loaded, view, source } = state;
    if (!loaded?.sampled || !view?.sample)
      return loaded?.narrowed ? html`<p class="note">${this.#narrowed(loaded)}</p>` : nothing;
    const figures = sampledAs(view.sample);
    const counts = source?.kind === 'summary';
    if (counts && !view.sample.rows)
      return html`<p class="note warning">${say('page.summary-alone', figures)}</p>`;
    const exact = counts ? 'page.summary-counts' : 'page.sampled-exact';
    if (view.sample.exact) return html`<p class="note">${say(exact, figures)}</p>`;
    const recount = counts ? nothing : html` <button @click=${again}>${say('page.count-all')}</button>`;
    return html`<p class="note warning">${say('page.sampled', figures)}${recount}</p>`;
  }

  #format() {
    const { guess, input } = state;
    if (!guess || !input) return nothing;
    const names = /** @type {Record<string, string>} */ ({
      ',': 'CSV',
      '\t': 'TSV',
      ';': 'CSV ;',
      '|': 'CSV |',
    });
    const separator = input.separator ?? ',';
    const csv = () => names[separator] ?? `CSV ${escaped(Uint8Array.of(separator.charCodeAt(0)))}`;
    const whole = guess.keys?.separator === null;
    const packed = { parquet: 'Parquet', arrow: 'Arrow', avro: 'Avro', hfile: 'HFile', wal: 'WAL' };
    const others = { jsonl: 'JSON', scan: 'HBase shell', keys: '', csv: whole ? '' : undefined, ...packed };
    const format = others[input.format] ?? csv();
    if (input.format in packed) return format;
    return [format, guess.encoding.toUpperCase(), guess.gzip ? 'gzip' : ''].filter(Boolean).join(' · ');
  }

  /** Choice for a person's own files: does the first row hold column names? */
  #firstRow() {
    const { guess, input, source } = state;
    if (source?.kind !== 'file' || input?.format !== 'csv' || !guess || guess.keys) return nothing;
    const names = input.header !== false;
    return html`<div><dt>${say('page.first-row')}</dt><dd><fieldset class="segments">
      <legend class="unseen">${say('page.first-row')}</legend>
      ${[true, false].map(
        (header) => html`<label>
          <input type="radio" name="first-row" .checked=${names === header} @change=${() => setHeader(header)}>
          <span>${say(header ? 'page.first-row-names' : 'page.first-row-data')}</span>
        </label>`,
      )}
    </fieldset></dd></div>`;
  }

  /** Choice of encoding for a person's own files, unless a byte order mark states it. */
  #encoding() {
    const { source, guess, loaded } = state;
    if (source?.kind !== 'file') return nothing;
    const [first] = loaded?.problems.files ?? [];
    const encoding = first?.encoding ?? guess?.encoding ?? source.encoding ?? 'utf-8';
    const control =
      first?.by === 'mark'
        ? say('page.encoding-marked', { encoding: encoding.toUpperCase() })
        : html`<select id="encoding" aria-label=${say('page.encoding')}
            @change=${(/** @type {any} */ event) => setEncoding(event.target.value)}>
            ${ENCODINGS.map((one) => html`<option value=${one} ?selected=${one === encoding}>${one.toUpperCase()}</option>`)}
          </select>`;
    return html`<div><dt>${say('page.encoding')}</dt><dd>${control}</dd></div>`;
  }

  /** Notes about values and names that were read, and about bytes that are not text. */
  #told() {
    const { bad_bytes: bad = 0, told = 0, first = [] } = state.loaded?.problems ?? {};
    const own = first.filter(({ code }) => TOLD.test(code));
    const untimed = state.view?.untimed ?? 0;
    if (!own.length && !untimed) return nothing;
    const more = bad + told - own.length;
    const { source } = state;
    const files = source?.kind === 'file' ? source.files.length : 1;
    return html`<div class="note warning"><ul>
      ${own.map((problem) => html`<li>${files > 1 && problem.place.file ? html`<b>${problem.place.file}:</b> ` : nothing}${problem.place.row ? html`<b>${count(problem.place.row)}</b> ` : nothing}${problem.place.field ? html`<b>${problem.place.field}:</b> ` : nothing}${describe(problem)}</li>`)}
      ${more > 0 ? html`<li class="muted">… +${count(more)}</li>` : nothing}
      ${untimed ? html`<li>${say('page.untimed', { rows: count(untimed) })}</li>` : nothing}
    </ul></div>`;
  }

  #refused() {
    const { loaded, view } = state;
    const reasons = view?.refused.reasons ?? [];
    const { ragged = 0, refused = 0, first = [] } = loaded?.problems ?? {};
    const total = Math.max(refused, view?.refused.count ?? 0);
    if (!total && !ragged) return nothing;
    /** @type {Problem[]} */
    const shown = [...first, ...(view?.refused.first ?? [])];
    const told = new Set(reasons.map(({ code, field }) => `${code} ${field ?? ''}`));
    const own = (/** @type {Problem} */ { code, place }) => told.has(`${code} ${place.field ?? ''}`);
    const rowsOf = (/** @type {{ code: string, field?: string | null }} */ { code, field }) =>
      shown.flatMap(({ code: its, place, args }) =>
        its === code && (place.field ?? '') === (field ?? '') && place.row
          ? [
              `${count(place.row)}${args?.found === undefined ? '' : ` “${args.found.slice(0, FOUND_SHOWN)}”`}`,
            ]
          : [],
      );
    return html`
      <div class="note warning rejected">
        <p><strong>${[total && say('page.refused', { rows: count(total) }), ragged && say('page.ragged', { rows: count(ragged) })].filter(Boolean).join(' · ')}</strong></p>
        <ul>
          ${reasons.map((reason) => html`<li>${reason.field ? html`<b>${reason.field}:</b> ` : nothing}${describe({ code: reason.code, args: LEFT_OPEN })} <br><span class="muted">× ${count(reason.count)}${rowsOf(reason).length ? ` · ${say('page.refused-rows', { rows: rowsOf(reason).slice(0, ROWS_NAMED).join(', ') + (reason.count > Math.min(ROWS_NAMED, rowsOf(reason).length) ? ' …' : '') })}` : nothing}</span></li>`)}
          ${shown
            .filter((problem) => !own(problem) && !isBroken(problem) && !TOLD.test(problem.code))
            .slice(0, 6)
            .map((problem) => html`<li class="muted">${describe(problem)}</li>`)}
        </ul>
      </div>
    `;
  }

  #fields() {
    const { input, guess, design } = state;
    const fields = input?.fields ?? design?.fields ?? [];
    const listed = this.#all ? fields : fields.slice(0, LISTED);
    return html`
      <h2>${say('page.fields', { count: count(fields.length) })}</h2>
      <div class="fields scroll" tabindex="0" role="group" aria-label=${say('page.fields-label')}>
        <table>
          <thead class="unseen"><tr><th>${say('page.field-name')}</th><th>${say('page.field-type')}</th></tr></thead>
          <tbody>${listed.map((field, index) => this.#field(field, index, guess?.fields[index]))}</tbody>
        </table>
        ${
          listed.length < fields.length
            ? html`<button type="button" class="quiet" @click=${() => {
                this.#all = true;
                this.requestUpdate();
              }}>${say('page.all-fields', { count: count(fields.length) })}</button>`
            : nothing
        }
      </div>
    `;
  }

  /**
   * @param {Field} field
   * @param {number} index
   * @param {GuessedField | undefined} guessed
   */
  #field(field, index, guessed) {
    const own = state.input !== null;
    const label = (/** @type {string} */ what) => say(what, { name: field.name });
    const why = guessed && say(guessed.code, guessed.args);
    return html`
      <tr>
        <th scope="row" title=${field.name}>${field.name}
          ${guessed ? html`<span class="examples mono" title=${guessed.examples.join('\n')}>${guessed.examples.slice(0, 2).join('  ')}</span>` : nothing}
        </th>
        <td>
          ${
            own
              ? html`<select aria-label=${label('page.type-of')} title=${why ?? ''}
                  @change=${(/** @type {any} */ event) => correctField(index, { type: event.target.value })}>
                  ${TYPES.map((type) => html`<option value=${type} ?selected=${type === field.type}>${say(`page.type-${type}`)}</option>`)}
                </select>`
              : say(`page.type-${field.type}`)
          }
          ${
            field.type === 'time'
              ? html`<input class="mono" .value=${field.format ?? ''} placeholder="yyyy-MM-dd HH:mm:ss" aria-label=${label('page.format-of')} ?disabled=${!own}
                    @change=${(/** @type {any} */ event) => correctField(index, { format: event.target.value })}>
                  <input class="mono zone" .value=${field.zone ?? ''} placeholder="Z" aria-label=${label('page.zone-of')} ?disabled=${!own}
                    @change=${(/** @type {any} */ event) => correctField(index, { zone: event.target.value })}>`
              : nothing
          }
          ${guessed?.range ? html`<span class="why muted figures">${rangeOf(guessed.range)}</span>` : nothing}
          ${guessed ? html`<span class="why muted">${guessed.type === field.type && guessed.format === field.format ? why : say('page.field-declared')}</span>` : nothing}
        </td>
      </tr>
    `;
  }
}

/** The range of a field as its file states it. @param {StatedRange} range */
function rangeOf({ least, most, missing }) {
  const ends = least !== undefined && most !== undefined && say('page.stated-range', { least, most });
  const lacking = missing && say('page.stated-lacking', { count: count(missing) });
  return [ends, lacking].filter(Boolean).join(' · ');
}

/** Describes a segment that all keys share. @param {KeySegment} segment */
function describeSegment({ kind, min, max, text = '', pattern = '' }) {
  const length = min === max ? count(min) : `${count(min)}–${count(max)}`;
  return say(`page.segment-${kind}`, { length, text, pattern });
}
customElements.define('data-about', DataAbout);
