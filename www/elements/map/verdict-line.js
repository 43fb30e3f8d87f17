import { html, nothing, svg } from 'lit';
import { compareApplied, undo } from '../../actions/actions.js';
import { explained, word } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import { intervalHelp, sampleOf } from '../../text/estimate.js';
import { figuresOf, headline } from '../../text/headline.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** @import { Figures } from '../../text/headline.js' */

const ICONS = {
  good: svg`<path d="M6 12.5l4 4 8-9"></path>`,
  warning: svg`<path d="M12 7v6M12 16.5v.5"></path>`,
  bad: svg`<path d="M8 8l8 8M16 8l-8 8"></path>`,
};

/** Each figure with its word in the glossary. @type {[keyof Figures, string][]} */
const FIGURES = [
  ['rows', 'row'],
  ['regions', 'region'],
  ['largest', 'skew'],
  ['effective', 'effective-regions'],
];

/** The verdict in one sentence and four figures; after a fix, next to the earlier figures. */
export class VerdictLine extends View {
  static reads = slices('design', 'records', 'report', 'review');

  render() {
    const { view, applied, design } = state;
    if (!view) return nothing;
    const { severity, title, detail } = headline(view, state.findings);
    const figures = figuresOf(view);
    const before = applied && applied.after === design && applied.view !== view ? applied : null;
    const was = (/** @type {keyof Figures} */ name) =>
      before && before.figures[name] !== figures[name]
        ? html` <span class="was">${say('page.figure-was', { value: before.figures[name] })}</span>`
        : nothing;
    return html`
      <div class=${`verdict ${severity}`} role="status" tabindex="-1">
        <svg viewBox="0 0 24 24" role="img" aria-label=${say(`page.severity-${severity}`)}>
          <circle cx="12" cy="12" r="11"></circle>${ICONS[severity]}
        </svg>
        <div>
          <p>${explained(title)}</p>
          ${detail ? html`<p class="also">${explained(detail)}</p>` : nothing}
          ${profiled()}
        </div>
        <dl title=${sampleOf(view) ? intervalHelp() : nothing}>${FIGURES.map(([name, id]) => html`<div><dt>${word(id, say(`page.figure-${name}`))}</dt><dd>${figures[name]}${was(name)}</dd></div>`)}</dl>
        ${before ? html`<div class="actions"><button type="button" @click=${this.#compare}>${say('page.compare-applied')}</button><button type="button" class="quiet" @click=${undo}>${say('page.undo')}</button></div>` : nothing}
      </div>
    `;
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

/** Says that the records are generated from a profile that came with a link. */
function profiled() {
  const { source } = state;
  const { profile } = /** @type {{ profile?: number }} */ (source?.kind === 'generator' ? source.spec : {});
  return profile ? html`<p class="profiled">${say('page.profile-mark', { rows: profile })}</p>` : nothing;
}
customElements.define('verdict-line', VerdictLine);
