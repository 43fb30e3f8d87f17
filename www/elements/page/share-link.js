import { html, nothing } from 'lit';
import { linkOf, withoutPoints, withProfile } from '../../design/design-link.js';
import { tablesOf } from '../../design/document.js';
import { askRecords } from '../../state/loading.js';
import { exampleFor } from '../../state/opening.js';
import { change, state } from '../../state/store.js';
import { count, duration, bytes as inBytes, moment } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import '../../text/later-sentences.js';
import { SAID } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** @import { Design, LinkProfile, Problem } from '../../types.d.ts' */

/** Milliseconds of the units in which a period is told. */
const UNITS = /** @type {Record<string, number>} */ ({
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
});

/** Lists what a link to the design carries, and copies it. It opens below its button, or is part of a sheet. */
export class ShareLink extends View {
  static reads = slices('design');
  static properties = { inline: { type: Boolean } };

  constructor() {
    super();
    /** Part of what is around it, not opened by a button. */
    this.inline = false;
  }

  /** @type {LinkProfile | null} */
  #profile = null;
  /** Why there is no profile. @type {Problem | null} */
  #problem = null;
  /** Where the receiver's records come from without one. @type {'example' | 'generated' | null} */
  #others = null;
  #measuring = false;
  #included = true;
  #copied = false;
  /** The link as it will be copied; none when it would be too long. @type {string | null} */
  #link = null;
  /** Counts openings, so that an answer to an earlier one is dropped. */
  #opening = 0;

