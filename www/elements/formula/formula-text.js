import { html, nothing } from 'lit';
import { setFormula } from '../../actions/actions.js';
import { completionAt, typeOf } from '../../design/formula-completion.js';
import { scan } from '../../design/formula-scan.js';
import { partColours } from '../../design/part-colours.js';
import { steps, table } from '../../state/document-engine.js';
import { explain } from '../../state/explain.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';
import { stepHelp } from './step-help.js';

/** @import { Completion, Option } from '../../design/formula-completion.js' */
/** @import { Explained } from '../../state/explain.js' */
/** @import { Part, Problem, Step } from '../../types.d.ts' */

/** The formula as text: parts tinted, errors underlined, completed as it is typed, each step explained. */
export class FormulaText extends View {
  static reads = slices('formula');

  /** @type {Step[]} */
  #steps = [];
  /** @type {Completion | null} */
  #completion = null;
  #active = 0;
  /**
   * Text and type of what is explained, and what is known of it.
   * @type {{ name: string, text: string, explained: Explained | null } | null}
   */
  #about = null;

  async firstUpdated() {
    this.#steps = await steps().catch(() => []);
  }

  render() {
    const { formula, check } = state;
    const problems = check?.problems ?? [];
    const parts = problems.length ? [] : (check?.parts ?? []);
    const open = this.#completion;
    return html`
      <div class=${`formula${problems.length ? ' wrong' : ''}`} @pointermove=${this.#hover} @pointerleave=${this.#leave}>
        <div class="mirror" aria-hidden="true">${mirrored(formula, problems, parts, partColours(parts))}</div>
        <textarea rows="1" spellcheck="false" autocomplete="off" autocapitalize="off" dir="ltr"
          aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${open ? 'formula-options' : nothing}
          aria-activedescendant=${open ? `formula-option-${this.#active}` : nothing}
          aria-labelledby="formula-title" aria-invalid=${problems.length > 0} aria-describedby="formula-problem"
          .value=${formula} @input=${this.#typed} @keydown=${this.#key} @keyup=${this.#moved} @click=${this.#closed} @blur=${this.#closed}></textarea>
      </div>
      <span class="unseen" role="status">${open ? say('page.completions-count', { count: open.options.length }) : ''}</span>
      ${open || this.#about ? html`<div class="hints" @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}>${open ? this.#list(open) : nothing}${this.#explained()}</div>` : nothing}
    `;
  }

  /** @param {Completion} completion */
  #list({ options }) {
    return html`<ul id="formula-options" role="listbox" tabindex="0" aria-label=${say('page.completions')}>
      ${options.map(
        (
          option,
          index,
        ) => html`<li id=${`formula-option-${index}`} role="option" aria-selected=${index === this.#active}
          @pointerdown=${(/** @type {Event} */ event) => this.#point(event, index)}>
          <code>${option.label}</code><span class="muted">${option.gives ? say(`page.type-${option.gives}`) : ''}</span>
        </li>`,
      )}
    </ul>`;
  }

  #explained() {
    const about = this.#about;
    if (!about) return nothing;
    return html`<div class="about" role="note">${this.#completion ? nothing : html`<p><code>${about.name}</code></p>`}${stepHelp(about.name, about.explained)}</div>`;
  }

  updated() {
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  #area() {
    return /** @type {HTMLTextAreaElement} */ (this.querySelector('textarea'));
  }

  /** @param {Event} event */
  #typed = (event) => {
    const area = /** @type {HTMLTextAreaElement} */ (event.target);
    const caret = area.selectionStart;
    const text = area.value.replace(/\n/g, ' ');
    setFormula(text);
    this.#complete(caret, /** @type {InputEvent} */ (event).inputType?.startsWith('insert') ?? false);
  };

  /** Lists what can be written at the caret. @param {number} caret @param {boolean} asked */
  #complete(caret, asked) {
    const shown = table();
    const known = {
      fields: shown?.fields ?? [],
      names: Object.keys(shown?.names.let ?? {}),
      steps: this.#steps,
    };
    const found = asked ? completionAt(state.formula, caret, known) : null;
    const done = found?.options.length === 1 && found.options[0].text === found.prefix;
    this.#completion = found?.options.length && !done ? found : null;
    this.#active = 0;
    this.#about = null;
    this.#explainActive();
    this.requestUpdate();
  }

  #explainActive() {
    const option = this.#completion?.options[this.#active];
    const before = this.#completion?.before;
    if (!option?.step) {
      this.#about = null;
      return;
    }
    if (before == null) this.#about = { name: option.step, text: '', explained: null };
    else this.#explain(option.step, `${before}.${option.text}`, option.gives);
  }

  /** @param {string} name @param {string} text @param {string | null} type */
  async #explain(name, text, type) {
    if (this.#about?.text === text) return;
    const about = { name, text, explained: /** @type {Explained | null} */ (null) };
    this.#about = about;
    this.requestUpdate();
    const explained = await explain(text, type).catch(() => null);
    if (this.#about !== about) return;
    about.explained = explained;
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const open = this.#completion;
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      this.#complete(this.#area().selectionStart, true);
      return;
    }
    if (event.key === 'Escape' && (open || this.#about)) {
      event.preventDefault();
      this.#closed();
      return;
    }
    if (!open) {
      if (event.key === 'Enter') event.preventDefault();
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by) {
      event.preventDefault();
      const last = open.options.length - 1;
      const next = this.#active + by;
      this.#active = Math.abs(by) > 1 ? Math.max(0, Math.min(last, next)) : (next + last + 1) % (last + 1);
      this.#explainActive();
      this.requestUpdate();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      event.preventDefault();
      this.#take(open.options[this.#active]);
    }
  };

  /** @param {Event} event @param {number} index */
  #point(event, index) {
    event.preventDefault();
    const option = this.#completion?.options[index];
    if (option) this.#take(option);
  }

  /** Writes a completion. @param {Option} option */
  #take(option) {
    const open = this.#completion;
    if (!open) return;
    const area = this.#area();
    const { formula } = state;
    const start = open.from;
    area.value = formula.slice(0, start) + option.text + formula.slice(start + open.prefix.length);
    area.setSelectionRange(start + option.caret, start + option.caret + option.select);
    this.#closed();
    setFormula(area.value);
  }

