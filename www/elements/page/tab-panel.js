import { html, nothing } from 'lit';
import { laterStyles } from '../../state/later-styles.js';
import { state } from '../../state/store.js';
import { sampledAs } from '../../text/estimate.js';
import { describe, say } from '../../text/sentences.js';
import '../review/findings-panel.js';
import { slices, View } from '../shared/view.js';

/** @typedef {typeof state.tab} Tab */

/** The panels of each tab, in order. */
const PANELS = {
  writes: html`<findings-panel></findings-panel>`,
  questions: html`<query-panel></query-panel>`,
  regions: html`<split-panel></split-panel><region-table></region-table><key-list></key-list><sweep-view></sweep-view>`,
  storage: html`<storage-panel></storage-panel><growth-panel></growth-panel>`,
  servers: html`<server-panel></server-panel>`,
};

/** Answers whose problem a tab tells. @type {Record<Tab, string[]>} */
const ANSWERS = {
  writes: [],
  questions: ['queries'],
  regions: ['sweep'],
  storage: ['storage', 'growth'],
  servers: ['servers'],
};

/** The panel of the open tab. */
export class TabPanel extends View {
  static reads = slices('design', 'work', 'report', 'review');

  render() {
    const { view, phase, design, tab, answerProblems } = state;
    // Regions that can't be drawn can be changed.
    if (!design || !(view || phase === 'empty' || tab === 'regions')) return nothing;
    // Fetched after the first picture, sooner if it is wanted sooner.
    if (tab !== 'writes') void laterStyles().then(() => import('./later-panels.js'));
    const problems = ANSWERS[tab].map((name) => answerProblems[name]).filter((problem) => problem);
    return html`
      <div class=${`review of-${tab}`} role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${tab}`}>
        ${problems.map((problem) => html`<p class="note bad">${describe(/** @type {any} */ (problem))}</p>`)}
        ${tab === 'writes' && view?.sample ? html`<p class="note">${say('page.review-sampled', sampledAs(view.sample))}</p>` : nothing}
        ${PANELS[tab]}
      </div>
    `;
  }
}
customElements.define('tab-panel', TabPanel);
