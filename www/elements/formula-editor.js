import { html, nothing } from 'lit';
import { setFormula } from '../actions.js';
import { escaped } from '../bytes.js';
import { count } from '../format.js';
import { keys, row } from '../loading.js';
import { recordFields } from '../record.js';
import { state } from '../store.js';
import { describe, say } from '../text.js';
import { partColours } from './parts.js';
import { View } from './view.js';

/** @import { KeyPage, Part, Problem } from '../types.d.ts' */

/** The row key formula, what each of its parts guarantees, and one record turned into bytes. */
export class FormulaEditor extends View {
  /** @type {{ version: unknown, key: KeyPage, record: string[] } | null} */
  #sample = null;
  #asked = '';

  render() {
    const { formula, check } = state;
    const problems = check?.problems ?? [];
    const parts = problems.length ? [] : (check?.parts ?? []);
    const colours = partColours(check?.parts ?? []);
    return html`
      <section class="panel" aria-labelledby="formula-title">
        <div class="title"><h2 id="formula-title">${say('page.row-key')}</h2></div>
        <div class=${`formula${problems.length ? ' wrong' : ''}`}>
          <div class="mirror" aria-hidden="true">${mirrored(formula, problems, parts, colours)}</div>
          <textarea rows="1" spellcheck="false" autocomplete="off" autocapitalize="off"
            aria-labelledby="formula-title" aria-invalid=${problems.length > 0} aria-describedby="formula-problem"
            .value=${formula} @input=${this.#typed} @keydown=${this.#key}></textarea>
        </div>
        <div id="formula-problem" aria-live="polite">
          ${problems.slice(0, 3).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}
        </div>
        <ul class="parts">
          ${parts.map(
            (part, index) => html`<li class=${`part part-${colours[index]}`}>
              <code>${part.text}</code><span class="muted">${propertiesOf(part)}</span>
            </li>`,
          )}
        </ul>
        ${this.#example()}
      </section>
    `;
  }

  updated() {
    this.#fetch();
  }

  #example() {
    const sample = this.#sample;
    if (!state.view || !sample || sample.version !== state.keysVersion || !sample.key.ends.length)
      return nothing;
    const fields = recordFields();
    const named = new Set(state.parts.flatMap((part) => part.fields));
    const values = fields
      .map((field, index) => ({ name: field.name, value: sample.record[index] ?? '' }))
      .filter(({ name }) => named.has(name));
    return html`
      <figure class="sample" aria-label=${say('page.sample')}>
        <dl>${values.map(({ name, value }) => html`<div><dt>${name}</dt><dd class="mono">${value}</dd></div>`)}</dl>
        <p class="mono bytes">${colouredKey(sample.key, 0, partColours(state.parts))}</p>
        <figcaption class="muted">${say('page.sample-bytes', { bytes: count(sample.key.bytes.length) })}</figcaption>
      </figure>
    `;
  }

  /** Asks for the key and the record that are to be shown, once. */
  async #fetch() {
    if (state.phase !== 'ready' || !state.view?.held) return;
    const index = state.shown?.index ?? Math.floor(state.view.held / 2);
    const version = state.keysVersion;
    const asked = `${version} ${index}`;
    if (this.#asked === asked) return;
    this.#asked = asked;
    try {
      const key = await keys(index, 1);
      const record = await row(key.rows[0]);
      if (version !== state.keysVersion || this.#asked !== asked) return;
      this.#sample = { version, key, record };
      this.requestUpdate();
    } catch {
      this.#sample = null;
    }
  }

  /** @param {Event} event */
  #typed = (event) => {
    const area = /** @type {HTMLTextAreaElement} */ (event.target);
    setFormula(area.value.replace(/\n/g, ' '));
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key === 'Enter') event.preventDefault();
  };
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
  const marks = problems.length
    ? problems
        .filter(({ place }) => place.column !== undefined)
        .map(({ place }) => ({
          from: Number(place.column),
          to: Number(place.end ?? Number(place.column) + 1),
          name: 'wrong',
        }))
    : parts.map((part, index) => ({ from: part.from, to: part.to, name: `part-${colours[index]}` }));
  marks.sort((a, b) => a.from - b.from);
  const pieces = [];
  let at = 1;
  for (const { from, to, name } of marks) {
    if (from < at) continue;
    const text = letters.slice(from - 1, Math.max(to, from + 1) - 1).join('') || ' ';
    pieces.push(letters.slice(at - 1, from - 1).join(''), html`<mark class=${name}>${text}</mark>`);
    at = Math.max(to, from + 1);
  }
  pieces.push(letters.slice(at - 1).join(''), '\u200b');
  return pieces;
}

/** What a part guarantees, in words. @param {Part} part */
function propertiesOf({ fields, order, oneToOne, distinct, width }) {
  const bytes =
    width.max === null
      ? say('page.width-from', { min: count(width.min) })
      : width.min === width.max
        ? say('page.width-fixed', { bytes: count(width.min) })
        : say('page.width-between', { min: count(width.min), max: count(width.max) });
  if (!fields.length) return bytes;
  const unique = oneToOne
    ? say('page.one-to-one')
    : distinct === null || distinct > 1e9
      ? say('page.many-to-one')
      : say('page.distinct', { count: count(distinct) });
  return [say(`page.order-${order}`), unique, bytes].join(' · ');
}

/**
 * A key's bytes in the shell's notation, each part in its colour.
 * @param {KeyPage} page
 * @param {number} index in the page
 * @param {string[]} colours
 */
export function colouredKey({ bytes, ends, spans, parts }, index, colours) {
  const start = index ? ends[index - 1] : 0;
  const end = ends[index];
  const pieces = [];
  let at = start;
  for (let part = 0; part < parts; part++) {
    const to = part === parts - 1 ? end : start + spans[index * parts + part];
    if (to > at)
      pieces.push(
        html`<span class=${`part-${colours[part] ?? 'fixed'}`}>${escaped(bytes.subarray(at, to))}</span>`,
      );
    at = Math.max(at, to);
  }
  if (at < end) pieces.push(escaped(bytes.subarray(at, end)));
  return pieces;
}
customElements.define('formula-editor', FormulaEditor);
