import { html, nothing } from 'lit';
import { table } from '../../state/document-engine.js';
import { explained } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import { figureText, rowsOf } from '../../text/estimate.js';
import { percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';

/** @import { QueryPlan, ReadCost } from '../../types.d.ts' */

/** Ranges listed before the person scrolls. */
const LISTED = 256;
/** Region borders drawn on the strip. */
const MOST_TICKS = 200;
/** The strip in its own units; it is as wide as its box. */
const WIDE = 1000;
const TALL = 24;
/** Least width of a range that can be seen. */
const LEAST = 4;

/** One sentence that sums up a plan. @param {QueryPlan} plan */
export function verdictOf({ kind, rangeCount, delivery, stopsAfter }) {
  const { reversed = false, merge = false, sort = false } = delivery ?? {};
  const full = kind === 'fullScan' && stopsAfter ? '-limited' : '';
  const many = rangeCount === 1 || kind === 'nothing' || kind === 'fullScan' ? full : '-many';
  return [
    say(`page.plan-${kind}${many}`, { count: rangeCount }),
    reversed && say('page.plan-reversed'),
    merge && say('page.plan-merge'),
    sort && say('page.plan-sort'),
  ]
    .filter(Boolean)
    .join('');
}

/** True of a plan that reads the whole table. @param {QueryPlan} plan */
export const isFull = ({ kind, stopsAfter }) => kind === 'fullScan' && !stopsAfter;

/** Rows read against rows returned. @param {QueryPlan} plan */
export function costOf({ counted, limited, exact }) {
  if (!counted) return '';
  const { read, returned } = limited ?? counted;
  const { sample } = state.view ?? {};
  if (limited) return say('page.plan-cost-limited', { read, returned });
  if (counted.atMost) return say('page.plan-cost-most', { read, returned });
  if (!sample || exact)
    return say(`page.plan-cost${counted.estimated ? '-estimated' : ''}`, { read, returned });
  const all = (/** @type {number} */ rows) => figureText(rowsOf(rows, sample));
  return say('page.plan-cost-sample', { read: all(read), returned: all(returned) });
}

/** Short scans that cost less. @param {NonNullable<QueryPlan['shortScans']>} scans */
const shorter = ({ fields, scans, read, returned }) =>
  say('page.plan-short-scans', { scans, read, returned, fields: fields.join(', ') });

/**
 * How a query is answered.
 * @param {QueryPlan} plan
 * @param {number | null} regionCount
 */
export function planView(plan, regionCount) {
  const { spans, ranges, rangeCount, kind, shortScans } = plan;
  const counted = plan.limited ?? plan.counted;
  return html`<div class="plan">
    <p class=${`sentence${isFull(plan) ? ' is-bad' : ''}`}>${explained(say('page.full-stop', { text: verdictOf(plan) + touched(plan, regionCount) }))}</p>
    ${spans && regionCount && kind !== 'nothing' ? strip(spans, regionCount, touched(plan, regionCount)) : nothing}
    ${
      counted && counted.read > 0
        ? html`<div class="reads"><meter min="0" max=${counted.read} .value=${counted.returned} aria-label=${say('page.plan-returned')}></meter>
          <span>${costOf(plan)} (${percent(counted.returned / counted.read)})</span></div>`
        : nothing
    }
    ${counted?.records ? html`<p class="muted">${say('page.plan-records', counted.records)}</p>` : nothing}
    ${effort(plan)}
    ${shortScans ? html`<p>${shorter(shortScans)}</p>` : nothing}
    ${
      ranges.length && kind !== 'fullScan'
        ? html`<div class="scroll ranges" tabindex="0" role="group" aria-label=${say('page.plan-ranges')}>
          <table>
            <thead><tr><th>${say(kind === 'get' ? 'page.plan-row' : 'page.plan-start')}</th>${kind === 'get' ? nothing : html`<th>${say('page.plan-stop')}</th>`}</tr></thead>
            <tbody>${ranges
              .slice(0, LISTED)
              .map(
                ({ start, stop }) =>
                  html`<tr><td class="mono">${start || say('page.first-key')}</td>${kind === 'get' ? nothing : html`<td class="mono">${stop || say('page.last-key')}</td>`}</tr>`,
              )}</tbody>
          </table>
        </div>
        ${rangeCount > ranges.length ? html`<p class="muted small">${say('page.plan-more', { listed: ranges.length, all: rangeCount })}</p>` : nothing}`
        : nothing
    }
    ${plan.filters.map(filter)}
    ${plan.exact && kind !== 'nothing' ? html`<p class="muted">${say('page.plan-exact')}</p>` : nothing}
    <ul class="reasons">
      ${[...new Set(plan.reasons.map(describe))].map((reason) => html`<li>${reason}</li>`)}
    </ul>
  </div>`;
}

/** @param {ReadCost} cost */
const figures = ({ rpcs, seeks, blocks }) => ({ rpcs, seeks, blocks });

/** Requests, seeks and blocks of a plan and of the page behind it. @param {QueryPlan} plan */
function effort({ cost, next, leastRpcs, kind }) {
  if (kind === 'nothing') return nothing;
  if (!cost)
    return leastRpcs ? html`<p class="muted">${say('page.plan-least', { count: leastRpcs })}</p>` : nothing;
  return html`<p class="effort">${explained(say('page.plan-effort', figures(cost)))}</p>
    ${next ? html`<p class="muted effort">${say('page.plan-next', { ...figures(next.cost), key: next.after })}</p>` : nothing}`;
}

/** @param {QueryPlan} plan @param {number | null} all */
function touched({ regions, servers, kind }, all) {
  if (!regions || !all || kind === 'nothing') return '';
  const of = { regions, all, servers: servers ?? 0, known: table()?.servers ?? 0 };
  return say(servers ? 'page.plan-touched-servers' : 'page.plan-touched', of);
}

/**
 * The regions side by side, low keys left, and what is read of them.
 * @param {Float64Array} spans
 * @param {number} regions
 * @param {string} label
 */
function strip(spans, regions, label) {
  const x = (/** @type {number} */ place) => (place / regions) * WIDE;
  const every = Math.ceil(regions / MOST_TICKS);
  const ticks = Array.from({ length: Math.ceil(regions / every) - 1 }, (_, at) => x((at + 1) * every));
  return html`<figure class="strip">
    <svg viewBox=${`0 0 ${WIDE} ${TALL}`} preserveAspectRatio="none" role="img" aria-label=${label}>
      <path class="ticks" d=${ticks.map((at) => `M${at.toFixed(2)} 0V${TALL}`).join('')}></path>
      <path class="spans" d=${merged(spans)
        .map(
          ([from, to]) => `M${x(from).toFixed(2)} ${TALL / 2}H${Math.max(x(to), x(from) + LEAST).toFixed(2)}`,
        )
        .join('')}></path>
    </svg>
    <figcaption class="muted small"><span>${say('page.first-key')}</span><span>${say('page.plan-axis')}</span><span>${say('page.last-key')}</span></figcaption>
  </figure>`;
}

/** Spans as pairs; those that touch are one. @param {Float64Array} spans @returns {[number, number][]} */
function merged(spans) {
  /** @type {[number, number][]} */
  const pairs = [];
  for (let at = 0; at < spans.length; at += 2) {
    const last = pairs.at(-1);
    if (last && spans[at] - last[1] < 1e-6) last[1] = Math.max(last[1], spans[at + 1]);
    else pairs.push([spans[at], spans[at + 1]]);
  }
  return pairs;
}

/** @param {QueryPlan['filters'][number]} filter */
function filter({ name, pairs = [], pattern }) {
  const [first] = pairs;
  return html`<div class="filter"><p><strong>${name}</strong> <span class="muted">${say(`page.filter-${name}`)}</span></p>
    ${pattern ? html`<code>${pattern}</code>` : nothing}
    ${first ? html`<dl class="facts"><div><dt>${say('page.filter-key')}</dt><dd class="mono">${first.key}</dd></div><div><dt>${say('page.filter-mask')}</dt><dd class="mono">${first.mask}</dd></div></dl>` : nothing}
    ${pairs.length > 1 ? html`<p class="muted small">${say('page.filter-more', { count: pairs.length - 1 })}</p>` : nothing}
  </div>`;
}
