import { html, nothing, svg } from 'lit';
import { propose, setStorageRows } from '../../actions/actions.js';
import { rowsAsked } from '../../actions/review-answers.js';
import { kindCellsOf, withLayout } from '../../design/document.js';
import {
  qualifierOf,
  qualifierText,
  renamed,
  valueText,
  withAnother,
  withCell,
  without,
  withTimestamp,
  withValue,
} from '../../design/family-cells.js';
import { table } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { bytes, count, decimal, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { figureInput } from './figure-input.js';

/** @import { Estimate, Family, FamilyBytes, FamilyCell, Problem, SharedFamily, Storage } from '../../types.d.ts' */

/** Bytes of the timestamp of a cell; 12 more are its type and lengths. */
const TIMESTAMP = 8;
/** The bar in its own units. */
const WIDE = 1000;
const GAP = 2;
const MOST_ROWS = 1e12;

/** Bytes per row, part by part, and bytes of the whole table. */
export class StoragePanel extends View {
  static reads = slices('design', 'report', 'review');

  /** @type {Problem[]} */
  #problems = [];
  /** True while other layouts are visible. */
  #layouts = false;

  render() {
    const { storage } = state;
    return html`
      <section class="storage" aria-labelledby="storage-title">
        <h2 id="storage-title">${say('page.storage')}</h2>
        ${storage ? this.#answer(storage) : nothing}
        ${this.#cells()}
        <details class="layouts" @toggle=${this.#open}>
          <summary>${say('page.layouts')}</summary>
          ${this.#layouts ? html`<layouts-view></layouts-view>` : nothing}
        </details>
      </section>
    `;
  }

  /** @param {Storage} storage */
  #answer(storage) {
    const { rows, cells, total, madeUp, exact, byteLess, update, problems } = storage;
    const kinds = kindsOf(storage);
    const each = (/** @type {number} */ all) => all / Math.max(1, rows);
    return html`
      <p class="sentence">${say(cells > rows ? 'page.storage-row-many' : 'page.storage-row', { bytes: figure(each(total)), cells: count(each(cells)), value: percent(storage.bytes.value / Math.max(1, total)) })}
        ${madeUp ? say('page.storage-made-up') : nothing} ${exact ? nothing : say('page.storage-inexact', { least: bytes(storage.least), most: storage.most === null ? '∞' : bytes(storage.most) })}</p>
      ${bar(kinds, total)}
      <div class="columns">
        <div class="scroll" tabindex="0" role="group" aria-label=${say('page.storage-kinds')}><table class="kinds">
          <thead><tr><th>${say('page.storage-kind')}</th><th class="number">${say('page.storage-each')}</th><th class="number">${say('page.metric-share')}</th><th class="number">${say('page.storage-all', { rows: count(rows) })}</th></tr></thead>
          <tbody>${kinds.map(
            ({
              kind,
              size,
            }) => html`<tr><th scope="row"><svg class=${`swatch byte-${kind}`} viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10"></rect></svg>${say(`page.byte-${kind}`)}</th>
              <td class="number">${figure(each(size))}</td><td class="number">${percent(size / Math.max(1, total))}</td><td class="number">${bytes(size)}</td></tr>`,
          )}</tbody>
          <tfoot><tr><th scope="row">${say('page.storage-total')}</th><td class="number">${figure(each(total))}</td><td></td><td class="number">${bytes(total)}</td></tr></tfoot>
        </table></div>
        <div class="asides">
          ${figureInput({ label: say(rows < rowsAsked() ? 'page.storage-records' : 'page.storage-rows'), value: rowsAsked(), set: this.#rows })}
          ${rows < rowsAsked() && state.view?.keys.duplicates.estimated ? html`<p class="note">${say('page.storage-sampled')}</p>` : nothing}
          <p>${say('page.storage-byte-less', { bytes: bytes(byteLess) })}</p>
          ${update.reads ? html`<p>${say('page.storage-update', { reads: figure(update.reads), writes: figure(update.writes) })}</p>` : nothing}
          ${problems.map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}
        </div>
      </div>
      ${madeUp ? nothing : this.#families(storage)}
    `;
  }

  /** @param {Storage} storage */
  #families({ families, shared }) {
    const span = (/** @type {Estimate} */ { least, most }) =>
      least === most ? bytes(least) : `${bytes(least)} – ${bytes(most)}`;
    const encoded = (/** @type {Estimate} */ estimate, /** @type {number} */ all) =>
      html`${span(estimate)} <span class="muted">${say('page.storage-part', { least: Math.round((100 * estimate.least) / all), most: Math.round((100 * estimate.most) / all) })}</span>`;
    const declared = new Map(table()?.families.map(({ name, compression = 'NONE' }) => [name, compression]));
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${say('page.storage-files')}><table>
      <thead><tr><th>${say('page.storage-family')}</th>${['page.storage-cells', 'page.storage-files', 'page.storage-index'].map((key) => html`<th class="number">${say(key)}</th>`)}
        <th class="number">PREFIX</th><th class="number">FAST_DIFF</th><th class="number">${say('page.storage-compressed')}</th></tr></thead>
      <tbody>${families.map((family) => {
        const all = Math.max(1, kindTotal(family.bytes));
        const compression = declared.get(family.name);
        return html`<tr><th scope="row" class="mono">${family.name}</th><td class="number">${bytes(all)}</td><td class="number">${span(family.files)}</td><td class="number">${span(family.index)}</td>
          <td class="number">${encoded(family.prefix, all)}</td><td class="number">${encoded(family.fastDiff, all)}</td>
          <td class="number">${compression === 'NONE' ? html`<span class="muted">NONE</span>` : html`${compression} ${encoded(family.compressed, all)}`}</td></tr>`;
      })}</tbody>
    </table></div>
    <p class="muted small">${say('page.storage-estimates')}</p>
    ${families
      .filter(({ compacted }) => compacted.none > 0)
      .map(
        ({ name, compacted: { none, rowIndex, diff } }) =>
          html`<p>${say('page.storage-compacted', { family: name, none: bytes(none), index: bytes(rowIndex), diff: bytes(diff) })}</p>`,
      )}
    ${shared.filter(({ alone, together }) => 2 * alone <= together).map(sharing)}
    ${(state.left?.families ?? [])
      .filter(({ written, left }) => left !== written)
      .map(
        ({ name, written, cells, left }) =>
          html`<p>${say('page.storage-left', { family: name, written: count(written), cells: count(cells), left: count(left) })}</p>`,
      )}`;
  }

  /** The cells of a row, to fill in. */
  #cells() {
    const families = table()?.families ?? [];
    const own = state.design ? kindCellsOf(state.design, state.table) : [];
    const times = (state.design?.fields ?? []).filter(({ type }) => type === 'time').map(({ name }) => name);
    const cells = families.flatMap((family, of) =>
      (family.cells ?? []).map((cell, at) => ({ family: family.name, cell, of, at })),
    );
    return html`
      <div class="cells">
        <h3>${say('page.cells')}</h3>
        <div class="scroll"><table>
          <thead><tr><th>${say('page.storage-family')}</th><th>${say('page.byte-qualifier')}</th><th class="number">${say('page.cell-bytes')}</th>${times.length ? html`<th>${say('page.byte-timestamp')}</th>` : nothing}<td></td></tr></thead>
          <tbody>
            ${cells.map(({ family, cell, of, at }) => {
              const put = (/** @type {FamilyCell} */ changed) =>
                this.#put(withCell(families, of, at, changed));
              const qualifier = qualifierText(cell.qualifier);
              return html`<tr>
                <td><input class="mono" aria-label=${say('page.storage-family')} .value=${family} @change=${(/** @type {Event} */ event) => this.#put(renamed(families, of, textOf(event)))}></td>
                <td><input class="mono" aria-label=${say('page.byte-qualifier')} .value=${qualifier} @change=${(/** @type {Event} */ event) => put({ ...cell, qualifier: qualifierOf(textOf(event)) })}></td>
                <td class="number"><input aria-label=${say('page.cell-bytes')} .value=${valueText(cell)} @change=${(/** @type {Event} */ event) => put(withValue(cell, textOf(event)))}></td>
                ${times.length ? html`<td>${timestamp(cell, times, put)}</td>` : nothing}
                <td><button type="button" class="quiet small" aria-label=${say('page.cell-remove', { name: `${family}:${qualifier}` })} title=${say('page.cell-remove', { name: `${family}:${qualifier}` })} @click=${() => this.#put(without(families, of, at))}>×</button></td>
              </tr>`;
            })}
            ${own.map(
              ({ kind, cell }) => html`<tr>
                <td class="mono">${cell.family}</td><td class="mono">${qualifierText(cell.qualifier)} <span class="tag">${kind}</span></td><td class="number mono">${valueText(cell)}</td><td></td>
              </tr>`,
            )}
          </tbody>
        </table></div>
        <p class="muted small">${say('page.cell-formula')}</p>
        <div aria-live="polite">${this.#problems.slice(0, 4).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</div>
        <div class="actions"><button type="button" @click=${() => this.#put(withAnother(families))}>${say('page.cell-add')}</button></div>
      </div>
    `;
  }

  #open = (/** @type {Event} */ event) => {
    this.#layouts = /** @type {HTMLDetailsElement} */ (event.target).open;
    if (this.#layouts) import('./layouts-view.js');
    this.requestUpdate();
  };

  /** @param {string | number | undefined} rows */
  #rows = (rows) => {
    if (typeof rows === 'number' && rows >= 1) setStorageRows(Math.min(MOST_ROWS, Math.round(rows)));
    else this.requestUpdate();
  };

  /** @param {Family[]} families */
  async #put(families) {
    this.#problems = await propose((design) => withLayout(design, state.table, { families }));
    this.requestUpdate();
  }
}

/** A family that lies in more regions than it would fill. @param {SharedFamily} family */
function sharing({ name, rows, alone, together, files, regionBytes, flushBytes }) {
  const small = regionBytes < flushBytes;
  return html`<p>${say('page.family-shared', { family: name, rows, alone, together, files })}</p>
    ${small ? html`<p>${say('page.family-flushed', { family: name, each: bytes(regionBytes), bound: bytes(flushBytes) })}</p>` : nothing}`;
}

/** The choice of a cell's timestamp. @param {FamilyCell} cell @param {string[]} times @param {(changed: FamilyCell) => void} put */
const timestamp = (cell, times, put) =>
  html`<select aria-label=${say('page.byte-timestamp')} @change=${(/** @type {Event} */ event) => put(withTimestamp(cell, textOf(event)))}>
    <option value="" ?selected=${!cell.timestamp}>${say('page.cell-written')}</option>
    ${times.map((field) => html`<option value=${field} ?selected=${field === cell.timestamp}>${field}</option>`)}
  </select>`;

/** @typedef {{ kind: string, size: number }} Kind */

/** Bytes by what they are, in the order a cell has them. @param {Storage} storage @returns {Kind[]} */
function kindsOf({ bytes: { row, family, qualifier, overhead, value }, cells }) {
  const timestamp = Math.min(overhead, TIMESTAMP * cells);
  const sizes = { row, family, qualifier, timestamp, overhead: overhead - timestamp, value };
  return Object.entries(sizes).map(([kind, size]) => ({ kind, size }));
}

/** @param {FamilyBytes['bytes']} bytes */
function kindTotal({ row, family, qualifier, overhead, value }) {
  return row + family + qualifier + overhead + value;
}

/** A row's bytes end to end. @param {Kind[]} kinds @param {number} total */
function bar(kinds, total) {
  let at = 0;
  const label = kinds.map(
    ({ kind, size }) => `${say(`page.byte-${kind}`)} ${percent(size / Math.max(1, total))}`,
  );
  return html`<svg class="byte-bar" viewBox=${`0 0 ${WIDE} 10`} preserveAspectRatio="none" role="img" aria-label=${label.join(', ')}>
    ${kinds.map(({ kind, size }) => {
      const from = (at / total) * WIDE;
      at += size;
      return svg`<rect class=${`byte-${kind}`} x=${from} width=${Math.max(0, (size / total) * WIDE - GAP)} height="10"></rect>`;
    })}
  </svg>`;
}

/** Bytes of a row, to a tenth where they are not whole. @param {number} size */
function figure(size) {
  return `${Number.isInteger(size) ? count(size) : decimal(size)} B`;
}

/** @param {Event} event */
function textOf({ target }) {
  return /** @type {HTMLInputElement} */ (target).value;
}
customElements.define('storage-panel', StoragePanel);
