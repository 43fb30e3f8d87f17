import { html, nothing } from 'lit';
import { compare, compareDesigned } from '../../actions/actions.js';
import { compared } from '../../actions/review-answers.js';
import { tablesOf } from '../../design/document.js';
import { state } from '../../state/store.js';
import { intervalHelp, sampledAs } from '../../text/estimate.js';
import { describe, say } from '../../text/sentences.js';
import './compare-maps.js';
import { measured, measuredBetween, sideText } from '../../text/measures.js';
import { slices, View } from '../shared/view.js';

/** @import { Comparison, Line } from '../../types.d.ts' */

/** Two pinned designs side by side on the same records, the questions first; or one with the design on show. */
export class ComparePanel extends View {
  static reads = slices('design', 'review');

  /** True once it was brought into view. */
  #led = false;

  render() {
    const { comparing, comparison, answerProblems } = state;
    const designs = compared();
    if (!comparing) return this.#offer(designs.length);
    const problem = answerProblems.compare;
    return html`
      <section class="compare" aria-labelledby="compare-title" tabindex="-1">
        <div class="title">
          <h2 id="compare-title">${say('page.compare')}</h2>
          <button type="button" @click=${() => compare(false)}>${say('page.compare-forget')}</button>
        </div>
        ${problem ? html`<p class="note bad">${describe(problem)}</p>` : nothing}
        ${designs.length < 2 ? html`<p class="muted">${say('page.compare-nothing')}</p>` : nothing}
        ${comparison && designs.length > 1 ? html`<div class="found"><div>${this.#answer(comparison)}</div><compare-maps></compare-maps></div>` : nothing}
      </section>
    `;
  }

  updated() {
    const { comparing, comparison } = state;
    const ready = comparing && comparison !== null;
    if (ready && !this.#led) this.firstElementChild?.scrollIntoView({ block: 'nearest' });
    this.#led = ready;
  }

  /** A way to the comparison while it is closed. @param {number} designs */
  #offer(designs) {
    const { pins, design } = state;
    const [pin] = pins;
    const now = pin && design && pin.document === JSON.stringify(design) && pin.table === state.table;
    if (pin)
      return html`<p class="pinned"><span>${say('page.compare-pinned', { name: pin.name })}</span> <code>${keyOf(pin)}</code>
        ${now ? html`<span class="muted">${say('page.compare-pin-more')}</span>` : html`<button type="button" class="small" @click=${() => compare(true)}>${say('page.compare-with-now')}</button>`}
        <button type="button" class="quiet small" @click=${() => compare(false)}>${say('page.compare-unpin')}</button></p>`;
    return designs > 1
      ? html`<p class="pinned"><button type="button" class="small" @click=${() => compare(true)}>${say('page.compare-tables')}</button></p>`
      : nothing;
  }

  /** @param {Comparison} comparison */
  #answer({ rows, sampled, equalShares, designs, lines, queries }) {
    const names = compared().map(({ name }, index) => name || designs[index]?.name);
    const differ = (/** @type {Line} */ { changes }) => changes.some((change) => change !== 'same');
    const all = [...queries.flatMap((query) => query.lines), ...lines];
    return html`
      ${designs.slice(1).map((side, index) => html`<p class="sentence" role="status">${sideText(side, names[index + 1], names[0], equalShares)}</p>`)}
      <div class="scroll" tabindex="0" role="group" aria-label=${say('page.compare')}><table class="sides">
        <thead><tr><th>${say('page.compare-measure')}</th>${designs.map(({ rowkey }, index) => html`<th class="number"><strong>${names[index]}</strong><code title=${rowkey}>${rowkey}</code></th>`)}</tr></thead>
        <tbody>
          ${queries.map(({ name, lines: own }) => {
            const other = own.filter(differ);
            return other.length
              ? html`<tr class="query-name"><th scope="rowgroup" colspan=${designs.length + 1}>${name}</th></tr>${other.map((line) => row(line, say(line.code)))}`
              : nothing;
          })}
          ${queries.length ? html`<tr class="query-name"><th scope="rowgroup" colspan=${designs.length + 1}>${say('page.compare-table')}</th></tr>` : nothing}
          ${lines.filter(differ).map((line) => row(line, say(line.code)))}
        </tbody>
      </table></div>
      <p class="muted small">${say('page.compare-same', { count: all.filter((line) => !differ(line)).length })}
        ${sampled < rows ? `${say('page.sampled', sampledAs({ rows: sampled, of: rows }))} ${intervalHelp()}` : nothing}</p>
      ${this.#splits(equalShares)}
    `;
  }

  /** Under which splits, with a way to the other. @param {boolean} equalShares */
  #splits(equalShares) {
    const { designedSplits } = state;
    if (!equalShares && !designedSplits) return nothing;
    const [told, other] = designedSplits
      ? ['page.compare-designed', 'page.compare-use-shares']
      : ['page.compare-shares', 'page.compare-use-designed'];
    return html`<p class="muted small">${say(told)}
      <button type="button" class="quiet" @click=${() => compareDesigned(!designedSplits)}>${say(other)}</button></p>`;
  }
}

/** The row key of a pinned design. @param {typeof state.pins[number]} pin */
const keyOf = ({ document, table }) => tablesOf(JSON.parse(document))[table]?.rowkey ?? '';

/** A measure of all designs. @param {Line} line @param {string} name */
function row({ unit, values, changes, between }, name) {
  return html`<tr><th scope="row">${name}</th>${values.map((value, index) => {
    const change = index ? changes[index] : 'same';
    return html`<td class=${`number is-${change}`}>${change === 'same' ? nothing : html`<span class="small">${say(`page.compare-${change}`)}</span> `}${measured(unit, value)}${about(unit, between?.[index])}</td>`;
  })}</tr>`;
}

/** @param {Line['unit']} unit @param {[number, number] | null} [between] */
function about(unit, between) {
  const words = measuredBetween(unit, between);
  return words ? html`<span class="about small muted">${words}</span>` : nothing;
}

customElements.define('compare-panel', ComparePanel);
