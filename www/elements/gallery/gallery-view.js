import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { entries, pathOf } from '../../state/gallery-entries.js';
import { rest } from '../../state/gallery-pictures.js';
import { state } from '../../state/store.js';
import '../../text/later-sentences.js';
import { say } from '../../text/sentences.js';
import { stepOf } from './gallery-entry.js';
import './gallery-picture.js';
import { slices, View } from '../shared/view.js';

/** @import { Entry } from '../../state/gallery-entries.js' */

/** Published practice to look at: a path for beginners and all entries by lesson, or one of them. */
export class GalleryView extends View {
  static reads = slices('page');

  /** @type {Entry[] | null} */
  #entries = null;
  #language = '';
  #failed = false;
  #wanted = '';
  #place = state.place;

  disconnectedCallback() {
    super.disconnectedCallback();
    rest();
  }

  render() {
    if (this.#language !== state.language) this.#load();
    if (this.#failed)
      return html`<div class="status bad" role="alert"><p>${say('gallery.not-loaded')}</p>
        <button type="button" class="main" @click=${() => this.#load()}>${say('page.again')}</button></div>`;
    if (!this.#entries) return html`<p class="muted" role="status">${say('gallery.loading')}</p>`;
    const { id } = state.place;
    const entry = this.#entries.find(({ slug }) => slug === id);
    if (entry) return html`<gallery-entry .entry=${entry} .all=${this.#entries}></gallery-entry>`;
    return html`
      <div class="title"><h2 tabindex="-1">${say('gallery.title')}</h2>
        <label class="find"><span>${say('gallery.find')}</span>
          <input type="search" .value=${this.#wanted} @input=${this.#find}></label></div>
      <p class="lead">${say('gallery.lead')}</p>
      ${id ? html`<p class="note warning" role="status">${say('gallery.no-such-entry', { id })}</p>` : nothing}
      ${this.#list()}
    `;
  }

  updated() {
    const { view, id } = state.place;
    const moved = this.#place.view !== view || this.#place.id !== id;
    this.#place = state.place;
    if (moved && view === 'gallery') this.querySelector('h2')?.focus({ preventScroll: true });
  }

  #list() {
    const found = (this.#entries ?? []).filter((entry) => this.#fits(entry));
    if (!found.length) return html`<p class="muted" role="status">${say('gallery.none-found')}</p>`;
    const lessons = Object.groupBy(found, ({ lesson }) => lesson);
    const path = this.#wanted ? [] : pathOf(found);
    return html`
      ${path.length ? shelf('path', path, (entry) => html`<span class="step">${stepOf(entry, path)}</span>`) : nothing}
      ${Object.entries(lessons).map(([lesson, list = []]) => shelf(lesson, list, () => nothing))}`;
  }

  /** True if an entry contains every search word. @param {Entry} entry */
  #fits({ name, story, look, wrong = '', step = '' }) {
    const text = `${name} ${story} ${look} ${wrong} ${step}`.toLowerCase();
    return this.#wanted
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  }

  /** @param {Event} event */
  #find = (event) => {
    this.#wanted = /** @type {HTMLInputElement} */ (event.target).value;
    this.requestUpdate();
  };

  async #load() {
    const { language } = state;
    this.#language = language;
    this.#failed = false;
    try {
      const list = await entries();
      if (language === state.language) this.#entries = list;
    } catch {
      this.#failed = !this.#entries;
    }
    this.requestUpdate();
  }
}

/**
 * The cards of a lesson.
 * @param {string} lesson
 * @param {Entry[]} list
 * @param {(entry: Entry) => unknown} step what a card says beside the name
 */
const shelf = (lesson, list, step) => html`
  <section class=${`shelf of-${lesson}`} aria-labelledby=${`lesson-${lesson}`}>
    <h3 id=${`lesson-${lesson}`}>${say(`gallery.lesson-${lesson}`)}</h3>
    ${lesson === 'path' ? html`<p class="muted">${say('gallery.path-lead')}</p>` : nothing}
    <ul>${repeat(
      list,
      ({ slug }) => slug,
      (entry) => html`<li><a href=${`#gallery/${entry.slug}`}>
        <gallery-picture aria-hidden="true" .entry=${entry} .theme=${state.theme}></gallery-picture>
        <span class="name">${entry.name}</span>${step(entry)}</a></li>`,
    )}</ul>
  </section>`;
customElements.define('gallery-view', GalleryView);
