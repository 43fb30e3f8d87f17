import { html, nothing } from 'lit';
import { chooseFields, chooseMadeUp, choosePasted, chooseTyped } from '../../actions/actions.js';
import { table } from '../../state/document-engine.js';
import { draft, keepDraft } from '../../state/local-storage.js';
import { generatedField } from '../../state/opening.js';
import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { SECONDS_PER_DAY } from '../../text/units.js';
import { slices, View } from '../shared/view.js';

/** @import { Field, FieldType } from '../../types.d.ts' */

const WAYS = /** @type {const} */ (['paste', 'type', 'make', 'fields']);
/** Ways that need no table on show. */
const FIRST = /** @type {const} */ (['paste', 'fields']);
/** Types of fields that are named, the most frequent first. */
const TYPES = /** @type {FieldType[]} */ (['text', 'time', 'integer', 'decimal', 'boolean', 'bytes']);
/** Names as they may be, of the first types. */
const LIKE = ['user_id', 'created_at', 'amount'];
/** Fields that have room at first. */
const NAMED = 4;
/** Rows of the form to type in. */
const ROWS = 5;
/** Columns of it: more fields than these are better pasted. */
const COLUMNS = 12;
/** Rows made up at most. */
const MOST = 2_000_000;

/** Input of the three forms, kept until it is used. */
const EMPTY = {
  way: /** @type {typeof WAYS[number]} */ ('paste'),
  text: '',
  keys: false,
  rows: /** @type {string[][]} */ ([]),
  days: 2,
  rate: 1,
  rhythm: 'daily',
  late: 0,
  by: 2,
  entity: '',
  entities: 1000,
  skew: 0,
  fields: /** @type {Pick<Field, 'name' | 'type'>[]} */ ([]),
};

/** Records without a file: pasted, typed by hand, or made up, for the table on show or for fields that are named here. */
export class RecordsDialog extends View {
  static reads = slices('design', 'page');

  #form = { ...EMPTY, .../** @type {Partial<typeof EMPTY>} */ (draft('records') ?? {}) };

