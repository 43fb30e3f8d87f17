import { html, nothing } from 'lit';
import { setKind, takeAs, takeFor } from '../../actions/actions.js';
import { download } from '../../actions/download.js';
import { chosen, HBASE_VERSIONS, offered } from '../../actions/exports.js';
import { table } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { describe, say, sentence } from '../../text/sentences.js';
import { copyable } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** Characters of a text that are shown; copied and downloaded it is whole. */
const SHOWN = 20_000;

/** The exports of a design. */
export class ExportPanel extends View {
  static reads = slices('report', 'review', 'design');

  render() {
    const exports = offered();
    const one = chosen();
    if (!one) return nothing;
    const { name, group, take } = one;
    const versioned = group === 'table' || group === 'code';
    const groups = [...new Set(exports.map(({ group }) => group))];
    const problem = state.answerProblems.export;
    return html`
      <section class="export" aria-label=${say('page.export-list')}>
        <nav class="choices" aria-label=${say('page.export-list')}>
          ${groups.map(
            (group) => html`<h3 id=${`export-${group}`}>${say(`page.export-${group}`)}</h3>
              <ul aria-labelledby=${`export-${group}`}>${exports
                .filter((one) => one.group === group)
                .map(
                  (one) =>
                    html`<li><button type="button" class="quiet" aria-pressed=${one.name === name} @click=${() => takeAs(one.name)}>${say(`page.export-${one.name}`)}</button></li>`,
                )}</ul>`,
          )}
        </nav>
        <div class="taken">
          <h3>${say(`page.export-${name}`)}</h3>
          <p class="muted">${say(`page.export-hint-${name}`)}</p>
          ${versioned ? html`<p>${this.#versions()} ${this.#kinds()}</p>` : nothing}
          <div role="status">${problem && !state.taken ? html`<p class="note">${sentence(describe(problem))}</p>` : nothing}</div>
          ${take ? html`<button type="button" class="main" ?disabled=${!state.view} @click=${take}>${say('page.export-download')}</button>` : nothing}
          ${state.taken?.name === name ? this.#taken(state.taken) : nothing}
        </div>
      </section>
    `;
  }

  /** The choice of the version of HBase. */
  #versions() {
    const choose = (/** @type {Event} */ event) =>
      takeFor(/** @type {HTMLSelectElement} */ (event.target).value);
    return html`<label class="muted">HBase <select @change=${choose}>${HBASE_VERSIONS.map(
      (version) =>
        html`<option value=${version} ?selected=${version === state.exportedFor}>${version}</option>`,
    )}</select></label>`;
  }

  /** The choice of the kind of records, where the table holds several. */
  #kinds() {
    const { kinds = [] } = table() ?? {};
    if (!kinds.length) return nothing;
    const choose = (/** @type {Event} */ event) =>
      setKind(/** @type {HTMLSelectElement} */ (event.target).selectedIndex);
    return html`<label class="muted">${say('page.kinds')} <select @change=${choose}>${kinds.map(
      (name, index) => html`<option ?selected=${index === state.kind}>${name}</option>`,
    )}</select></label>`;
  }

  /** @param {NonNullable<typeof state.taken>} taken */
  #taken({ file, text }) {
    const get = html`<button type="button" @click=${() => download(file, text)}>${say('page.export-download')}<span class="file">${file}</span></button>`;
    return copyable(text, file, { more: get, shown: SHOWN, main: true });
  }
}
customElements.define('export-panel', ExportPanel);
