import { html, nothing, svg } from 'lit';
import { applyFix, isPinned, propose, togglePin } from '../../actions/actions.js';
import { tablesOf, withLayout, withOutlook } from '../../design/document.js';
import { checkFormula, table } from '../../state/document-engine.js';
import { change, state } from '../../state/store.js';
import { onScheme, scheme } from '../../state/theme.js';
import { count, decimal } from '../../text/format.js';
import { describe, say, sentence } from '../../text/sentences.js';
import '../shared/heat-miniature.js';
import { shortcutOf } from '../shared/shortcuts.js';
import { slices, View } from '../shared/view.js';
import { colouredFormula } from './key-formula.js';
import { KeyHeats } from './key-heats.js';
import { basisView, reasonsView } from './key-reasons.js';
import { fixOf, isUsed, ownOf, rowOfNow, rowsSoFar, sharing } from './key-rows.js';
import { KeySearch } from './key-search.js';

/** @import { Design, Fix, Part } from '../../types.d.ts' */
/** @import { KeyCost, KeyRow } from './key-rows.js' */
/** @import { Found } from './key-search.js' */

/** Rows on show before the person asks for more. */
const SHOWN = 6;
/** Rows that leave room for the reasons. */
const FEW = 3;
/** One server that takes more than this many even shares of the writes is hot. */
const HOT = 2;
/** Notes said above the rows, not below them. */
const ABOVE = new Set(['suggest.no-queries', 'suggest.few-rows', 'suggest.measured']);

/** Row keys for the records and the queries, measured, beside the design's own. */
export class KeyShortlist extends View {
  static reads = slices('page', 'design', 'records', 'work', 'report', 'queries', 'review');

