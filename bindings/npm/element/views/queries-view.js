import { html, nothing } from 'lit/html.js';
import { count, percent } from '../../../../www/text/format.js';
import { describe, say } from '../../../../www/text/sentences.js';

/** @import { QueryPlan } from '../../../../www/types.d.ts' */
/** @import { Answer } from '../types.d.ts' */

/** The strip in its own units. */
const WIDE = 1000;
/** Least width of a range that can be seen. */
const LEAST = 4;
/** Ranges listed. */
const LISTED = 3;

/** How each query of the document is answered, and where in the table it reads. @param {Answer} answer */
export function queriesView({ plans: found }) {
  const { plans = [], regionCount = null } = found ?? {};
  if (!plans.length) return html`<p class="muted">${say('figure.no-queries')}</p>`;
  return html`<ol class="queries" part="queries">${plans.map((plan) => one(plan, regionCount))}</ol>`;
}

/** @param {QueryPlan} plan @param {number | null} all */
function one(plan, all) {
  const { name, kind, problems, spans, limited, ranges, rangeCount, regions, stopsAfter } = plan;
  const { read = 0, returned = 0 } = limited ?? plan.counted ?? {};
  if (!kind)
    return html`<li><strong>${name}</strong> ${problems.map((problem) => html`<p class="error">${describe(problem)}</p>`)}</li>`;
  const touched = regions && all && kind !== 'nothing' ? say('page.plan-touched', { regions, all }) : '';
  return html`<li><strong>${name}</strong>
    <p class=${kind === 'fullScan' && !stopsAfter ? 'is-bad' : ''}>${said(plan)}${touched}.</p>
    ${spans && all && kind !== 'nothing' ? strip(spans, all, said(plan) + touched) : nothing}
    ${read > 0 ? html`<p class="muted">${say(limited ? 'page.plan-cost-limited' : 'page.plan-cost', { read, returned })} (${percent(returned / read)})</p>` : nothing}
    ${kind === 'fullScan' ? nothing : ranges.slice(0, LISTED).map(({ start, stop }) => html`<p class="mono range">${say('page.key-range', { start: start || say('page.first-key'), stop: stop || say('page.last-key') })}</p>`)}
    ${kind !== 'fullScan' && rangeCount > LISTED ? html`<p class="muted">${say('figure.more-ranges', { more: count(rangeCount - LISTED) })}</p>` : nothing}
  </li>`;
}

/** The sentence that sums up a plan. @param {QueryPlan} plan */
function said({ kind, rangeCount, delivery, stopsAfter }) {
  const full = kind === 'fullScan' && stopsAfter ? '-limited' : '';
  const many = rangeCount === 1 || kind === 'nothing' || kind === 'fullScan' ? full : '-many';
  const { reversed = false, merge = false, sort = false } = delivery ?? {};
  const words = [
    say(`page.plan-${kind}${many}`, { count: rangeCount }),
    reversed && say('page.plan-reversed'),
    merge && say('page.plan-merge'),
    sort && say('page.plan-sort'),
  ];
  return words.filter(Boolean).join('');
}

/** The regions side by side, low keys left, and what is read of them. @param {Float64Array} spans @param {number} regions @param {string} label */
function strip(spans, regions, label) {
  const x = (/** @type {number} */ place) => (place / regions) * WIDE;
  const pairs = Array.from({ length: spans.length / 2 }, (_, at) => [x(spans[2 * at]), x(spans[2 * at + 1])]);
  const every = Math.ceil(regions / 200);
  const ticks = Array.from(
    { length: Math.ceil(regions / every) - 1 },
    (_, at) => `M${x((at + 1) * every).toFixed(1)} 0V24`,
  );
  return html`<svg class="strip" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label=${label}>
    <path class="ticks" d=${ticks.join('')}></path>
    <path class="spans" d=${pairs.map(([from, to]) => `M${from.toFixed(1)} 12H${Math.max(to, from + LEAST).toFixed(1)}`).join('')}></path></svg>`;
}