  #closed = () => {
    this.#completion = null;
    this.#about = null;
    this.requestUpdate();
  };

  /** Explains the step that the caret was moved into. @param {KeyboardEvent} event */
  #moved = ({ key }) => {
    if (this.#completion || !/^(Arrow|Home|End)/.test(key)) return;
    this.#explainAt(this.#area().selectionStart);
  };

  /** @param {PointerEvent} event */
  #hover = ({ clientX, clientY, pointerType }) => {
    if (this.#completion || pointerType === 'touch') return;
    const marked = document.elementsFromPoint(clientX, clientY).find((one) => one.matches('[data-at]'));
    if (marked) this.#explainAt(Number(/** @type {HTMLElement} */ (marked).dataset.at));
    else this.#leave();
  };

  #leave = () => {
    if (this.#completion || !this.#about) return;
    this.#about = null;
    this.requestUpdate();
  };

  /** @param {number} at place in the formula */
  #explainAt(at) {
    const { formula } = state;
    const fields = table()?.fields ?? [];
    for (const term of scan(formula)) {
      const index = term.steps.findIndex(({ from, to }) => at >= from && at <= to);
      const step = term.steps[index];
      if (step) {
        const type = typeOf({ ...term, steps: term.steps.slice(0, index + 1) }, fields, this.#steps);
        this.#explain(step.name, formula.slice(term.from, step.to), type);
        return;
      }
    }
    this.#leave();
  }
}

/**
 * The formula as the layer behind the text area: parts tinted, the offending columns underlined.
 * @param {string} formula
 * @param {Problem[]} problems
 * @param {Part[]} parts
 * @param {string[]} colours
 */
function mirrored(formula, problems, parts, colours) {
  // Columns count characters; JavaScript strings count UTF-16 units.
  const letters = [...formula];
  const unit = (/** @type {number} */ column) => letters.slice(0, column - 1).join('').length;
  const marks = problems.length
    ? problems
        .filter(({ place }) => place.column !== undefined)
        .map(({ place }) => ({
          from: unit(Number(place.column)),
          to: unit(Math.max(Number(place.end ?? 0), Number(place.column) + 1)),
          name: 'wrong',
          column: place.column,
        }))
    : parts.map((part, index) => ({
        from: unit(part.from),
        to: unit(part.to),
        name: `part-${colours[index]}`,
        column: undefined,
      }));
  marks.sort((a, b) => a.from - b.from);
  const known = scan(formula).flatMap((term) => term.steps);
  /** @param {number} from @param {number} to */
  const pieces = (from, to) => {
    const found = [];
    let at = from;
    for (const step of known) {
      if (step.from < at || step.to > to) continue;
      const text = formula.slice(step.from, step.to);
      found.push(formula.slice(at, step.from), html`<span data-at=${step.from}>${text}</span>`);
      at = step.to;
    }
    return [...found, formula.slice(at, to)];
  };
  const all = [];
  let at = 0;
  for (const { from, to, name, column } of marks) {
    if (from < at) continue;
    const inside = from < formula.length ? pieces(from, to) : ' ';
    all.push(
      ...pieces(at, from),
      html`<mark class=${name} data-column=${column ?? nothing}>${inside}</mark>`,
    );
    at = Math.max(to, from);
  }
  return [...all, ...pieces(at, formula.length), '\u200b'];
}
customElements.define('formula-text', FormulaText);
