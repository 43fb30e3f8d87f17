import { html, nothing } from 'lit';
import { applyFix } from '../../actions/actions.js';
import { current } from '../../actions/review-answers.js';
import { qualifierText } from '../../design/family-cells.js';
import { explained } from '../../state/glossary.js';
import { askRecords } from '../../state/loading.js';
import { change, state } from '../../state/store.js';
import { sampleOf } from '../../text/estimate.js';
import { count } from '../../text/format.js';
import { describe, detailOf, say } from '../../text/sentences.js';
import { copyable } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** @import { Family, Finding, Fix, Setting, Splits } from '../../types.d.ts' */

/** The findings of a design, each with its reason and its fix. */
export class FindingsPanel extends View {
  static reads = slices('design', 'report', 'review');

  /** The finding whose fix is measured on all records. @type {Finding | null} */
  #proving = null;
  /** Fixes that were, with what came of it. @type {WeakMap<Finding, string>} */
  #proven = new WeakMap();

  render() {
    const { findings, unjudged, view } = state;
    if (!view) return html`<p class="muted">${say('page.findings-later')}</p>`;
    if (!findings)
      return unjudged
        ? html`<p class="note bad" role="status">${say('page.rest-missing')}</p>`
        : html`<p class="muted is-waiting" role="status">${say('page.findings-wait')}</p>`;
    return html`
      <section class="findings" aria-labelledby="findings-title">
        <h2 class="unseen" id="findings-title">${say('page.findings')}</h2>
        ${findings.length ? findings.map((finding, index) => this.#one(finding, index)) : html`<p class="muted">${say(view.verdict.severity === 'good' ? 'page.no-findings' : 'page.no-findings-more')}</p>`}
        ${settingsList(state.settings)}
      </section>
    `;
  }

  /** @param {Finding} finding @param {number} index */
  #one(finding, index) {
    const { code, name, severity, kind, fix, reference, args } = finding;
    const sentence = (/** @type {string} */ part) => describe({ code: `finding.${name}${part}`, args });
    const detail = detailOf({ code: `finding.${name}`, args });
    return html`<details class=${`finding is-${severity}`} ?open=${index === 0 && severity === 'bad'}>
      <summary><span class="severity">${say(`page.finding-${severity}`)}</span> <span>${kind ? html`<b class="mono">${kind}</b> ` : nothing}${sentence('')}</span></summary>
      <div class="body">
        ${detail ? html`<p>${explained(detail)}</p>` : nothing}
        <p>${explained(sentence('.why'))}</p>
        <p><strong>${say('page.remedy')}</strong> ${explained(sentence('.fix'))}</p>
        ${
          fix
            ? html`<div class="fix">
              ${fix.rowkey ? html`<code>${fix.rowkey}</code>` : nothing}
              ${fix.splits ? html`<p>${splitsInWords(fix.splits)}</p>` : nothing}
              ${fix.families?.map((family) => html`<p>${familyInWords(family)}</p>`)}
              ${fix.tables?.map(({ name, families = [], kinds = {} }) => html`<p><code>${name}</code> ${families.map(familyInWords).join(' · ')}</p>${Object.entries(kinds).map(([kind, { rowkey }]) => html`<p>${kind} <code>${rowkey}</code></p>`)}`)}
              ${fix.costs?.map((cost) => html`<p>${describe(cost)}</p>`) ?? nothing}
              ${fix.measured ? html`<p>${say('page.fix-measured', { rows: count(fix.measured.rows) })} ${describe(fix.measured.verdict)}${fix.measured.estimated ? ` ${say('estimate.sample', { sample: fix.measured.rows, rows: fix.measured.of })}` : nothing}</p>` : nothing}
              <button type="button" class="main" ?disabled=${this.#proving !== null} @click=${() => this.#apply(finding, index)}>${say('page.apply')}</button>
            </div>`
            : nothing
        }
        <p role="status">${this.#proving === finding ? say('page.fix-proving') : (this.#proven.get(finding) ?? nothing)}</p>
        <p class="muted small">${code}${reference.startsWith('https:') ? html` · <a href=${reference} rel="noreferrer noopener" target="_blank">${say('page.reference')}</a>` : html` · ${reference}`}</p>
      </div>
    </details>`;
  }

  /**
   * Makes the change, once it has been measured on all records, and scrolls to the verdict: the finding itself disappears.
   * @param {Finding} finding
   * @param {number} index
   */
  async #apply(finding, index) {
    const fix = await this.#prove(finding, index);
    if (!fix) return;
    await applyFix(fix);
    /** @type {(HTMLElement & { lead(): void }) | null} */ (document.querySelector('verdict-line'))?.lead();
  }

  /**
   * The fix on show, if it helps all records; else what does is shown in its place.
   * @param {Finding} finding
   * @param {number} index
   * @returns {Promise<Fix | undefined>}
   */
  async #prove(finding, index) {
    const { fix } = finding;
    if (!fix?.measured?.estimated || sampleOf(state.view)) return fix;
    this.#proving = finding;
    this.requestUpdate();
    /** @type {Fix | undefined} */
    const proven = await askRecords('provenFix', { ...current(), finding: index }).finally(() => {
      this.#proving = null;
      this.requestUpdate();
    });
    if (!state.findings?.includes(finding)) return undefined;
    if (proven && edit(proven) === edit(fix)) return proven;
    const shown = { ...finding, fix: proven };
    this.#proven.set(shown, say(proven ? 'page.fix-other' : 'page.fix-unproven'));
    change({ findings: state.findings.map((one) => (one === finding ? shown : one)) });
    return undefined;
  }
}

/** The changes of a fix, without what was measured. @param {Fix} fix */
const edit = ({ costs: _, measured: __, ...changes }) => JSON.stringify(changes);

/** @param {object} members */
const listed = (members) =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : value}`)
    .join(', ');

/** Other splits, as the panel of the regions calls them. @param {Splits} splits */
function splitsInWords({ algorithm, ...members }) {
  const kind =
    algorithm ?? Object.keys(members).find((name) => name !== 'regions' && name !== 'digits') ?? 'other';
  return [say('page.regions'), say(`page.split-${kind}`), listed(members)].join(' · ');
}

/** A column family: how it is kept, and its columns. @param {Family} family */
function familyInWords({ name, cells = [], ...members }) {
  const columns = cells.map(({ qualifier }) => qualifierText(qualifier)).join(', ');
  return `${say('page.family')} ${[name, listed(members), columns].filter(Boolean).join(' · ')}`;
}

/** Settings of the table that follow from its key, each with its reason. @param {Setting[]} settings */
function settingsList(settings) {
  if (!settings.length) return nothing;
  return html`<div class="settings">
    <h3>${say('page.settings')}</h3>
    <dl>${settings.map(
      ({ family, name, value, configuration, reason }) => html`<div>
        <dt><code>${family === null ? name : `${family}: ${name}`}</code> <code class="value">${value.split('.').at(-1)}</code>
          ${Object.entries(configuration).map(([key, set]) => html`<code class="muted">${key} ${set}</code>`)}</dt>
        <dd>${describe(reason)}</dd></div>`,
    )}</dl>
    ${copyable(state.settingsCommand, say('page.settings'))}
  </div>`;
}

customElements.define('findings-panel', FindingsPanel);