  connectedCallback() {
    super.connectedCallback();
    if (this.hasAttribute('inline')) {
      void this.updateComplete.then(() => this.#measure());
      return;
    }
    this.popover = 'auto';
    this.setAttribute('role', 'dialog');
    this.setAttribute('aria-labelledby', 'share-title');
  }

  /** Opens below a button and measures the records. @param {HTMLElement} button */
  async open(button) {
    const { bottom, right } = button.getBoundingClientRect();
    // A button at the bottom has it above itself.
    this.classList.toggle('above', bottom > innerHeight / 2);
    this.style.setProperty('top', this.classList.contains('above') ? 'auto' : `${bottom + scrollY + 4}px`);
    this.style.setProperty('--right', `${Math.max(0, document.documentElement.clientWidth - right)}px`);
    if (!state.design) return;
    await this.#measure(() => this.showPopover());
    this.querySelector('button')?.focus();
  }

  /** Measures the records. @param {() => void} [shown] called once its contents are drawn, before that takes time */
  async #measure(shown) {
    const { design, source, phase, table } = state;
    if (!design) return;
    const mine = ++this.#opening;
    this.#profile = this.#problem = this.#link = null;
    const example = await exampleFor(design);
    const own = phase === 'ready' && source && source.kind !== 'generator';
    this.#others = example ? 'example' : own ? null : 'generated';
    this.#measuring = !this.#others;
    this.requestUpdate();
    await this.updateComplete;
    shown?.();
    if (this.#measuring) {
      try {
        const asked = { document: JSON.stringify(design), table };
        const profile = await askRecords('profile', asked);
        if (mine !== this.#opening) return;
        this.#profile = profile;
      } catch (error) {
        if (mine !== this.#opening) return;
        this.#problem = /** @type {any} */ (error);
      }
      this.#measuring = false;
    }
    await this.#written();
  }

  render() {
    const { design } = state;
    if (!design) return nothing;
    return html`
      <h2 id=${this.inline ? 'take-share-title' : 'share-title'}>${say('page.share-carries')}</h2>
      <section>
        <h3>${say('page.share-design')}</h3>
        <ul>${contents(design).map((line) => html`<li>${line}</li>`)}</ul>
      </section>
      <section aria-live="polite">${this.#records()}</section>
      <p class="muted small">${say('page.share-never')}</p>
      <div class="actions">
        <button type="button" class="main" ?disabled=${this.#measuring} @click=${this.#copy}>${say(this.#copied ? 'page.link-copied' : 'page.link-copy')}</button>
        ${this.#link ? html`<span class="muted small figures">${say('page.share-size', { characters: count(this.#link.length) })}</span>` : nothing}
        <span class="unseen" role="status">${this.#copied ? say('page.link-copied') : ''}</span>
      </div>
    `;
  }

  #records() {
    if (this.#others === 'example')
      return html`<h3>${say('page.records')}</h3><p>${say('page.share-example')}</p>`;
    if (this.#others) return html`<h3>${say('page.records')}</h3><p>${say('page.share-generated')}</p>`;
    if (this.#measuring)
      return html`<h3>${say('page.records')}</h3><p class="muted">${say('page.share-measuring')}</p><progress aria-label=${say('page.progress')}></progress>`;
    const profile = this.#profile;
    if (!profile) {
      const problem = this.#problem ? describe(this.#problem) : '';
      return html`<h3>${say('page.records')}</h3><p>${say('page.share-no-profile', { problem })}</p>`;
    }
    const { generate, bytes, agrees, verdict, splits } = profile;
    const [, number, unit] = /^(\d+)(\w+)$/.exec(generate.span ?? '') ?? [];
    const timed = generate.fields.some(({ from }) => from === 'arrival');
    const made = splits
      .filter((regions) => regions !== null)
      .map((regions) => html`<li>${say('page.share-made-points', { regions: count(regions) })}</li>`);
    return html`
      <label class="check"><input type="checkbox" .checked=${this.#included} @change=${this.#include}>
        <span>${say('page.share-profile', { rows: generate.profile })}</span> <span class="muted small figures">${inBytes(bytes)}</span></label>
      ${
        this.#included
          ? html`<ul>
              <li>${say('page.share-shares')}</li>
              <li>${say('page.share-lengths')}</li>
              ${timed && generate.start ? html`<li>${say('page.share-period', { start: moment(Date.parse(generate.start), UNITS[unit]), span: duration(Number(number) * UNITS[unit]) })}</li>` : nothing}
              ${made}
              <li>${say('page.share-names')}</li>
            </ul>
            <p class=${`verdict-there ${agrees ? 'good' : 'warning'}`}>${agrees ? html`<span aria-hidden="true">✓ </span>${say('page.share-same')}` : say('page.share-differs', { verdict: describe(/** @type {any} */ (verdict)) })}</p>`
          : html`${made.length ? html`<ul>${made}</ul>` : nothing}<p class="verdict-there warning">${say('page.share-without')}</p>`
      }`;
  }

  /** The design as it goes with the link. */
  #shared() {
    const { design } = state;
    if (!design || !this.#profile) return design;
    return (this.#included ? withProfile : withoutPoints)(design, this.#profile);
  }

  async #written() {
    const design = this.#shared();
    this.#link = design && (await linkOf(design));
    this.requestUpdate();
  }

  /** @param {Event} event */
  #include = ({ target }) => {
    this.#included = /** @type {HTMLInputElement} */ (target).checked;
    void this.#written();
    this.requestUpdate();
  };

  /** Closes and says something above the page. @param {string} code */
  #say(code) {
    if (this.inline) change({ sheet: null });
    else this.hidePopover();
    change({ notice: say(code) });
  }

  #copy = async () => {
    await this.#written();
    const link = this.#link;
    if (!link) return this.#say('page.link-too-long');
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      // The clipboard may be refused: the address bar never is.
      history.replaceState(history.state, '', link);
      return this.#say('page.link-in-address');
    }
    this.#copied = true;
    this.requestUpdate();
    setTimeout(() => {
      this.#copied = false;
      this.requestUpdate();
    }, SAID);
  };
}

/** Contents of the design in the link, one per line. @param {Design} design */
function contents(design) {
  const tables = tablesOf(design);
  const points = tables.reduce((sum, { splits }) => sum + (splits.points?.length ?? 0), 0);
  const queries = design.queries?.length ?? 0;
  const lookups = Object.keys(tables[0]?.names.lookup ?? {}).length;
  return [
    say('page.share-fields', { fields: tables[0]?.fields.length ?? 0 }),
    points && say('page.share-points', { points }),
    queries && say('page.share-queries', { queries }),
    lookups && say('page.share-lookups'),
  ].filter(Boolean);
}
customElements.define('share-link', ShareLink);
