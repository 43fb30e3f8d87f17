import { html, nothing, svg } from 'lit';
import { applyFix, compareApplied, undo } from '../../actions/actions.js';
import { table } from '../../state/document-engine.js';
import { explained } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import { intervalHelp, sampleOf } from '../../text/estimate.js';
import { figuresOf, headline, toneOf } from '../../text/headline.js';
import { describe, detailOf, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { State } from '../../state/store.js' */
/** @import { Figures } from '../../text/headline.js' */
/** @import { Finding, Fix, View as Report } from '../../types.d.ts' */

/** Phases after which there is a verdict: its place is kept. */
const BUSY = new Set(['starting', 'reading', 'sorting']);

const ICONS = {
  good: svg`<path d="M6 12.5l4 4 8-9"></path>`,
  warning: svg`<path d="M12 7v6M12 16.5v.5"></path>`,
  unknown: svg`<path d="M7 12h10"></path>`,
  bad: svg`<path d="M8 8l8 8M16 8l-8 8"></path>`,
};

const FIGURES = /** @type {const} */ (['rows', 'regions', 'largest', 'effective']);

/** The verdict in one sentence with its cause, its fix and four figures; after a fix, with what it gained and cost. */
export class VerdictLine extends View {
  static reads = slices('page', 'design', 'records', 'work', 'report', 'review', 'queries', 'key');

  render() {
    const { view, applied, design, findings, phase } = state;
    if (!view) return BUSY.has(phase) ? waiting() : nothing;
    if (view.keys.count && state.guessed !== null && state.guessed === table()?.rowkey)
      return this.#guess(view);
    const { severity, title, detail } = headline(view, findings);
    const tone = toneOf(view, severity);
    const figures = figuresOf(view);
    const before = applied && applied.after === design && applied.view !== view ? applied : null;
    const was = (/** @type {keyof Figures} */ name) =>
      before && before.figures[name] !== figures[name]
        ? html` <span class="was">${say('page.figure-was', { value: before.figures[name] })}</span>`
        : nothing;
    const worst = severity === 'good' ? undefined : fixable(findings);
    // A finding that is worse than the verdict has taken its place: the verdict is then told below it.
    const own = severity === view.verdict.severity;
    const cause = worst ? detailOf({ code: `finding.${worst.name}`, args: worst.args }) : '';
    return html`
      <div class=${`verdict ${tone}${findings || state.unjudged ? '' : ' is-unjudged'}`} role="status" tabindex="-1">
        ${icon(tone)}
        <div>
          <p>${title}</p>
          ${cause ? html`<p class="also">${cause}</p>` : nothing}
          ${detail && !(cause && own) ? html`<p class="also">${detail}</p>` : nothing}
          ${severity === 'good' ? asked() : nothing}
          ${before ? priceOf(before) : nothing}
          ${profiled()}
        </div>
        ${worst?.fix && !before ? this.#fix(worst, worst.fix) : nothing}
        ${worst && !worst.fix && !before && design?.queries?.length ? html`<div class="actions"><button type="button" @click=${toKeys}>${say('page.verdict-keys')}</button></div>` : nothing}
        ${before ? html`<div class="actions"><button type="button" @click=${this.#compare}>${say('page.compare-applied')}</button><button type="button" class="quiet" @click=${undo}>${say('page.undo')}</button></div>` : nothing}
        <div class="foot">
        <dl title=${sampleOf(view) ? intervalHelp() : nothing}>${FIGURES.map((name) => html`<div><dt>${say(`page.figure-${name}`)}</dt><dd>${figures[name]}${was(name)}</dd></div>`)}</dl>
        ${detail && cause && own ? html`<details class="measured"><summary>${say('page.measured-how')}</summary><p class="also">${explained(detail)}</p></details>` : nothing}
        </div>
      </div>
    `;
  }

  /** The key that the page made of the columns, which nobody asked for: no verdict, and the key that answers the questions once there is one. @param {Report} view */
  #guess(view) {
    const questions = state.design?.queries?.length ?? 0;
    const winner = questions ? state.winner : null;
    const figures = figuresOf(view);
    // All but the rows are those of the guess.
    const told = winner ? FIGURES.slice(0, 1) : FIGURES;
    return html`
      <div class="verdict unknown is-guess" role="status" tabindex="-1">
        ${icon('unknown')}
        <div>
          <p>${say(winner ? 'page.winner' : 'page.first-guess')}</p>
          ${winner ? winner.rowkeys.map((key) => html`<p class="also"><code>${key}</code></p>`) : nothing}
          ${winner ? nothing : html`<p class="also">${say(questions ? 'page.first-guess-asked' : 'page.first-guess-why')}</p>`}
        </div>
        ${winner ? html`<div class="actions"><button type="button" class="main" @click=${() => winner.use()}>${say('page.shortlist-use')}</button></div>` : nothing}
        <div class="foot">
          <dl title=${sampleOf(view) ? intervalHelp() : nothing}>${told.map((name) => html`<div><dt>${say(`page.figure-${name}`)}</dt><dd>${figures[name]}</dd></div>`)}</dl>
        </div>
      </div>
    `;
  }

  /** The fix of a finding, and what it leads to. @param {Finding} finding @param {Fix} fix */
  #fix({ name, args }, fix) {
    const what = describe({ code: `finding.${name}.fix`, args });
    return html`<div class="actions">
      <button type="button" class="main" title=${fix.rowkey ?? nothing} @click=${() => this.#apply(fix)}>${say('page.apply-fix')}</button>
      <span class="outcome">${fix.rowkey ? html`<code>${fix.rowkey}</code>` : html`<span>${what}</span>`}${fix.measured ? html`<span class="muted">${describe(fix.measured.verdict)}</span>` : nothing}</span>
    </div>`;
  }

  /** @param {Fix} fix */
  async #apply(fix) {
    await applyFix(fix);
    this.lead();
  }

  /** Leads a person here. */
  lead() {
    const verdict = /** @type {HTMLElement | null} */ (this.querySelector('.verdict'));
    if ((verdict?.getBoundingClientRect().top ?? 0) < 0) verdict?.scrollIntoView({ block: 'start' });
    verdict?.focus({ preventScroll: true });
  }

  #compare = () => {
    compareApplied();
    document.querySelector('review-tabs')?.scrollIntoView({ block: 'start' });
  };
}

/** Keeps the place of the verdict; until anything was opened, with that of the example at hand. */
function waiting() {
  const { opened, examples, example } = state;
  const { verdict } = (opened ? undefined : examples.find(({ id }) => id === example)?.preview) ?? {};
  if (!verdict) return html`<div class="verdict is-waiting" aria-hidden="true"></div>`;
  return html`<div class=${`verdict ${verdict.severity}`}>${icon(verdict.severity)}<div><p>${describe(verdict)}</p></div></div>`;
}

/** Leads to the keys that answer the questions. */
function toKeys() {
  const list = /** @type {HTMLElement | null} */ (document.querySelector('.shortlist'));
  list?.scrollIntoView({ block: 'start' });
  /** @type {HTMLElement | null} */ (list?.querySelector('tr.is-chosen input, .title button'))?.focus({
    preventScroll: true,
  });
}

/** @param {keyof typeof ICONS} tone */
const icon = (tone) => html`<svg viewBox="0 0 24 24" role="img" aria-label=${say(`page.severity-${tone}`)}>
  <circle cx="12" cy="12" r="11"></circle>${ICONS[tone]}
</svg>`;

/** The worst finding; of several that are as bad, the first with a fix. @param {Finding[] | null} findings */
const fixable = (findings) =>
  findings?.find(({ fix, severity }) => fix && severity === findings[0].severity) ?? findings?.[0];

/** Full scans and scans of the questions; nothing before they are planned. */
function asked() {
  const plans = (state.queries?.plans ?? []).filter(({ kind }) => kind);
  if (!plans.length || plans.length !== state.design?.queries?.length) return nothing;
  const full = plans.filter(({ kind, stopsAfter }) => kind === 'fullScan' && !stopsAfter).length;
  const most = Math.max(...plans.map(({ rangeCount }) => rangeCount));
  const { length: questions } = plans;
  if (questions === 1)
    return html`<p class="also">${full ? say('page.asked-one-full') : say('page.asked-one', { scans: most })}</p>`;
  return html`<p class="also">${
    full ? say('page.asked-full', { full, questions }) : say('page.asked-well', { questions, scans: most })
  }</p>`;
}

/** The cost of the fix that was applied. @param {NonNullable<State['applied']>} applied */
function priceOf({ fix: { costs = [], splits } }) {
  const told = costs.map(describe);
  if (!told.length && splits?.salts) told.push(say('page.price-scans', { scans: Number(splits.salts) }));
  if (!told.length) return nothing;
  return html`<p class="also price"><strong>${say('page.price')}</strong> ${told.join(' ')}</p>`;
}

/** Says that the records are generated from a profile that came with a link. */
function profiled() {
  const { source } = state;
  const { profile } = /** @type {{ profile?: number }} */ (source?.kind === 'generator' ? source.spec : {});
  return profile ? html`<p class="profiled">${say('page.profile-mark', { rows: profile })}</p>` : nothing;
}
customElements.define('verdict-line', VerdictLine);
