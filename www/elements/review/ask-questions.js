import { html, nothing } from 'lit';
import { openQuery, openTab, propose } from '../../actions/actions.js';
import { withOutlook } from '../../design/document.js';
import { LENGTHS, proposalsOf, textOf, timeIn } from '../../design/proposals.js';
import { summaryOf } from '../../design/queries.js';
import { table } from '../../state/document-engine.js';
import { askRecords } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { count, duration } from '../../text/format.js';
import '../../text/later-sentences.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { isFull } from './query-plan.js';

/** @import { Problem, ProposedQuery, Query, QueryPlan } from '../../types.d.ts' */

/** Values of a field that are offered. */
const OFFERED = 12;
/** Questions offered at once. */
const PROPOSED = 5;

/** The questions that the table answers, as sentences with pickers, and those that its columns suggest. */
export class AskQuestions extends View {
  static reads = slices('design', 'records', 'report', 'queries', 'work');

  /** @type {ProposedQuery[]} */
  #proposed = [];
  /** The keys that they are for. */
  #of = -1;
  /** @type {Problem[]} */
  #problems = [];

  render() {
    const queries = state.design?.queries ?? [];
    if (!state.design || !state.view) return nothing;
    return html`<details class="ask" ?open=${!matchMedia('(max-width: 600px)').matches}>
      <summary><h2>${say('page.ask')}</h2> ${queries.length ? html`<span class="number muted">${count(queries.length)}</span>` : nothing}</summary>
      ${queries.length ? html`<ol>${queries.map((query, index) => this.#one(query, index))}</ol>` : nothing}
      <div class="proposals">
        ${queries.length ? nothing : html`<span class="muted">${say('page.ask-none')}</span>`}
        ${this.#proposals(queries)}
        <button type="button" class="quiet small" @click=${() => edit(null)}>${say('page.ask-other')}</button>
      </div>
      ${this.#problems.map((problem) => html`<p class="note bad" role="alert">${describe(problem)}</p>`)}
    </details>`;
  }

  updated() {
    void this.#look();
  }

  /** Asks for queries that suit the records, once for each order of the keys. */
  async #look() {
    const { design, keysVersion, phase, view } = state;
    if (phase !== 'ready' || !view || this.#of === keysVersion) return;
    this.#of = keysVersion;
    const ask = { document: JSON.stringify(design), table: state.table };
    this.#proposed = await askRecords('proposed', ask).catch(() => []);
    this.requestUpdate();
  }

  /** @param {Query[]} queries */
  #proposals(queries) {
    return proposalsOf(this.#proposed, queries)
      .slice(0, PROPOSED)
      .map(
        (query) =>
          html`<button type="button" class="small" title=${summaryOf(query)} @click=${() => this.#set((asked) => [...asked, query])}><span aria-hidden="true">+ </span>${query.name}</button>`,
      );
  }

  /** @param {Query} query @param {number} index */
  #one(query, index) {
    const plan = state.queries?.plans[index];
    const put = (/** @type {Partial<Query>} */ changes) =>
      this.#set((asked) => asked.map((one, at) => (at === index ? { ...one, ...changes } : one)));
    const name = query.name;
    return html`<li>
      <label class="rate"><input inputmode="decimal" aria-label=${say('page.ask-rate', { name })} .value=${String(query.rate ?? '')} placeholder="1"
        @change=${(/** @type {any} */ event) => put({ rate: Number(event.target.value) || undefined })}><span class="muted" aria-hidden="true">/s</span></label>
      <span class="name">${name}</span>
      <span class="where">${Object.keys(query.where ?? {}).map((field) => this.#condition(query, field, put))}</span>
      <span class=${`cost figures${plan?.kind && isFull(plan) ? ' is-full' : ''}`}>${costOf(plan)}</span>
      <span class="acts">
        <button type="button" class="quiet small" aria-label=${say('page.ask-edit', { name })} title=${say('page.ask-edit', { name })} @click=${() => edit(index)}>✎</button>
        <button type="button" class="quiet small" aria-label=${say('page.ask-remove', { name })} title=${say('page.ask-remove', { name })} @click=${() => this.#set((asked) => asked.filter((one) => one !== query))}>×</button>
      </span>
    </li>`;
  }

  /**
   * A condition: the value or the length of time can be picked, other conditions are told.
   * @param {Query} query
   * @param {string} field
   * @param {(changes: Partial<Query>) => void} put
   */
  #condition(query, field, put) {
    const condition = query.where?.[field];
    const declared = table()?.fields.find(({ name }) => name === field);
    const set = (/** @type {import('../../types.d.ts').Condition} */ to) =>
      put({ where: { ...query.where, [field]: to } });
    const ends = Array.isArray(condition)
      ? condition
      : typeof condition === 'object' && condition && 'from' in condition
        ? [condition.from, condition.to]
        : null;
    const [from, to] = (ends ?? []).map((end) => timeIn(String(end)));
    if (declared?.type === 'time' && ends && to > from) {
      const lengths = [...new Set([...LENGTHS, to - from])].sort((a, b) => a - b);
      return html`<label class="pick"><span class="mono">${field}</span>
        <select aria-label=${say('page.ask-length', { field })} @change=${(/** @type {any} */ event) => set([String(ends[0]), textOf(from + Number(event.target.value))])}>
          ${lengths.map((length) => html`<option value=${length} ?selected=${length === to - from}>${duration(length)}</option>`)}
        </select><span class="muted">${say('page.ask-from', { time: textOf(from).slice(0, 16) })}</span></label>`;
    }
    if (typeof condition === 'string' || typeof condition === 'number') {
      const busiest = state.view?.busiest.find((one) => one.field === field)?.values ?? [];
      const values = [...new Set([String(condition), ...busiest.map(({ value }) => value)])].slice(
        0,
        OFFERED,
      );
      return html`<label class="pick"><span class="mono">${field}</span>
        <select class="mono" aria-label=${say('page.ask-value', { field })} @change=${(/** @type {any} */ event) => set(event.target.value)}>
          ${values.map((value) => html`<option value=${value} ?selected=${value === String(condition)}>${value}</option>`)}
        </select></label>`;
    }
    return html`<span class="mono">${summaryOf({ name: '', where: { [field]: /** @type {any} */ (condition) } })}</span>`;
  }

  /**
   * Changes the questions that the document has by then: another click may come before the list is redrawn.
   * @param {(asked: Query[]) => Query[]} edit
   */
  async #set(edit) {
    this.#problems = await propose((design) => withOutlook(design, { queries: edit(design.queries ?? []) }));
    this.requestUpdate();
  }
}

/** Scans and rows of a plan. @param {QueryPlan | undefined} plan */
function costOf(plan) {
  if (!plan?.kind) return plan?.problems[0] ? describe(plan.problems[0]) : '…';
  const { read = 0 } = plan.limited ?? plan.counted ?? {};
  if (isFull(plan)) return say('page.ask-full', { rows: count(read) });
  return say('page.bar-scans', { scans: plan.rangeCount, rows: count(read) });
}

/** Opens a question to change all of it, or the list of them. @param {number | null} index */
function edit(index) {
  openTab('questions');
  openQuery(index);
  document.querySelector('review-tabs')?.scrollIntoView({ block: 'start' });
}
customElements.define('ask-questions', AskQuestions);
