import { html, nothing } from 'lit';
import { waysOf } from '../../design/queries.js';
import { say } from '../../text/sentences.js';

/** @import { Asked, Form, Way } from '../../design/queries.js' */
/** @import { Field } from '../../types.d.ts' */

/**
 * A query to fill in.
 * @param {Form} form
 * @param {number} index of the query
 * @param {Field[]} fields
 * @param {(index: number, changes: Partial<Form>) => void} edit
 */
export function queryForm(form, index, fields, edit) {
  const { asked } = form;
  const put = (/** @type {number} */ at, /** @type {Partial<Asked>} */ changes) =>
    edit(index, { asked: asked.map((one, place) => (place === at ? { ...one, ...changes } : one)) });
  const free = fields.filter(({ name }) => !asked.some(({ field }) => field === name));
  return html`
    <label class="wide"><span>${say('page.query-name')}</span>
      <input id=${`query-name-${index}`} .value=${form.name} @input=${(/** @type {Event} */ event) => edit(index, { name: textOf(event) })}></label>
    ${asked.map((one, at) =>
      condition(
        one,
        fields.find(({ name }) => name === one.field),
        {
          put: (changes) => put(at, changes),
          remove: () => edit(index, { asked: asked.filter((_, place) => place !== at) }),
        },
      ),
    )}
    ${
      free.length
        ? html`<select class="more" aria-label=${say('page.query-condition-add')} .value=${''} @change=${(
            /** @type {Event} */ event,
          ) => {
            const select = /** @type {HTMLSelectElement} */ (event.target);
            const field = fields.find(({ name }) => name === select.value);
            select.value = '';
            if (field)
              edit(index, {
                asked: [...asked, { field: field.name, way: waysOf(field.type)[0], first: '', last: '' }],
              });
          }}>
            <option value="">${say('page.query-condition-add')}</option>
            ${free.map(({ name }) => html`<option value=${name}>${name}</option>`)}
          </select>`
        : nothing
    }
    <div class="outcome">
      <label><span>${say('page.query-order')}</span>
        <select @change=${(/** @type {Event} */ event) => edit(index, { order: textOf(event) })}>
          <option value="" ?selected=${!form.order}>${say('page.query-order-any')}</option>
          ${fields.flatMap(({ name, type }) =>
            ['descending', 'ascending'].map((direction) => {
              const value = `${direction} ${name}`;
              const words = type === 'time' ? `time-${direction}` : direction;
              return html`<option value=${value} ?selected=${form.order === value}>${say(`page.query-order-${words}`, { name })}</option>`;
            }),
          )}
        </select></label>
      <label><span>${say('page.query-limit')}</span>
        <input inputmode="numeric" .value=${form.limit} placeholder=${say('page.query-limit-none')} @input=${(/** @type {Event} */ event) => edit(index, { limit: textOf(event) })}></label>
      <label><span>${say('page.query-rate')}</span>
        <input inputmode="decimal" .value=${form.rate} @input=${(/** @type {Event} */ event) => edit(index, { rate: textOf(event) })}></label>
    </div>
  `;
}

/**
 * @param {Asked} asked
 * @param {Field | undefined} field
 * @param {{ put: (changes: Partial<Asked>) => void, remove: () => void }} change
 */
function condition({ field: name, way, first, last }, field, { put, remove }) {
  const ways = field ? waysOf(field.type) : /** @type {Way[]} */ ([way]);
  const shown = ways.includes(way) ? ways : [...ways, way];
  const type = field?.type ?? 'text';
  const hint = type === 'time' ? (field?.format ?? 'iso8601') : '';
  const input = (
    /** @type {'first' | 'last'} */ which,
    /** @type {string} */ value,
    /** @type {string} */ label,
  ) =>
    html`<input class="mono" aria-label=${label} title=${label} placeholder=${hint} spellcheck="false" .value=${value} @input=${(/** @type {Event} */ event) => put({ [which]: textOf(event) })}>`;
  return html`<fieldset class="condition">
    <legend class="unseen">${name}</legend>
    <span class="mono field" aria-hidden="true">${name}</span>
    <select aria-label=${say('page.query-way', { name })} @change=${(/** @type {Event} */ event) => put({ way: /** @type {Way} */ (textOf(event)) })}>
      ${shown.map((one) => html`<option value=${one} ?selected=${one === way}>${say(`page.query-way-${one}`)}</option>`)}
    </select>
    <span class="values">
      ${
        way === 'in' || way === 'prefix'
          ? html`<textarea class="mono" rows="3" spellcheck="false" aria-label=${say('page.query-values', { name })} title=${say('page.query-values', { name })} .value=${first} @input=${(/** @type {Event} */ event) => put({ first: textOf(event) })}></textarea>`
          : way === 'range'
            ? html`${input('first', first, say('page.query-from', { name }))}<span class="muted">${say('page.query-to-below')}</span>${input('last', last, say('page.query-to', { name }))}`
            : input('first', first, say('page.query-value', { name }))
      }
    </span>
    <button type="button" class="quiet small" aria-label=${say('page.query-condition-remove', { name })} title=${say('page.query-condition-remove', { name })} @click=${remove}>×</button>
  </fieldset>`;
}

/** @param {Event} event */
function textOf({ target }) {
  return /** @type {HTMLInputElement} */ (target).value;
}
