import { html, nothing } from 'lit';
import { openTab, takeAs } from '../../actions/actions.js';
import { createCommand } from '../../actions/exports.js';
import { table } from '../../state/document-engine.js';
import { change, state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { figuresOf, headline, toneOf } from '../../text/headline.js';
import { describe, say } from '../../text/sentences.js';
import { SAID } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** @import { QueryPlan } from '../../types.d.ts' */

const MARKS = { good: '✓', warning: '!', unknown: '–', bad: '✕' };
/** Questions whose costs have room. */
const TOLD = 3;

/** The key, its verdict in figures and what can be taken away, always in reach. */
export class KeyBar extends View {
  static reads = slices('page', 'design', 'formula', 'work', 'report', 'queries', 'review');

  #copied = '';

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
      ${(state.queries?.plans ?? []).slice(0, design.queries?.length ? TOLD : 0).map(costOf)}
      <span class="actions">
        <button type="button" class="main" ?disabled=${stale} @click=${this.#copy}>${this.#copied || html`<span class="long">${say('page.bar-copy')}</span><span class="short">${say('page.bar-create')}</span>`}</button>
        <button type="button" class="more" popovertarget="bar-more" aria-label=${say('page.more')} title=${say('page.more')}>⋯</button>
        <span class="others" id="bar-more" popover>
          <button type="button" @click=${() => open('export', 'java')}>${say('page.bar-code')}</button>
          <button type="button" @click=${migrate}>${say('page.bar-migrate')}</button>
          <button type="button" aria-haspopup="dialog" @click=${share}>${say('page.bar-share')}</button>
        </span>
      </span>
      <span class="unseen" role="status">${this.#copied}</span>
    </section>`;
  }

  #copy = async () => {
    try {
      const { text } = await createCommand();
      await navigator.clipboard.writeText(text);
    } catch {
      // A command that can't be made, or not copied, is shown with the reason in its tab.
      return open('export', 'shell');
    }
    this.#copied = say('page.copied');
    this.requestUpdate();
    setTimeout(() => {
      this.#copied = '';
      this.requestUpdate();
    }, SAID);
  };
}

/** A question with its cost. @param {QueryPlan} plan */
function costOf({ name, kind, rangeCount, counted, limited, stopsAfter, problems }) {
  if (!kind) return html`<span class="cost" title=${problems.map(describe).join(' ')}>${name}: –</span>`;
  const rows = limited ?? counted;
  if (kind === 'fullScan' && !stopsAfter)
    return html`<span class="cost is-full figures">${say('page.bar-full', { name })}</span>`;
  const cost = say('page.bar-scans', { scans: rangeCount, rows: count(rows?.read ?? 0) });
  return html`<span class="cost figures" title=${`${name}: ${cost}`}>${say('page.bar-question', { name, cost })}</span>`;
}

/** Goes to the formula. */
function toFormula() {
  const formula = /** @type {HTMLElement | null} */ (document.querySelector('.formula textarea'));
  formula?.scrollIntoView({ block: 'center' });
  formula?.focus({ preventScroll: true });
}

/** Opens a tab of what can be taken away. @param {'export' | 'migrate'} tab @param {string} [name] */
function open(tab, name) {
  if (name) takeAs(name);
  openTab(tab);
  document.querySelector('review-tabs')?.scrollIntoView({ block: 'start' });
}

/** From the key before the last fix, unless another is set aside. */
function migrate() {
  const { reference, applied } = state;
  if (!reference && applied) {
    const name = say('page.compare-unfixed');
    change({ reference: { document: JSON.stringify(applied.before), table: applied.table, name } });
  }
  open('migrate');
}

/** @param {Event} event */
function share({ currentTarget }) {
  const buttons = /** @type {import('./history-buttons.js').HistoryButtons | null} */ (
    document.querySelector('history-buttons')
  );
  void buttons?.share(/** @type {HTMLElement} */ (currentTarget));
}
customElements.define('key-bar', KeyBar);
