import { html, nothing } from 'lit';
import { openQuery, propose } from '../../actions/actions.js';
import { withOutlook } from '../../design/document.js';
import { formOf, queryOf, summaryOf, waysOf } from '../../design/queries.js';
import { checkDocument, table } from '../../state/document-engine.js';
import { middleRecord } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { describe, say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { copyMenu } from './query-copy.js';
import { queryForm } from './query-form.js';
import { costOf, isFull, planView, verdictOf } from './query-plan.js';

/** @import { Form } from '../../design/queries.js' */
/** @import { Query } from '../../types.d.ts' */

/** Milliseconds without a keystroke before a query is planned. */
const TYPING_PAUSE = 250;

/** The queries of the table and the cost of each. */
export class QueryPanel extends View {
  static reads = slices('design', 'report', 'queries');

  /** @type {Query[] | undefined} the queries that the forms were made of */
  #of;
  /** @type {Query[] | undefined} those that they are to become */
  #coming;
  /** @type {Form[]} */
  #forms = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;

  disconnectedCallback() {
    super.disconnectedCallback();
    openQuery(null);
  }

  render() {
    const queries = state.design?.queries;
    if (queries !== this.#of && queries !== this.#coming) {
      this.#forms = (queries ?? []).map(formOf);
    }
    this.#of = queries;
    return html`
      <section class="queries" aria-labelledby="queries-title">
        <h2 class="unseen" id="queries-title">${say('page.tab-questions')}</h2>
        ${this.#forms.length ? html`<ol>${this.#forms.map((form, index) => this.#one(form, index))}</ol>` : html`<p class="muted">${say('page.no-queries')}</p>`}
        <div class="actions"><button type="button" class=${this.#forms.length ? '' : 'main'} @click=${this.#add}>${say('page.query-add')}</button></div>
      </section>
    `;
  }

  /** @param {Form} form @param {number} index */
  #one(form, index) {
    const open = state.query === index;
    const plan = state.queries?.plans[index];
    const known = plan?.kind ? plan : undefined;
    const problems = form.problems.length ? form.problems : (plan?.problems ?? []);
    const query = this.#of?.[index];
    return html`<li><details class="query" ?open=${open}>
      <summary @click=${(/** @type {Event} */ event) => this.#toggle(event, index)}>
        <span class="name">${form.name || say('page.query-unnamed', { index: index + 1 })}</span>
        <span class=${`answer${known && isFull(known) ? ' is-bad' : ''}`}>${known ? verdictOf(known) : nothing}</span>
        <span class="muted mono">${query ? summaryOf(query) : nothing}</span>
        <span class="muted figures">${known ? costOf(known) : nothing}</span>
      </summary>
      ${
        open
          ? html`<div class="body">
            <div class="asking">
              ${queryForm(form, index, table()?.fields ?? [], this.#edit)}
              <div aria-live="polite">${problems.slice(0, 4).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</div>
              <div class="actions">${known && known.kind !== 'nothing' ? copyMenu(index) : nothing}
                <button type="button" class="quiet" @click=${() => this.#remove(index)}>${say('page.query-remove')}</button></div>
            </div>
            ${known ? planView(known, state.queries?.regionCount ?? null) : nothing}
          </div>`
          : nothing
      }
    </details></li>`;
  }

  /** @param {Event} event @param {number} index */
  #toggle(event, index) {
    event.preventDefault();
    openQuery(state.query === index ? null : index);
  }

  /** @param {number} index @param {Partial<Form>} changes */
  #edit = (index, changes) => {
    this.#forms = this.#forms.map((form, at) => (at === index ? { ...form, ...changes } : form));
    this.requestUpdate();
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#propose(), TYPING_PAUSE);
  };

  #add = async () => {
    const fields = table()?.fields ?? [];
    const named = state.parts.flatMap((part) => part.fields);
    const field = fields.find(({ name }) => named.includes(name)) ?? fields[0];
    const index = this.#forms.length;
    const value = (await middleRecord())[field?.name] ?? '';
    const kept = { name: say('page.query-unnamed', { index: index + 1 }) };
    const asked = field ? [{ field: field.name, way: waysOf(field.type)[0], first: value, last: '' }] : [];
    this.#forms = [...this.#forms, { ...formOf(kept), asked }];
    openQuery(index);
    await this.#propose();
    await this.updateComplete;
    /** @type {HTMLInputElement | null} */ (this.querySelector(`#query-name-${index}`))?.select();
  };

  /** @param {number} index */
  #remove(index) {
    this.#forms = this.#forms.filter((_, at) => at !== index);
    openQuery(null);
    return this.#propose();
  }

  /**
   * Takes what the forms say into the document; a query that is wrong stays as it was until it is right
   * again.
   * @returns {Promise<void>}
   */
  async #propose() {
    const { design } = state;
    if (!design) return;
    const forms = this.#forms;
    const asked = forms.map((form) => queryOf(form, table()?.fields ?? []));
    const { problems } = await checkDocument(JSON.stringify(withOutlook(design, { queries: asked })));
    const wrong = forms.map((_, index) => problems.filter(({ place }) => isAt(place.path, index)));
    const queries = asked.map((query, index) => (wrong[index].length ? forms[index].kept : query));
    if (this.#forms !== forms) return;
    // The design was changed meanwhile: the forms are checked as questions to what there is now.
    if (state.design !== design) return this.#propose();
    this.#forms = forms.map((form, index) => ({ ...form, kept: queries[index], problems: wrong[index] }));
    this.#coming = withOutlook(design, { queries }).queries;
    await propose((now) => withOutlook(now, { queries: this.#coming }));
    this.requestUpdate();
  }
}

/** True if a document path lies within a query. @param {string | undefined} path @param {number} index */
function isAt(path, index) {
  return path?.startsWith(`queries[${index}]`) ?? false;
}
customElements.define('query-panel', QueryPanel);
