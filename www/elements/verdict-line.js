import { html, nothing, svg } from 'lit';
import { figureText, intervalHelp, rowsOf, sampleOf, shareOf, shareText } from '../estimate.js';
import { count, decimal, percent } from '../format.js';
import { state } from '../store.js';
import { describe, say } from '../text.js';
import { View } from './view.js';

const ICONS = {
  good: svg`<path d="M6 12.5l4 4 8-9"></path>`,
  warning: svg`<path d="M12 7v6M12 16.5v.5"></path>`,
  bad: svg`<path d="M8 8l8 8M16 8l-8 8"></path>`,
};

/** What is right or wrong with the design, in one sentence and four figures. */
export class VerdictLine extends View {
  render() {
    const { view } = state;
    if (!view) return nothing;
    const { verdict } = view;
    const sample = sampleOf(view);
    const largest = view.skew.max / Math.max(1, view.keys.count);
    const refused = view.refused.count > 0;
    const figures = [
      [
        sample && refused ? figureText(rowsOf(view.keys.count, sample)) : count(view.keys.count),
        say('page.figure-rows'),
      ],
      [count(view.regionCount), say('page.figure-regions')],
      [
        sample ? shareText(shareOf(largest * sample.rows, sample.rows)) : percent(largest),
        say('page.figure-largest'),
      ],
      [decimal(typicalOf(view.moments)), say('page.figure-effective')],
    ];
    return html`
      <div class=${`verdict ${verdict.severity}`} role="status">
        <svg viewBox="0 0 24 24" role="img" aria-label=${say(`page.severity-${verdict.severity}`)}>
          <circle cx="12" cy="12" r="11"></circle>${ICONS[verdict.severity]}
        </svg>
        <p>${describe(verdict)}</p>
        <dl title=${sample ? intervalHelp() : nothing}>${figures.map(([value, name]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      </div>
    `;
  }
}

/**
 * The effective number of regions written in the moment of the median row.
 * @param {{ rows: Uint32Array, effective: Float64Array }} moments
 */
function typicalOf({ rows, effective }) {
  const order = [...rows.keys()]
    .filter((bucket) => rows[bucket] > 0)
    .sort((a, b) => effective[a] - effective[b]);
  const half = order.reduce((sum, bucket) => sum + rows[bucket], 0) / 2;
  let below = 0;
  for (const bucket of order) {
    below += rows[bucket];
    if (below >= half) return effective[bucket];
  }
  return Number.NaN;
}
customElements.define('verdict-line', VerdictLine);