  render() {
    const ways = state.opened ? WAYS : FIRST;
    const way = ways.find((one) => one === this.#form.way) ?? ways[0];
    return html`
      <dialog aria-labelledby="records-dialog-title">
        <div class="title">
          <h2 id="records-dialog-title">${say('page.records-add')}</h2>
          <button type="button" class="quiet" @click=${this.#close}>${say('page.close')}</button>
        </div>
        <fieldset class="segments">
          <legend class="unseen">${say('page.records-way')}</legend>
          ${ways.map(
            (one) =>
              html`<label><input type="radio" name="way" .checked=${one === way} @change=${() => this.#change({ way: one })}><span>${say(`page.records-${one}`)}</span></label>`,
          )}
        </fieldset>
        ${{ paste: this.#paste, type: this.#type, make: this.#make, fields: this.#name }[way].call(this)}
      </dialog>
    `;
  }

  /** @param {typeof WAYS[number]} [way] */
  async open(way) {
    if (way) this.#change({ way });
    await this.updateComplete;
    this.querySelector('dialog')?.showModal();
  }

  #close = () => this.querySelector('dialog')?.close();

  /** @param {Partial<typeof EMPTY>} changes */
  #change(changes) {
    Object.assign(this.#form, changes);
    keepDraft('records', this.#form);
    this.requestUpdate();
  }

  #paste() {
    const { text, keys } = this.#form;
    return html`
      <textarea class="mono" rows="10" spellcheck="false" aria-label=${say('page.records-paste')} placeholder=${say('page.paste-hint')}
        .value=${text} @input=${(/** @type {any} */ event) => this.#change({ text: event.target.value })}></textarea>
      <label class="check"><input type="checkbox" .checked=${keys} @change=${(/** @type {any} */ event) => this.#change({ keys: event.target.checked })}> ${say('page.paste-keys')}</label>
      <div class="actions"><button type="button" class="main" ?disabled=${!text.trim()} @click=${() => {
        this.#close();
        void choosePasted(text, keys);
      }}>${say('page.records-read')}</button></div>
    `;
  }

  /** Fields of a table that has no records yet. */
  #name() {
    const { fields } = this.#form;
    const room = Math.min(COLUMNS, Math.max(NAMED, fields.length + 1));
    const rows = Array.from(
      { length: room },
      (_, at) => fields[at] ?? { name: '', type: TYPES[at % LIKE.length] },
    );
    const named = rows.filter(({ name }) => name.trim());
    const put = (/** @type {number} */ at, /** @type {Partial<Field>} */ changes) =>
      this.#change({ fields: rows.map((row, index) => (index === at ? { ...row, ...changes } : row)) });
    const isRepeated = new Set(named.map(({ name }) => name.trim())).size < named.length;
    return html`
      <p class="muted">${say('page.fields-hint')}</p>
      <div class="named">${rows.map(
        ({ name, type }, at) => html`<div>
          <input class="mono" dir="auto" aria-label=${say('page.fields-name', { number: at + 1 })} placeholder=${LIKE[at % LIKE.length]}
            .value=${name} @input=${(/** @type {any} */ event) => put(at, { name: event.target.value })}>
          <select aria-label=${say('page.fields-type', { number: at + 1 })} @change=${(/** @type {any} */ event) => put(at, { type: event.target.value })}>
            ${TYPES.map((one) => html`<option value=${one} ?selected=${one === type}>${say(`page.type-${one}`)}</option>`)}
          </select></div>`,
      )}</div>
      ${isRepeated ? html`<p class="note bad" role="alert">${say('page.fields-repeated')}</p>` : nothing}
      <div class="actions"><button type="button" class="main" ?disabled=${!named.length || isRepeated} @click=${() => {
        this.#close();
        chooseFields(named.map(({ name, type }) => ({ name: name.trim(), type })));
      }}>${say('page.make-up')}</button></div>
    `;
  }

  #fields() {
    return table()?.fields ?? [];
  }

  #type() {
    const fields = this.#fields().slice(0, COLUMNS);
    if (!fields.length) return html`<p class="muted">${say('page.type-no-fields')}</p>`;
    const { rows } = this.#form;
    return html`
      <p class="muted">${say('page.type-hint')}</p>
      <div class="scroll by-hand" tabindex="0" role="group" aria-label=${say('page.records-type')}>
        <table>
          <thead><tr>${fields.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
          <tbody>${Array.from(
            { length: ROWS },
            (_, row) =>
              html`<tr>${fields.map(
                (
                  field,
                  column,
                ) => html`<td><input class="mono" dir="auto" aria-label=${say('page.type-cell', { name: field.name, row: row + 1 })} placeholder=${hint(field)}
                .value=${rows[row]?.[column] ?? ''} @input=${(/** @type {any} */ event) => this.#typed(row, column, event.target.value)}></td>`,
              )}</tr>`,
          )}</tbody>
        </table>
      </div>
      <div class="actions"><button type="button" class="main" ?disabled=${!rows.some((row) => row?.some(Boolean))} @click=${() => {
        this.#close();
        chooseTyped(csvOf(fields, rows));
      }}>${say('page.records-read')}</button></div>
    `;
  }

  /** @param {number} row @param {number} column @param {string} value */
  #typed(row, column, value) {
    const rows = Array.from({ length: ROWS }, (_, at) => [...(this.#form.rows[at] ?? [])]);
    rows[row][column] = value;
    this.#change({ rows });
  }

  #make() {
    const form = this.#form;
    const texts = this.#fields()
      .filter(({ type }) => type === 'text')
      .slice(0, 200);
    if (!this.#fields().length) return html`<p class="muted">${say('page.type-no-fields')}</p>`;
    const rows = rowsOf(form);
    const number = (
      /** @type {'days' | 'rate' | 'late' | 'by' | 'entities' | 'skew'} */ name,
      /** @type {number} */ least,
      /** @type {number} */ most,
    ) => html`<label>
      <span>${say(`page.make-${name}`)}</span>
      <input type="number" min=${least} max=${most} .value=${String(form[name])} @input=${(
        /** @type {any} */ event,
      ) => {
        const value = Number(event.target.value);
        if (event.target.value !== '' && value >= least && value <= most) this.#change({ [name]: value });
      }}></label>`;
    return html`
      <div class="make">
        ${number('days', 1, 60)}${number('rate', 1, 100_000)}
        <label><span>${say('page.make-rhythm')}</span><select @change=${(/** @type {any} */ event) => this.#change({ rhythm: event.target.value })}>
          ${['daily', 'flat'].map((one) => html`<option value=${one} ?selected=${one === form.rhythm}>${say(`page.make-${one}`)}</option>`)}</select></label>
        ${number('late', 0, 100)}${number('by', 1, 48)}
        ${
          texts.length
            ? html`<label><span>${say('page.make-entity')}</span><select @change=${(/** @type {any} */ event) => this.#change({ entity: event.target.value })}>
              ${texts.map(({ name }) => html`<option value=${name} ?selected=${name === form.entity}>${name}</option>`)}</select></label>
              ${number('entities', 1, 1_000_000)}${number('skew', 0, 300)}`
            : nothing
        }
      </div>
      <p class="muted figures" role="status">${say(rows < MOST ? 'page.make-rows' : 'page.make-most', { rows: count(rows) })}</p>
      <div class="actions"><button type="button" class="main" @click=${() => {
        this.#close();
        const shown = table();
        if (shown) chooseMadeUp(specOf(form, shown.fields, shown.arrival));
      }}>${say('page.records-make')}</button></div>
    `;
  }
}

/** An example format of a field's values. @param {Field} field */
function hint({ type, format }) {
  if (type === 'time') return format ?? 'yyyy-MM-dd HH:mm:ss';
  return { integer: '42', float: '0.5', decimal: '12.50', boolean: 'true', bytes: '\\x00\\xFF', text: '' }[
    type
  ];
}

/** @param {Field[]} fields @param {string[][]} rows */
function csvOf(fields, rows) {
  const quoted = (/** @type {string} */ value) => `"${value.replaceAll('"', '""')}"`;
  const typed = rows.filter((row) => row?.some(Boolean));
  const lines = typed.map((row) => fields.map((_, at) => quoted(row[at] ?? '')).join(','));
  return `${[fields.map(({ name }) => quoted(name)).join(','), ...lines].join('\n')}\n`;
}

/** @param {typeof EMPTY} form */
const rowsOf = ({ days, rate }) => Math.min(MOST, days * SECONDS_PER_DAY * rate);

/**
 * The description of the records that a form asks for.
 * @param {typeof EMPTY} form
 * @param {Field[]} fields
 * @param {string | undefined} arrival
 */
function specOf(form, fields, arrival) {
  const { days, rhythm, late, by, entities, skew } = form;
  const entity = form.entity || fields.find(({ type }) => type === 'text')?.name;
  const made = fields.map((field) => {
    const described = generatedField(field, arrival);
    if (field.name !== entity) return described;
    const digits = Math.max(6, String(entities).length);
    return { ...described, from: { entity: { count: entities, prefix: '', digits, zipf: skew } } };
  });
  return {
    rows: rowsOf(form),
    span: `${days}d`,
    rhythm,
    ...(late > 0 && { late: { percent: late, by: `${by}h` } }),
    fields: made,
  };
}
customElements.define('records-dialog', RecordsDialog);
