import { html, LitElement } from 'lit';
import { askLanguage, table } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { bytes, count } from '../../text/format.js';
import '../../text/later-sentences.js';
import { describe, say } from '../../text/sentences.js';
import { figureInput } from './figure-input.js';

/** @import { Layout } from '../../types.d.ts' */

/** The figures that the core takes, in its order. */
const FIGURES = /** @type {const} */ ([
  'entities',
  'items',
  'entityKey',
  'itemKey',
  'offset',
  'perRow',
  'pageKey',
  'value',
  'family',
  'qualifier',
]);
/** Those a person fills in. */
const ASKED = /** @type {const} */ (['entities', 'items', 'entityKey', 'itemKey', 'perRow', 'value']);

/** The same items as a row each, as one row of many cells, in pages, and packed into one cell. */
export class LayoutsView extends LitElement {
  /** @type {Partial<Record<typeof FIGURES[number], number>>} */
  #given = {};
  /** @type {Layout[]} */
  #layouts = [];

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#ask();
  }

  render() {
    const figures = this.#figures();
    return html`
      <div class="inputs">${ASKED.map((name) =>
        figureInput({
          label: say(`page.layout-${name}`),
          value: figures[name],
          set: (value) => this.#give(name, value),
        }),
      )}</div>
      <div class="scroll" tabindex="0" role="group" aria-label=${say('page.layouts')}><table>
        <thead><tr><th>${say('page.layout')}</th>${['rows', 'bytes', 'keys', 'row', 'first', 'all', 'change'].map((name) => html`<th class="number">${say(`page.layout-of-${name}`)}</th>`)}</tr></thead>
        <tbody>${this.#layouts.map(
          (
            one,
          ) => html`<tr><th scope="row">${say(`page.layout-${one.name}`)}${one.problems.map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</th>
            <td class="number">${count(one.rows)}</td><td class="number">${bytes(one.bytes)}</td><td class="number">${bytes(one.keyBytes)}</td><td class="number">${bytes(one.rowBytes)}</td>
            <td class="number">${count(one.first)}</td><td class="number">${count(one.all)}</td><td class="number">${bytes(one.updateBytes)}</td></tr>`,
        )}</tbody>
      </table></div>
      <p class="muted small">${say('page.layouts-why')}</p>`;
  }

  /** Figures that a person entered; otherwise those of the design. */
  #figures() {
    const { families = [] } = table() ?? {};
    const [family] = families;
    const cell = family?.cells?.[0];
    const widths = state.parts.map(({ fields, oneToOne, width }) => ({
      names: fields.length > 0 && oneToOne,
      bytes: width.max ?? width.min,
    }));
    const first = widths.findIndex(({ names }) => names) + 1;
    const sum = (/** @type {typeof widths} */ some) => some.reduce((all, one) => all + one.bytes, 0);
    const mean = state.view ? Math.round(state.view.keys.mean) : 0;
    const entityKey = Math.max(1, sum(widths.slice(0, first)) || Math.floor(mean / 2));
    const itemKey = Math.max(1, sum(widths.slice(first)) || mean - entityKey);
    const told = {
      entities: 1000,
      items: 1000,
      entityKey,
      itemKey,
      offset: Math.min(itemKey, 4),
      perRow: 100,
      pageKey: itemKey,
      value: cell?.bytes ?? 8,
      family: family?.name.length ?? 1,
      qualifier: typeof cell?.qualifier === 'string' ? cell.qualifier.length : 1,
    };
    return { ...told, ...this.#given };
  }

  /** @param {typeof ASKED[number]} name @param {string | number | undefined} value */
  #give(name, value) {
    const { [name]: _, ...others } = this.#given;
    this.#given = typeof value === 'number' && value >= 1 ? { ...others, [name]: Math.round(value) } : others;
    this.#ask();
  }

  async #ask() {
    const figures = this.#figures();
    this.#layouts = await askLanguage('layouts', { items: FIGURES.map((name) => figures[name]) });
    this.requestUpdate();
  }
}
customElements.define('layouts-view', LayoutsView);
