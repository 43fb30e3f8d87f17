import { html, nothing } from 'lit';
import { setWay } from '../../actions/actions.js';
import { wayOf } from '../../actions/review-answers.js';
import { state } from '../../state/store.js';
import { count, percent } from '../../text/format.js';
import { movesText } from '../../text/measures.js';
import { describe, say } from '../../text/sentences.js';
import { copyable } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** @import { Migration, Problem } from '../../types.d.ts' */

/** From one design to another: what moves, what is done in which order, and what clients do meanwhile. */
export class MigratePanel extends View {
  static reads = slices('design', 'history', 'review');

  render() {
    const { designs } = wayOf();
    const { migration } = state;
    return html`
      <section class="migrate" aria-labelledby="migrate-title">
        <h2 class="unseen" id="migrate-title">${say('page.take-migrate')}</h2>
        ${
          designs.length > 1
            ? html`${this.#ends()}${migration ? this.#answer(migration) : nothing}`
            : html`<p class="muted">${say('page.migrate-none')}</p>`
        }
      </section>
    `;
  }

  /** From which design to which. */
  #ends() {
    const { designs, from, to } = wayOf();
    const choice = (
      /** @type {string} */ label,
      /** @type {number} */ at,
      /** @type {(index: number) => void} */ set,
    ) =>
      html`<label class="figure-input"><span>${label}</span><select @change=${(/** @type {Event} */ event) => set(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
        ${designs.map(({ name }, index) => html`<option value=${index} ?selected=${index === at}>${name}</option>`)}</select></label>`;
    return html`<div class="inputs">
      ${choice(say('page.migrate-from'), from, (index) => setWay(index === to ? [to, from] : [index, to]))}
      ${choice(say('page.migrate-to'), to, (index) => setWay(index === from ? [to, from] : [from, index]))}
    </div>`;
  }

  /** @param {Migration} migration */
  #answer({ way, moves, steps, clients, checks, queries, familyCommands, reshape, stepCount, commands }) {
    return html`
      <p class="sentence">${way === 'nothing' ? say('page.migrate-same') : say(`page.migrate-${way}`)}
        ${moves && way !== 'nothing' ? movesText(moves) : nothing}</p>
      <div class="columns">
        <div class="asides">
          ${listed('page.migrate-steps', steps, true)}
          ${listed('page.migrate-checks', checks)}
        </div>
        <div class="asides">
          ${listed('page.migrate-clients', clients)}
          ${queries.length ? this.#queries(queries) : nothing}
          ${moves?.regions.length ? this.#moves(moves.regions) : nothing}
        </div>
      </div>
      ${familyCommands ? html`<h3>${say('page.alter-commands')}</h3>${copyable(familyCommands, say('page.alter-commands'))}` : nothing}
      ${reshape.length ? this.#commands(reshape, stepCount, commands) : nothing}
    `;
  }

  /** @param {Migration['queries']} queries */
  #queries(queries) {
    return html`<h3>${say('page.migrate-queries')}</h3>
      <div class="scroll" tabindex="0" role="group" aria-label=${say('page.migrate-queries')}><table>
        <thead><tr><th>${say('page.query')}</th>${['before', 'meanwhile', 'after'].map((when) => html`<th class="number">${say(`page.migrate-${when}`)}</th>`)}</tr></thead>
        <tbody>${queries.map(({ name, before, meanwhile, after }) => html`<tr><th scope="row">${name}</th><td class="number">${count(before)}</td><td class="number">${count(meanwhile)}</td><td class="number">${count(after)}</td></tr>`)}</tbody>
      </table></div>`;
  }

  /** @param {NonNullable<Migration['moves']>['regions']} regions */
  #moves(regions) {
    return html`<h3>${say('page.migrate-moves')}</h3>
      <div class="scroll" tabindex="0" role="group" aria-label=${say('page.migrate-moves')}><table>
        <thead><tr><th class="number">#</th><th class="number">${say('page.rows')}</th><th class="number">${say('page.migrate-moved')}</th><th class="share">${say('page.metric-share')}</th></tr></thead>
        <tbody>${regions.map(({ region, rows, moved }) => {
          const share = percent(moved / Math.max(1, rows));
          return html`<tr><th scope="row" class="number">${count(region)}</th><td class="number">${count(rows)}</td><td class="number">${count(moved)}</td>
            <td class="share"><meter min="0" max=${rows} .value=${moved} aria-label=${share}></meter><span>${share}</span></td></tr>`;
        })}</tbody>
      </table></div>`;
  }

  /** @param {Migration['reshape']} steps @param {number} all @param {string} commands */
  #commands(steps, all, commands) {
    return html`<h3>${say('page.reshape-commands', { count: all })}</h3>
      ${all > steps.length ? html`<p class="muted">${say('page.reshape-first', { listed: steps.length })}</p>` : nothing}
      ${copyable(commands, say('page.reshape-commands', { count: all }))}`;
  }
}

/**
 * Sentences under a title; nothing when there are none.
 * @param {string} title
 * @param {Problem[]} problems
 * @param {boolean} [inOrder]
 */
function listed(title, problems, inOrder = false) {
  if (!problems.length) return nothing;
  const items = problems.map((problem) => html`<li>${capital(describe(problem))}</li>`);
  return html`<h3>${say(title)}</h3>${inOrder ? html`<ol class="steps">${items}</ol>` : html`<ul class="rules">${items}</ul>`}`;
}

/** A line of a list begins as a sentence does; what is named stays as it is. @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

customElements.define('migrate-panel', MigratePanel);
