import { html, nothing } from 'lit';
import { setFormula, setKind } from '../../actions/actions.js';
import { table } from '../../state/document-engine.js';
import { word } from '../../state/glossary.js';
import { keys, recordFields, row } from '../../state/loading.js';
import { change, state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import './formula-parts.js';
import { placeProblems, problemList, spokenOf } from './formula-problems.js';
import './formula-text.js';
import { whenOf } from '../../design/document.js';
import { partColours } from '../../design/part-colours.js';
import { colouredKey } from '../shared/coloured-key.js';
import { slices, View } from '../shared/view.js';

/** @import { KeyPage } from '../../types.d.ts' */

/** Milliseconds without a keystroke before what is wrong is read out: half a word is wrong all the time. */
const SPOKEN_AFTER = 800;
/** Keys that are looked at for one of the kind on show. */
const MOST_TRIED = 40;

/** The row key formula, what each of its parts guarantees, and one record turned into bytes. */
export class FormulaEditor extends View {
  static reads = slices('design', 'formula', 'records', 'work', 'report', 'key');

  /** @type {{ version: unknown, key: KeyPage } | null} */
  #sample = null;
  #asked = '';
  /** @type {unknown} */
  #checked = null;
  #recognised = '';
  /** Draws the formula that does what pasted Java does. @type {(() => unknown) | null} */
  #offer = null;
  /** The problems as announced to screen readers. */
  #spoken = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #speaking;
  /** The sentences stay under their columns when the lines of the formula break elsewhere. */
  #wider = new ResizeObserver(() => placeProblems(this));

  connectedCallback() {
    super.connectedCallback();
    this.#wider.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#wider.disconnect();
    clearTimeout(this.#speaking);
  }

  render() {
    const problems = state.check?.problems ?? [];
    return html`
      <section class="panel" aria-labelledby="formula-title">
        <div class="title"><h2 id="formula-title">${word('row-key', say('page.row-key'))}</h2>${this.#kinds()}</div>
        <formula-text></formula-text>
        <div id="formula-problem">
          ${problemList(problems)}
          ${this.#offer?.() ?? nothing}
        </div>
        <span class="unseen" role="status">${this.#spoken}</span>
        <formula-parts></formula-parts>
        ${this.#example()}
      </section>
    `;
  }

  updated() {
    this.#fetch();
    this.#place();
    if (state.check !== this.#checked) {
      this.#checked = state.check;
      this.#recognise();
      clearTimeout(this.#speaking);
      this.#speaking = setTimeout(this.#speak, SPOKEN_AFTER);
    }
  }

  /** The choice of the row key that is shown, where a table holds several kinds of records. */
  #kinds() {
    const { kinds = [] } = table() ?? {};
    if (!kinds.length) return nothing;
    return html`<fieldset class="segments">
      <legend class="unseen">${say('page.kinds')}</legend>
      ${kinds.map(
        (name, index) => html`<label>
          <input type="radio" name="kind" .checked=${index === state.kind} @change=${() => setKind(index)}>
          <span>${name}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  /** The formula is marked by its own element, which may be drawn later than this one. */
  async #place() {
    const formula = /** @type {View | null} */ (this.querySelector('formula-text'));
    await formula?.updateComplete;
    placeProblems(this);
  }

  #speak = () => {
    const [problem] = state.check?.problems ?? [];
    const spoken = problem ? spokenOf(problem) : '';
    if (spoken === this.#spoken) return;
    this.#spoken = spoken;
    this.requestUpdate();
  };

  #example() {
    const sample = this.#sample;
    if (!state.view || !sample || sample.version !== state.keysVersion || !sample.key.ends.length)
      return nothing;
    const colours = partColours(state.parts);
    const named = new Set(state.parts.flatMap((part) => part.fields));
    const values = recordFields()
      .map(({ name }) => ({ name, value: state.record?.[name] ?? '' }))
      .filter(({ name }) => named.has(name));
    // A field has the colour of the first part it is in.
    const colourOf = (/** @type {string} */ name) =>
      colours[state.parts.findIndex(({ fields }) => fields.includes(name))];
    return html`
      <figure class="sample" aria-label=${say('page.sample')}>
        <dl>${values.map(({ name, value }) => html`<div class=${`part-${colourOf(name)}`}><dt>${name}</dt><dd class="mono" dir="auto">${value}</dd></div>`)}</dl>
        <p class="mono bytes" dir="ltr">${colouredKey(sample.key, 0, colours)}</p>
        <figcaption class="muted">${say('page.sample-bytes', { bytes: count(sample.key.bytes.length) })}</figcaption>
      </figure>
    `;
  }

  /** Asks for the key and the record that are to be shown, once. */
  async #fetch() {
    if (state.phase !== 'ready' || !state.view?.held) return;
    const index = state.shown?.index ?? Math.floor(state.view.held / 2);
    const version = state.keysVersion;
    const asked = `${version} ${index} ${state.kind}`;
    if (this.#asked === asked) return;
    this.#asked = asked;
    try {
      const { key, record } = state.shown ? await keyAt(index) : await keyOfKind(index);
      if (version !== state.keysVersion || this.#asked !== asked) return;
      this.#sample = { version, key };
      change({ record });
    } catch {
      this.#sample = null;
    }
  }

  /** Recognises Java and Scala, whose matching formula is then offered. */
  async #recognise() {
    const { formula, check } = state;
    if (this.#recognised === formula) return;
    this.#recognised = formula;
    this.#offer = null;
    if (!check?.problems.length || !/[("$]/.test(formula)) return;
    const { matching, readCode } = await import('./code-reading.js');
    const code = await readCode(formula);
    if (!code || formula !== state.formula) return;
    const use = () => code.formula && setFormula(code.formula);
    this.#offer = () => matching(code, use);
    this.requestUpdate();
  }
}

/** A key and its record. @param {number} index */
async function keyAt(index) {
  const key = await keys(index, 1);
  const values = await row(key.rows[0]);
  const record = Object.fromEntries(recordFields().map(({ name }, at) => [name, values[at] ?? '']));
  return { key, record };
}

/** The first key from there on whose record is of the kind on show; the first of any, if none is near. @param {number} index */
async function keyOfKind(index) {
  const first = await keyAt(index);
  const when = state.design && whenOf(state.design, state.table, state.kind);
  let found = first;
  for (let tried = 0; when && !when.is.includes(found.record[when.field]); tried++) {
    const next = index + tried + 1;
    if (tried === MOST_TRIED || next >= (state.view?.held ?? 0)) return first;
    found = await keyAt(next);
  }
  return found;
}
customElements.define('formula-editor', FormulaEditor);
