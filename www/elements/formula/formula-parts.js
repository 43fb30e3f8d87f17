import { html, nothing } from 'lit';
import { setFormula } from '../../actions/actions.js';
import { asPart } from '../../design/document.js';
import { fittingSteps, typeOf, writtenStep } from '../../design/formula-completion.js';
import { partsOf, scan } from '../../design/formula-scan.js';
import { partColours } from '../../design/part-colours.js';
import { steps, table } from '../../state/document-engine.js';
import { explain, propertiesOf } from '../../state/explain.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { stepHelp } from './step-help.js';

/** @import { Explained } from '../../state/explain.js' */
/** @import { Term } from '../../design/formula-scan.js' */
/** @import { Part, Step } from '../../types.d.ts' */

/** Fields that can be chosen for a new part; the formula as text knows all. */
const LISTED = 200;

/**
 * The formula as a row of parts: dragged, opened and changed, added and removed. The text is what they stand
 * for.
 */
export class FormulaParts extends View {
  static reads = slices('design', 'formula', 'report', 'key');

  /** @type {Step[]} */
  #steps = [];
  /** The part that is open. @type {number | null} */
  #open = null;
  /** The part that is dragged, and the place it would be put. @type {{ index: number, to: number } | null} */
  #drag = null;
  /**
   * Explanations of the steps of the open part, by step text and record.
   * @type {Map<string, Explained | null>}
   */
  #known = new Map();
  #said = '';

  async firstUpdated() {
    this.#steps = await steps().catch(() => []);
  }

  render() {
    const { formula, check } = state;
    const texts = partsOf(formula);
    const sound = check && !check.problems.length && check.parts.length === texts.length ? check.parts : null;
    const colours = sound ? partColours(sound) : texts.map(() => 'fixed');
    const open = this.#open !== null && this.#open < texts.length ? this.#open : null;
    return html`
      <ol class="parts" aria-label=${say('page.parts')}>
        ${texts.map((text, index) => this.#chip(text, index, texts, sound?.[index] ?? null, colours[index], open === index))}
        <li><select class="add" aria-label=${say('page.part-add')} @change=${this.#add}>
          <option value="" selected>${say('page.part-add')}</option>
          ${(table()?.fields ?? []).slice(0, LISTED).map((field) => html`<option value=${asPart(field)}>${field.name}</option>`)}
          <option value="'_'">'_'</option>
          <option value="salt(16).decimal(2)">salt(16)</option>
        </select></li>
      </ol>
      <p class="unseen" role="status">${this.#said}</p>
      ${open === null ? nothing : this.#opened(texts, open, sound?.[open] ?? null, colours[open])}
    `;
  }

