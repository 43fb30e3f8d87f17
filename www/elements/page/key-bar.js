import { html, nothing } from 'lit';
import { openSheet } from '../../actions/actions.js';
import { createCommand } from '../../actions/exports.js';
import { table } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { figuresOf, headline, toneOf } from '../../text/headline.js';
import { say } from '../../text/sentences.js';
import { SAID } from '../shared/copy.js';
import { shortcutOf } from '../shared/shortcuts.js';
import { slices, View } from '../shared/view.js';

/** @import { QueryPlan } from '../../types.d.ts' */

const MARKS = { good: '✓', warning: '!', unknown: '–', bad: '✕' };
/** Questions whose costs have room one by one. */
const TOLD = 2;

/** The key, its verdict in figures and what can be taken away, always in reach. */
export class KeyBar extends View {
  static reads = slices('page', 'design', 'formula', 'work', 'report', 'queries', 'review');

  #copied = '';

  connectedCallback() {
    super.connectedCallback();
    addEventListener('keydown', this.#key);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#key);
  }

  render() {
    const { view, design, findings, check, formula } = state;
    const key = table()?.rowkey;
    if (!design || !key) return nothing;
    const stale = Boolean(check?.problems.length) && formula !== key;
    const { severity, title } = view ? headline(view, findings) : { severity: 'warning', title: '' };
    const tone = view ? toneOf(view, /** @type {any} */ (severity)) : 'unknown';
    return html`<section class=${`bar ${tone}${stale ? ' is-stale' : ''}`} aria-label=${say('page.bar')}>
      ${view ? html`<span class="mark" role="img" aria-label=${title} title=${title}>${MARKS[tone]}</span>` : nothing}
      ${stale ? html`<span class="tag warning">${say('page.last-valid')}</span>` : nothing}
      <button type="button" class="link key" title=${key} @click=${toFormula}><code>${key}</code></button>
      ${view ? html`<span class="cost figures" title=${say('page.figure-effective')}>${say('page.bar-writes', { written: figuresOf(view).effective, regions: count(view.regionCount) })}</span>` : nothing}
      ${design.queries?.length ? costsOf(state.queries?.plans ?? []) : nothing}
      <span class="actions">
        <button type="button" class="main" ?disabled=${stale} @click=${this.#copy}>${this.#copied || html`<span class="long">${say('page.bar-copy')}</span><span class="short">${say('page.bar-create')}</span>`}</button>
        <button type="button" class="take" aria-haspopup="dialog" aria-label=${say('page.take-open')} title=${say('page.take-help')} @click=${() => openSheet('create')}><span class="long">${say('page.take-open')}</span><span class="short">⋯</span></button>
      </span>
      <span class="unseen" role="status">${this.#copied}</span>
    </section>`;
  }

  /** Single keys, while no field has the focus. @param {KeyboardEvent} event */
  #key = (event) => {
    const act = { '/': toFormula, q: addQuestion, c: this.#copy }[shortcutOf(event)];
    if (!act || this.hidden) return;
    event.preventDefault();
    void act();
  };

  #copy = async () => {
    try {
      const { text } = await createCommand();
      await navigator.clipboard.writeText(text);
    } catch {
      // A command that can't be made, or not copied, is shown with the reason in the sheet.
      return openSheet('create');
    }
    this.#copied = say('page.copied');
    this.requestUpdate();
    setTimeout(() => {
      this.#copied = '';
      this.requestUpdate();
    }, SAID);
  };
}

/** Scans and rows read of a plan, and whether it reads the whole table. @param {QueryPlan} plan */
function costOf({ kind, rangeCount, counted, limited, stopsAfter }) {
  const full = kind === 'fullScan' && !stopsAfter;
  return { full, scans: rangeCount, rows: (limited ?? counted)?.read ?? 0 };
}

/** The questions with their costs; of many the most expensive. @param {QueryPlan[]} plans */
function costsOf(plans) {
  const known = plans.filter(({ kind }) => kind).map((plan) => ({ name: plan.name, ...costOf(plan) }));
  const text = (/** @type {ReturnType<typeof costOf>} */ { full, scans, rows }) =>
    full ? say('page.bar-full') : say('page.bar-scans', { scans, rows: count(rows) });
  const all = known.map((one) => say('page.bar-question', { name: one.name, cost: text(one) })).join('\n');
  const part = (/** @type {string} */ name, /** @type {ReturnType<typeof costOf>} */ cost) =>
    html`<span class=${`cost figures${cost.full ? ' is-full' : ''}`} title=${all}><span class="name">${name}</span> <b>${text(cost)}</b></span>`;
  if (known.length <= TOLD) return known.map((one) => part(one.name, one));
  const [worst] = [...known].sort(
    (a, b) => Number(b.full) - Number(a.full) || b.scans - a.scans || b.rows - a.rows,
  );
  return part(say('page.bar-most', { questions: known.length, name: worst.name }), worst);
}

/** Adds the question that the columns suggest first. */
const addQuestion = () =>
  /** @type {HTMLElement | null} */ (document.querySelector('ask-questions .proposals button'))?.click();

/** Goes to the formula. */
function toFormula() {
  const formula = /** @type {HTMLElement | null} */ (document.querySelector('.formula textarea'));
  formula?.scrollIntoView({ block: 'center' });
  formula?.focus({ preventScroll: true });
}

customElements.define('key-bar', KeyBar);