  #search = new KeySearch(
    () => this.requestUpdate(),
    () => this.querySelector('tbody:hover, tbody :focus-visible') !== null,
  );
  #heats = new KeyHeats(() => this.requestUpdate());
  /** Id of the row that is looked at. @type {string | null} */
  #chosen = null;
  /** Id of the row that was brought into view. @type {string | undefined} */
  #shown;
  #all = false;
  /** @type {Found | null} what the choice belongs to */
  #of = null;
  /** Parts of formulas, once they are known. @type {Map<string, Part[]>} */
  #parts = new Map();

  connectedCallback() {
    super.connectedCallback();
    addEventListener('keydown', this.#key);
    onScheme(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#key);
  }

  willUpdate() {
    this.#search.follow();
    const { found } = this.#search;
    if (found === this.#of) return;
    const before = this.#of?.rows.find(({ id }) => id === this.#chosen);
    this.#of = found;
    this.#all = false;
    this.#shown = undefined;
    this.#parts.clear();
    const same = before && found?.rows.find(({ rowkeys }) => String(rowkeys) === String(before.rowkeys));
    const winner = found?.rows.find(({ suggestion }) => suggestion);
    this.#chosen = (same ?? winner ?? found?.rows[0])?.id ?? null;
    this.#tellWinner(winner);
  }

  /** Has the verdict name the best key. @param {KeyRow | undefined} row */
  #tellWinner(row) {
    change({ winner: row ? { rowkeys: row.rowkeys, use: () => this.#use(row) } : null });
  }

  updated() {
    // Cards lie side by side: the one that is looked at comes into view.
    const row = /** @type {HTMLElement | null} */ (this.querySelector('tr.is-chosen'));
    if (!row || row.dataset.id === this.#shown) return;
    this.#shown = row.dataset.id;
    const scroller = /** @type {HTMLElement} */ (row.closest('.scroll'));
    const { left, width } = row.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    if (width < frame.width) scroller.scrollLeft += left + width / 2 - frame.left - frame.width / 2;
  }

  render() {
    const { design, phase, view } = state;
    if (!design || phase === 'failed') return nothing;
    const { found, sought, problem } = this.#search;
    const open = found || sought;
    return html`<section class=${`shortlist${open ? ' is-open' : ''}`} aria-labelledby="shortlist-title" aria-busy=${sought !== null}>
      <div class="title"><h2 id="shortlist-title">${this.#title()}</h2>
        <p class="standing muted" role="status">${this.#told()}</p>${view ? this.#act() : nothing}</div>
      <progress max="1" .value=${this.#search.progress?.done ?? 0} aria-label=${say('page.shortlist-searching')} ?hidden=${sought === null}></progress>
      ${problem && !problem.cancelled ? html`<p class="note bad" role="alert">${sentence(describe(problem))}</p>` : nothing}
      ${found ? this.#rows(found) : sought ? this.#coming(design) : nothing}
    </section>`;
  }

  #title() {
    return say(state.design?.queries?.length ? 'page.shortlist-title' : 'page.shortlist-title-writes');
  }

  /** The button that begins, cancels or takes a search. */
  #act() {
    const { sought, waiting, current } = this.#search;
    if (waiting)
      return html`<button type="button" class="small" @click=${this.#fresh}>${say('page.shortlist-fresh')}</button>`;
    if (sought !== null)
      return html`<button type="button" class="small" @click=${() => this.#search.cancel()}>${say('page.cancel')}</button>`;
    if (current) return nothing;
    return html`<button type="button" @click=${() => this.#search.start()}>${say('page.shortlist-search')}</button>`;
  }

  /** How things stand, in a sentence. */
  #told() {
    const { found, sought, problem } = this.#search;
    if (!state.view && sought === null) return sentence(say('suggest.no-rows'));
    if (sought !== null) return say('page.shortlist-searching');
    if (problem?.cancelled) return sentence(describe(problem));
    if (!found) return state.design?.queries?.length ? say('page.shortlist-offer') : '';
    const few = found.answer.notes.find(({ code }) => code === 'suggest.few-rows');
    if (few) return sentence(describe(few));
    if (!found.queries.length) return say('page.shortlist-writes-only');
    // All of the records, as the line of the data tells them, or some.
    const { rows } = found.answer;
    return rows === state.loaded?.rows ? '' : say('page.shortlist-measured', { rows });
  }

  /** Rows that are still being measured. @param {Design} design */
  #coming(design) {
    const queries = (design.queries ?? []).map(({ name }, index) => name || String(index + 1));
    const known = rowsSoFar(this.#search.soFar ?? []).slice(0, SHOWN);
    const servers = table()?.servers ?? null;
    const blank = html`<span class="blank"></span>`;
    const rows = Array.from({ length: SHOWN }, (_, at) => {
      const row = known[at];
      const rowkeys = row?.rowkeys.map((key) => html`<code>${this.#formula(key)}</code>`);
      return html`<tr role="row"><th role="rowheader" scope="row" class="key"><span class="name">${this.#heats.known ? html`<span class="heats"></span>` : nothing}<span class="rowkeys">${rowkeys ?? blank}</span></span></th>
        <td role="cell">${row && servers ? share(row, servers) : blank}</td><td role="cell" class="number">${row?.scores ? count(Math.round(row.scores.bytesPerRow)) : blank}</td>${queries.map(() => html`<td role="cell">${blank}</td>`)}<td role="cell"></td></tr>`;
    });
    return html`<div class="body is-coming">${this.#table(queries, rows)}</div>`;
  }

  /** @param {string[]} queries @param {unknown} rows */
  #table(queries, rows) {
    return html`<div class="scroll"><table role="table">
      <caption class="unseen">${this.#title()}</caption>
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${say('page.shortlist-key')}</th><th role="columnheader" scope="col" title=${say('page.shortlist-writes-help')}>${say('page.shortlist-writes')}</th><th role="columnheader" scope="col" class="number">${say('page.shortlist-bytes')}</th>
        ${queries.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}<th role="columnheader" scope="col"><span class="unseen">${say('page.compare')}</span></th></tr></thead>
      <tbody role="rowgroup" @pointerleave=${() => this.#search.take()} @focusout=${() => this.#search.take()}>${rows}</tbody>
    </table></div>`;
  }

  /** @param {Found} found */
  #rows({ rows, queries, servers, answer }) {
    const design = /** @type {Design} */ (state.design);
    const shown = this.#shownOf(rows);
    const chosen = shown.find(({ id }) => id === this.#chosen) ?? shown[0];
    const own = shown.find(({ id }) => id === 'now') ?? ownOf(rows, design);
    const stale = !this.#search.current;
    return html`<div class=${`body${stale ? ' is-stale' : ''}`}>
      ${this.#asked(answer)}
      ${this.#table(
        queries,
        shown.map((row) => this.#row(row, { chosen, queries, servers, own, all: answer.rows })),
      )}
      ${chosen ? this.#about(chosen, isUsed(chosen, design), rows) : nothing}
      <details class="basis"><summary>${say('page.shortlist-basis')}</summary>${basisView(answer, ABOVE, this.#formula)}</details>
    </div>`;
  }

  /** Asks whether measured values belong to the identity of a record. @param {Found['answer']} answer */
  #asked({ notes }) {
    const note = notes.find(({ code }) => code === 'suggest.measured');
    if (!note) return nothing;
    const confirm = () =>
      propose((design) => withOutlook(design, { identity: JSON.parse(note.args.identity) }));
    return html`<p class="note">${sentence(describe(note))} <button type="button" class="small" @click=${confirm}>${say('page.identity-confirm')}</button></p>`;
  }

  /** The rows on show: the key of the design is always one of them, the last while it is not measured. @param {KeyRow[]} rows */
  #shownOf(rows) {
    const { design, table: index, queries } = state;
    if (!design) return rows;
    const own = ownOf(rows, design) ?? rowOfNow(design, index, queries?.plans ?? []);
    const most = this.#all ? rows.length : SHOWN;
    const shown = rows.slice(0, most);
    if (shown.includes(own)) return shown;
    return [...shown.slice(0, this.#all ? most : SHOWN - 1), own];
  }

  /**
   * @param {KeyRow} row
   * @param {{ chosen: KeyRow, queries: string[], servers: number, own: KeyRow | undefined, all: number }} around
   */
  #row(row, { chosen, queries, servers, own, all }) {
    const isChosen = row === chosen;
    const isOwn = row === own;
    const label = isOwn ? 'page.shortlist-own' : row.label;
    const [reason] = row.reasons;
    const words = reason ? describe(reason) : '';
    return html`<tr role="row" class=${`${isChosen ? 'is-chosen' : ''}${isOwn ? ' is-own' : ''}`} data-id=${row.id} @click=${() => this.#choose(row)}>
      <th role="rowheader" scope="row" class="key"><label class="name">
        <input type="radio" name="shortlist" value=${row.id} .checked=${isChosen} @change=${() => this.#choose(row)}>
        ${this.#heat(row)}
        <span class="said"><span class="rowkeys">${row.rowkeys.map((key) => html`<code title=${key}>${this.#formula(key)}</code>`)}</span>
        <span class="small reason" title=${words}><span class=${`tag${isOwn ? ' own' : ''}`}>${say(label)}</span> ${row.rowkeys.length > 1 ? html`<span class="tables">${say('suggest.tables', { tables: row.rowkeys.length })}</span> ` : nothing}${isChosen ? html`<span class="muted">${words}</span>` : nothing}</span></span></label></th>
      <td role="cell" data-head=${say('page.shortlist-writes')}>${share(row, servers)}</td>
      <td role="cell" class="number" data-head=${say('page.shortlist-bytes')}>${row.scores ? count(Math.round(row.scores.bytesPerRow)) : '…'}</td>
      ${queries.map((name, at) => html`<td role="cell" data-head=${name}>${cost(row.costs[at], all)}</td>`)}
      <td role="cell" class="pins">${this.#pin(row, label)}</td>
    </tr>`;
  }

  /** The row that is looked at: what can be done with it, and why it is so. @param {KeyRow} row @param {boolean} used @param {KeyRow[]} rows all of them */
  #about(row, used, rows) {
    const more = this.#all ? 0 : Math.max(0, rows.length - SHOWN);
    return html`<div class="chosen">
      <div class="actions">
        ${
          used
            ? html`<p class="muted">${say('page.shortlist-used')}</p>`
            : html`<button type="button" class="main" @click=${() => this.#use(row)}>${say('page.shortlist-use')}</button>`
        }
        ${more ? html`<button type="button" class="quiet" @click=${this.#more}>${say('page.shortlist-more', { count: more })}</button>` : nothing}
      </div>
      <details ?open=${rows.length <= FEW}><summary>${say('page.shortlist-why')}</summary>${reasonsView(row, this.#formula)}</details>
    </div>`;
  }

  /** A formula with its parts in their colors, plain until these are known. @param {string} text */
  #formula = (text) => {
    const known = this.#parts.get(text);
    if (!known) {
      this.#parts.set(text, []);
      checkFormula(text, table()).then(
        ({ parts }) => {
          this.#parts.set(text, parts);
          this.requestUpdate();
        },
        () => {},
      );
    }
    return colouredFormula(text, known ?? []);
  };

  #fresh = () => {
    /** @type {HTMLElement} */ (document.activeElement)?.blur();
    this.#search.take();
  };

  #more = () => {
    this.#all = true;
    this.requestUpdate();
  };

  /** @param {KeyRow} row */
  #choose({ id }) {
    this.#chosen = id;
    this.requestUpdate();
  }

  /** Takes a key as one step, and leads to what became of it. @param {KeyRow} row */
  async #use({ suggestion }) {
    const { design, table: index } = state;
    if (!design) return;
    await applyFix(suggestion ? fixOf(suggestion, design, index) : this.#former());
    /** @type {(HTMLElement & { lead(): void }) | null} */ (document.querySelector('verdict-line'))?.lead();
  }

  /** The key and splits that the search began with. */
  #former() {
    const before = /** @type {Design} */ (this.#search.found?.design);
    const { rowkey, splits, kinds } = tablesOf(before)[state.table];
    return kinds.length ? { tables: /** @type {Fix['tables']} */ (before.tables) } : { rowkey, splits };
  }

  /** The design of a row, and which of its tables. @param {KeyRow} row @returns {[Design, number]} */
  #designOf({ id, suggestion }) {
    if (suggestion) return [/** @type {Design} */ (suggestion.design), 0];
    const design = id === 'now' ? state.design : this.#search.found?.design;
    return [/** @type {Design} */ (design), state.table];
  }

  /** Small pictures of a row's tables. @param {KeyRow} row */
  #heat(row) {
    if (!this.#heats.known) return nothing;
    const [design, first] = this.#designOf(row);
    return html`<span class="heats" aria-hidden="true">${row.rowkeys.map(
      (_, at) =>
        html`<heat-miniature .view=${this.#heats.of(design, first + at) ?? null} .scheme=${scheme()}></heat-miniature>`,
    )}</span>`;
  }

  /** Chooses a row by its number. @param {KeyboardEvent} event */
  #key = (event) => {
    const { found } = this.#search;
    const at = '123456'.indexOf(shortcutOf(event) || '-');
    const row = found && at >= 0 ? this.#shownOf(found.rows)[at] : undefined;
    if (!row || !this.checkVisibility()) return;
    event.preventDefault();
    this.#choose(row);
    this.querySelector(`tr[data-id="${row.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };

  /** The button that pins a row. Keys of several tables are not compared with one. @param {KeyRow} row @param {string} label */
  #pin(row, label) {
    if (row.rowkeys.length > 1) return nothing;
    const [found, table] = this.#designOf(row);
    // Servers that a search only assumes belong to none of the designs.
    const { servers } = tablesOf(/** @type {Design} */ (state.design))[state.table];
    const design = row.suggestion ? withLayout(found, table, { servers }) : found;
    const pin = { document: JSON.stringify(design), table, name: say(label) };
    const pinned = isPinned(pin);
    const toggle = (/** @type {Event} */ event) => {
      event.stopPropagation();
      togglePin(pin);
    };
    return html`<button type="button" class="small pin" aria-pressed=${pinned} title=${say('page.shortlist-pin-help')} @click=${toggle}>${say(pinned ? 'page.shortlist-pinned' : 'page.shortlist-pin')}</button>`;
  }
}

/** How many servers share the writes: a bar and a figure. @param {KeyRow} row @param {number} servers */
function share({ scores, reasons }, servers) {
  if (!scores) return '…';
  const part = sharing(scores, servers);
  const hot = part * HOT < servers && !reasons.some(({ code }) => code === 'suggest.one-region');
  const wide = (part / servers) * 100;
  return html`<span class=${`spread${hot ? ' is-hot' : ''}`}>${say('page.shortlist-servers', { effective: decimal(part), servers: count(servers) })}
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="4"></rect>${svg`<rect class="part" width=${wide} height="4"></rect>`}</svg></span>`;
}

/**
 * Scans and rows of a query. A full scan that its limit ends early is none.
 * @param {KeyCost | null | undefined} cost
 * @param {number} all rows of the table
 */
function cost(cost, all) {
  if (cost === undefined) return '…';
  if (!cost) return '–';
  const { kind, scans, rowsRead } = cost;
  const full = kind === 'fullScan' && rowsRead * 2 > all;
  const words = full ? 'page.shortlist-full' : `page.shortlist-${kind === 'get' ? 'gets' : 'scans'}`;
  return html`<span class="cost"><span class=${full ? 'full' : nothing}>${say(words, { scans })}</span>
    <span class="muted">${say('page.shortlist-rows', { rows: rowsRead })}</span></span>`;
}
customElements.define('key-shortlist', KeyShortlist);