  /**
   * @param {string} text
   * @param {number} index
   * @param {string[]} texts
   * @param {Part | null} part
   * @param {string} colour
   * @param {boolean} open
   */
  #chip(text, index, texts, part, colour, open) {
    const known = part?.fields.length ? propertiesOf(part) : null;
    const drag = this.#drag;
    const mark = drag
      ? drag.index === index
        ? ' lifted'
        : drag.to === index
          ? ' before'
          : drag.to === index + 1
            ? ' after'
            : ''
      : '';
    return html`<li class=${`part part-${colour}${mark}`}>
      <button type="button" class="grip" aria-label=${say('page.part-move', { part: text })} title=${say('page.part-move-keys')}
        @pointerdown=${(/** @type {PointerEvent} */ event) => this.#lift(event, index)} @pointermove=${this.#dragged} @pointerup=${this.#dropped} @pointercancel=${this.#let}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#moveKey(event, index, texts)}><span aria-hidden="true">⠿</span></button>
      <button type="button" class="open" aria-expanded=${open} @click=${() => this.#toggle(index)}>
        <code>${text}</code>${known ? html`<span class="muted">${[known.order, known.unique, known.width].join(' · ')}</span>` : nothing}
      </button>
    </li>`;
  }

  /**
   * A part from its source to its last step, each step explained.
   * @param {string[]} texts
   * @param {number} index
   * @param {Part | null} part
   * @param {string} colour
   */
  #opened(texts, index, part, colour) {
    const text = texts[index];
    const fields = table()?.fields ?? [];
    const term = scan(text)[0];
    const type = typeOf(term, fields, this.#steps);
    const fitting = fittingSteps(this.#steps, type);
    const replace = (/** @type {string} */ other) => this.#set(texts.with(index, other));
    return html`<div class=${`opened part-${colour}`} role="group" aria-label=${text}>
      <label><span>${say('page.part-text')}</span>
        <input class="mono" spellcheck="false" autocomplete="off" dir="ltr" .value=${text} @change=${(/** @type {any} */ event) => event.target.value.trim() && replace(event.target.value.trim())}></label>
      <ol>${term.steps.map((_, at) => this.#step(text, term, at, replace))}</ol>
      ${!term.steps.length && part ? html`<div class="about">${stepHelp('', { part, written: true, value: null, problem: null })}</div>` : nothing}
      <div class="actions">
        <select aria-label=${say('page.step-add')} @change=${(/** @type {any} */ event) => {
          const { value } = event.target;
          event.target.value = '';
          if (value) replace(`${text}.${this.#written(value)}`);
        }}>
          <option value="" selected>${say('page.step-add')}</option>
          ${fitting.map(({ name, signature }) => html`<option value=${name}>${signature}</option>`)}
        </select>
        <button type="button" @click=${() => this.#remove(texts, index)}>${say('page.part-remove')}</button>
        <button type="button" class="quiet" @click=${() => this.#toggle(index)}>${say('page.close')}</button>
      </div>
    </div>`;
  }

  /** @param {string} name */
  #written(name) {
    const step = this.#steps.find((one) => one.name === name);
    return step ? writtenStep(name, step.signature) : name;
  }

  /**
   * @param {string} text of the part
   * @param {Term} term
   * @param {number} at
   * @param {(text: string) => void} replace
   */
  #step(text, term, at, replace) {
    const step = term.steps[at];
    const type = typeOf({ ...term, steps: term.steps.slice(0, at + 1) }, table()?.fields ?? [], this.#steps);
    const explained = this.#explained(text.slice(term.from, step.to), type);
    const without = text.slice(0, step.from - 1) + text.slice(step.to);
    return html`<li>
      <div class="title"><code>.${text.slice(step.from, step.to)}</code>
        <button type="button" class="quiet small" aria-label=${say('page.step-remove', { step: step.name })} @click=${() => replace(without)}>✕</button></div>
      <div class="about">${stepHelp(step.name, explained)}</div>
    </li>`;
  }

  /** @param {string} text @param {string | null} type */
  #explained(text, type) {
    const key = `${text}\n${state.keysVersion} ${JSON.stringify(state.record)}`;
    if (!this.#known.has(key)) {
      if (this.#known.size > 100) this.#known.clear();
      this.#known.set(key, null);
      explain(text, type).then(
        (explained) => {
          this.#known.set(key, explained);
          this.requestUpdate();
        },
        () => {},
      );
    }
    return this.#known.get(key) ?? null;
  }

  /** @param {string[]} texts */
  #set(texts) {
    setFormula(texts.join(' + '));
  }

  /** @param {number} index */
  #toggle(index) {
    this.#open = this.#open === index ? null : index;
    this.requestUpdate();
  }

  /** @param {string[]} texts @param {number} index */
  async #remove(texts, index) {
    this.#open = null;
    this.#set(texts.toSpliced(index, 1));
    this.#said = say('page.part-removed', { part: texts[index] });
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector('.parts select'))?.focus();
  }

  /** @param {Event} event */
  #add = (event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    if (!select.value) return;
    this.#set([...partsOf(state.formula), select.value]);
    select.value = '';
  };

  /** @param {string[]} texts @param {number} index @param {number} to place between parts, as they stand */
  #move(texts, index, to) {
    const at = to > index ? to - 1 : to;
    if (at === index || at < 0 || at >= texts.length) return false;
    const rest = texts.toSpliced(index, 1);
    this.#open = null;
    this.#set(rest.toSpliced(at, 0, texts[index]));
    this.#said = say('page.part-moved', { part: texts[index], place: at + 1, of: texts.length });
    return true;
  }

  /** @param {KeyboardEvent} event @param {number} index @param {string[]} texts */
  async #moveKey(event, index, texts) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!by) {
      if (event.key === 'Escape') this.#let();
      if (event.key === 'Delete') this.#remove(texts, index);
      return;
    }
    event.preventDefault();
    if (!this.#move(texts, index, by > 0 ? index + 2 : index - 1)) return;
    await this.updateComplete;
    /** @type {HTMLElement | undefined} */ (this.querySelectorAll('.grip')[index + by])?.focus();
  }

  /** @param {PointerEvent} event @param {number} index */
  #lift(event, index) {
    if (event.button !== 0) return;
    /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
    this.#drag = { index, to: index };
    this.requestUpdate();
  }

  /** @param {PointerEvent} event */
  #dragged = ({ clientX, clientY }) => {
    if (!this.#drag) return;
    const chips = [...this.querySelectorAll('.parts > .part')];
    const boxes = chips.map((chip) => chip.getBoundingClientRect());
    // The first part whose middle lies behind the pointer, line by line.
    const after = boxes.findIndex(
      ({ left, width, top, bottom }) => clientY < top || (clientY <= bottom && clientX < left + width / 2),
    );
    this.#drag = { ...this.#drag, to: after < 0 ? chips.length : after };
    this.requestUpdate();
  };

  #dropped = () => {
    if (!this.#drag) return;
    const { index, to } = this.#drag;
    this.#let();
    this.#move(partsOf(state.formula), index, to);
  };

  #let = () => {
    this.#drag = null;
    this.requestUpdate();
  };
}
customElements.define('formula-parts', FormulaParts);
