import { html, nothing } from 'lit';
import { compareDesigned, setAside } from '../../actions/actions.js';
import { compared } from '../../actions/review-answers.js';
import { state } from '../../state/store.js';
import { intervalHelp, sampledAs } from '../../text/estimate.js';
import { say } from '../../text/sentences.js';
import './compare-maps.js';
import { measured, measuredBetween, sideText } from '../../text/measures.js';
import './sweep-view.js';
import { slices, View } from '../shared/view.js';

/** @import { Comparison, Line } from '../../types.d.ts' */

/** Designs side by side on the same records, and one thing of a design varied. */
export class ComparePanel extends View {
  static reads = slices('design', 'review');

  render() {
    const { comparison, reference } = state;
    return html`
      <section class="compare" aria-labelledby="compare-title">
        <h2 class="unseen" id="compare-title">${say('page.tab-compare')}</h2>
        ${comparison ? html`<compare-maps></compare-maps>` : nothing}
        ${comparison ? this.#answer(comparison) : html`<p class="muted">${say('page.compare-nothing')}</p>`}
        <div class="actions">
          <button type="button" class=${reference ? '' : 'main'} @click=${() => setAside(true)}>${say(reference ? 'page.compare-keep-again' : 'page.compare-keep')}</button>
          ${reference ? html`<button type="button" class="quiet" @click=${() => setAside(false)}>${say('page.compare-forget')}</button>` : nothing}
        </div>
        <sweep-view></sweep-view>
      </section>
    `;
  }

  /** @param {Comparison} comparison */
  #answer({ rows, sampled, equalShares, designs, lines, queries }) {
    const names = compared().map(({ name }, index) => name || designs[index]?.name);
    const differ = (/** @type {Line} */ { changes }) => changes.some((change) => change !== 'same');
    return html`
      ${designs.slice(1).map((side, index) => html`<p class="sentence">${sideText(side, names[index + 1], names[0], equalShares)}</p>`)}
      ${this.#splits(equalShares)}
      <div class="scroll" tabindex="0" role="group" aria-label=${say('page.tab-compare')}><table class="sides">
        <thead><tr><th>${say('page.compare-measure')}</th>${designs.map(({ rowkey }, index) => html`<th class="number"><strong>${names[index]}</strong><code title=${rowkey}>${rowkey}</code></th>`)}</tr></thead>
        <tbody>
          ${lines.filter(differ).map((line) => row(line, say(line.code)))}
          ${queries.map(({ name, lines: own }) => {
            const other = own.filter(differ);
            return other.length
              ? html`<tr class="query-name"><th scope="rowgroup" colspan=${designs.length + 1}>${name}</th></tr>${other.map((line) => row(line, say(line.code)))}`
              : nothing;
          })}
        </tbody>
      </table></div>
      <p class="muted small">${say('page.compare-same', { count: [...lines, ...queries.flatMap((query) => query.lines)].filter((line) => !differ(line)).length })}
        ${sampled < rows ? `${say('page.sampled', sampledAs({ rows: sampled, of: rows }))} ${intervalHelp()}` : nothing}</p>
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
