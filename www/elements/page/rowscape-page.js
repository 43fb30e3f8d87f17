import { html, nothing } from 'lit';
import {
  chooseExample,
  chooseFiles,
  chooseLanguage,
  choosePasted,
  chooseTable,
  makeUp,
  setTheme,
} from '../../actions/actions.js';
import { tablesOf } from '../../design/document.js';
import { table } from '../../state/document-engine.js';
import { SILENCE } from '../../state/engine.js';
import { laterStyles } from '../../state/later-styles.js';
import { cancel } from '../../state/loading.js';
import { isFull } from '../../state/local-storage.js';
import { restart } from '../../state/opening.js';
import { change, state } from '../../state/store.js';
import { bytes, count, duration } from '../../text/format.js';
import { LANGUAGES, say, sentence } from '../../text/sentences.js';
import './embed-button.js';
import { emptyIcon } from '../map/heat-empty.js';
import { entry, livePicture } from './entry.js';
import '../map/heat-map.js';
import './help-dialog.js';
import './history-buttons.js';
import { lazyView, lostView } from './lazy-view.js';
import './tour.js';
import '../map/verdict-line.js';
import { slices, View } from '../shared/view.js';

const VIEWS = /** @type {const} */ (['bench', 'table', 'gallery', 'glossary']);
/** Each as those who speak it call it. */
const NAMES = { en: 'English', zh: '中文', ko: '한국어' };
/** Fields named where there are no records yet. */
const LISTED = 12;
/** Questions whose room is kept until they are drawn. */
const QUESTIONS = 4;
const THEMES = /** @type {const} */ (['system', 'light', 'dark']);

/** The time left of a file whose size is known. @param {NonNullable<typeof state.progress>} progress */
function timeLeft({ bytes: read, total, speed }) {
  if (total === null || !speed) return nothing;
  const seconds = Math.ceil(Math.max(0, total - read) / speed);
  return html` · ${say('page.progress-left', { time: duration(seconds * 1000) })}`;
}

/** The whole page. */
export class RowscapePage extends View {
  static reads = slices('page', 'design', 'records', 'work', 'report');

  #dragging = 0;
  /** How far the parts of the bench are. @type {'unasked' | 'coming' | 'there' | 'lost'} */
  #parts = 'unasked';
  /** True while the page asks what to open. */
  #asks = false;

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('dragenter', (event) => this.#drag(event, 1));
    window.addEventListener('dragleave', (event) => this.#drag(event, -1));
    window.addEventListener('dragover', (event) => event.preventDefault());
    window.addEventListener('drop', (event) => {
      event.preventDefault();
      this.#dragging = 0;
      this.requestUpdate();
      chooseFiles([...(event.dataTransfer?.files ?? [])]);
    });
    window.addEventListener('paste', (event) => {
      if (event.target instanceof Element && event.target.closest('input, textarea, dialog')) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (files.length) chooseFiles(files);
      else if (text.trim()) void choosePasted(text);
    });
  }

  updated() {
    // Who opened something by a button that went with the question is led to the verdict.
    if (this.#asks && state.opened && document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (this.querySelector('.verdict'))?.focus({ preventScroll: true });
    this.#asks = !state.opened;
  }

  /** Loads the parts of the bench. */
  async #equip() {
    this.#parts = 'coming';
    try {
      await laterStyles();
      await import('./bench.js');
      this.#parts = 'there';
    } catch {
      this.#parts = 'lost';
    }
    this.requestUpdate();
  }

  render() {
    const { opened } = state;
    if (opened && this.#parts === 'unasked') void this.#equip();
    const first = opened && (isFirst() || this.#parts !== 'there');
    document.documentElement.dataset.theme = state.theme;
    return html`
      <button type="button" class="skip unseen" @click=${skip}>${say('page.skip')}</button>
      ${this.#header()}
      ${lazyView(() => this.requestUpdate())}
      <main class=${state.opened ? (first ? 'is-first' : '') : 'is-entry'} ?hidden=${state.place.view !== 'bench'}>
        ${state.notice ? html`<p class="notice" role="alert"><span>${state.notice}</span><button type="button" class="quiet small" @click=${() => change({ notice: null })}>${say('page.close')}</button></p>` : nothing}
        ${opened ? html`<data-line></data-line>` : entry()}
        ${first ? html`<section class="picture start">${this.#status()}</section>` : nothing}
        ${opened ? html`<ask-questions data-questions=${Math.min(QUESTIONS, state.design?.queries?.length ?? 0)}></ask-questions>` : nothing}
        <verdict-line></verdict-line>
        ${opened ? html`<key-shortlist></key-shortlist><compare-panel></compare-panel>` : nothing}
        <div class="bench">
          ${opened ? html`${this.#controls()}<review-tabs></review-tabs>` : nothing}
          <section class="picture" aria-label=${say('page.picture')} data-stale=${say('page.last-valid')}>
            ${opened ? (first ? nothing : this.#status()) : this.#preview()}
            <heat-map></heat-map>
          </section>
          ${opened ? html`<tab-panel></tab-panel>` : nothing}
        </div>
      </main>
      <footer>
        <p>${say('page.tagline')} ${say('page.footer')}</p>
      </footer>
      <key-bar ?hidden=${state.place.view !== 'bench' || !opened}></key-bar>
      <take-away></take-away>
      ${this.#dragging > 0 ? html`<div class="drop-veil"><p>${say('page.drop-here')}</p></div>` : nothing}
    `;
  }

  #header() {
    return html`
      <header class=${state.place.view !== 'bench' ? 'is-away' : state.opened ? '' : 'is-new'}>
        <h1><svg viewBox="0 0 20 20" aria-hidden="true"><rect x="1" y="13" width="18" height="4" rx="1"></rect><rect x="1" y="8" width="12" height="4" rx="1"></rect><rect x="1" y="3" width="6" height="4" rx="1"></rect></svg>Rowscape</h1>
        <nav aria-label=${say('page.views')}>
          ${VIEWS.map((view) => html`<a href=${view === 'bench' ? '#' : `#${view}`} aria-current=${state.place.view === view ? 'page' : nothing}>${say(`page.view-${view}`)}</a>`)}
        </nav>
        <div class="tools">
          <label class="example"><span>${say('page.example')}</span>
            <select @change=${this.#choose}>
              ${state.example === null ? html`<option value="" selected>${say('page.own-records')}</option>` : nothing}
              ${state.examples.map(
                ({ id, title }) =>
                  html`<option value=${id} ?selected=${id === state.example}>${title}</option>`,
              )}
            </select>
          </label>
          <history-buttons></history-buttons>
          <page-tour></page-tour>
          <button type="button" class="icon menu" popovertarget="menu-list" aria-label=${say('page.more')} title=${say('page.more')}>
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h13"></path></svg>
          </button>
          <div class="menu-list" id="menu-list" popover @beforetoggle=${below}>
            <embed-button></embed-button>
            <label class="language"><span>${say('page.language')}</span>
              <select @change=${this.#speak}>${LANGUAGES.map(
                (language) =>
                  html`<option value=${language} lang=${language} ?selected=${language === state.language}>${NAMES[language]}</option>`,
              )}</select>
            </label>
            <div class="theme"><span aria-hidden="true">${say('page.theme')}</span><fieldset class="segments">
              <legend class="unseen">${say('page.theme')}</legend>
              ${THEMES.map(
                (theme) => html`<label title=${say(`page.theme-${theme}`)}>
                  <input type="radio" name="theme" value=${theme} .checked=${state.theme === theme} @change=${() => setTheme(theme)}>
                  <span>${say(`page.theme-${theme}`)}</span>
                </label>`,
              )}
            </fieldset></div>
            <help-dialog></help-dialog>
          </div>
        </div>
      </header>
    `;
  }

  #controls() {
    return html`<div class="controls">
      ${state.keeps ? nothing : html`<p class="note" role="status">${say(isFull() ? 'page.storage-full' : 'page.not-kept')}</p>`}
      ${state.design ? html`${this.#tables()}<formula-editor></formula-editor><design-dialog></design-dialog>` : nothing}
    </div>`;
  }

  /** The picture of the example at hand until its records are read; what went wrong with that. */
  #preview() {
    if (state.phase === 'failed' || state.phase === 'stopped' || state.stalled) return this.#status();
    return state.view ? nothing : livePicture();
  }

  #tables() {
    const tables = state.design ? tablesOf(state.design) : [];
    if (tables.length < 2) return nothing;
    return html`
      <div class="tables"><span class="muted" aria-hidden="true">${say('page.designs')}</span><fieldset class="segments">
        <legend class="unseen">${say('page.designs')}</legend>
        ${tables.map(
          ({ name }, index) => html`<label>
            <input type="radio" name="table" .checked=${index === state.table} @change=${() => chooseTable(index)}>
            <span>${name || index + 1}</span>
          </label>`,
        )}
      </fieldset></div>
    `;
  }

  /** That nothing was heard of the work for long, which is never begun again by itself. */
  #stalled() {
    if (!state.stalled) return nothing;
    return html`<p role="alert">${say('page.stalled', { seconds: SILENCE / 1000 })}</p>
      <button type="button" @click=${restart}>${say('page.again')}</button>`;
  }

  #status() {
    const { phase, progress, failure, loaded } = state;
    if (this.#parts === 'lost') return lostView(() => void this.#equip());
    if (phase === 'reading' || phase === 'starting') {
      const part = progress?.total ? progress.bytes / progress.total : undefined;
      const isStated = state.guess?.rows !== undefined;
      // It can come late, or not at all: nothing depends on it.
      if (isStated) void import('../records/stated-preview.js').catch(() => {});
      return html`<div class="status" role="status">
        <p>${say(phase === 'starting' ? 'page.starting' : 'page.reading', { name: state.source?.name ?? '' })}</p>
        ${part === undefined ? html`<progress aria-label=${say('page.progress')}></progress>` : html`<progress max="1" .value=${part} aria-label=${say('page.progress')}></progress>`}
        ${
          progress
            ? html`<p class="muted figures">${say('page.progress-rows', { rows: count(progress.rows), bytes: bytes(progress.bytes), speed: bytes(progress.speed) })}${timeLeft(progress)}</p>`
            : nothing
        }
        ${isStated ? html`<stated-preview></stated-preview>` : nothing}
        ${this.#stalled()}
        <button type="button" @click=${cancel}>${say('page.cancel')}</button>
      </div>`;
    }
    if (phase === 'sorting') {
      return html`<div class=${`status${state.view ? ' brief' : ''}`} role="status">
        <p>${say('page.sorting', { rows: count(loaded?.rows ?? 0) })}</p>
        <progress aria-label=${say('page.progress')}></progress>
        ${this.#stalled()}
        <button type="button" @click=${cancel}>${say('page.cancel')}</button>
      </div>`;
    }
    if (phase === 'stopped') {
      return html`<div class="status" role="status">
        <p>${say('page.stopped')}</p>
        <button type="button" class="main" @click=${restart}>${say('page.again')}</button>
      </div>`;
    }
    if (phase === 'failed' && failure) {
      return html`<div class="status bad" role="alert">
        <p><strong>${failure.title}</strong></p>
        ${failure.crashed ? html`<p class="detail">${say('page.crash-help', { name: state.source?.name ?? '' })}</p>` : nothing}
        <p class=${failure.crashed ? 'small muted mono' : 'detail'}>${failure.crashed ? failure.detail : sentence(failure.detail)}</p>
        <div class="actions">
          ${failure.crashed ? nothing : html`<button type="button" class="main" @click=${this.#open}>${say('page.open-file')}</button>`}
          <button type="button" class=${failure.crashed ? 'main' : ''} @click=${restart}>${say('page.again')}</button>
        </div>
      </div>`;
    }
    if (phase === 'empty') {
      const names = (table()?.fields ?? []).map((field) => field.name);
      const fields = names.length > LISTED ? [...names.slice(0, LISTED), '…'] : names;
      return html`<div class="status empty">
        ${emptyIcon()}
        <p><strong>${say('page.empty-title')}</strong></p>
        <p class="muted">${say(state.design ? 'page.empty-again' : 'page.empty', { fields: fields.join(', ') })}</p>
        <div class="actions">
          <button type="button" class="main" @click=${this.#open}>${say('page.open-file')}</button>
          ${names.length ? html`<button type="button" @click=${makeUp}>${say('page.make-up')}</button>` : nothing}
        </div>
      </div>`;
    }
    return nothing;
  }

  /** Opens the picker of files that the records have. */
  #open = () => /** @type {HTMLElement | null} */ (this.querySelector('main input[type=file]'))?.click();

  /** @param {Event} event */
  #choose = (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    if (value) chooseExample(value);
  };

  /** @param {Event} event */
  #speak = async (event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    await chooseLanguage(/** @type {typeof LANGUAGES[number]} */ (select.value));
    select.value = state.language;
  };

  /** @param {DragEvent} event @param {number} step */
  #drag(event, step) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    this.#dragging += step;
    this.requestUpdate();
  }
}

/** Goes past the head of the page to the verdict. */
const skip = () =>
  /** @type {HTMLElement | null} */ (document.querySelector('.verdict, .reading h1, .reading h2'))?.focus();

/** On a phone the rest of the page is below what is read. */
const PHONE = matchMedia('(max-width: 600px)');

/** True until there is an analysis: all that comes with it is then drawn at once, and nothing moves. */
const isFirst = () =>
  !state.view &&
  (!state.keysVersion || PHONE.matches) &&
  ['starting', 'reading', 'sorting'].includes(state.phase);

/** Puts the menu under its button. @param {Event} event */
function below({ target }) {
  const menu = /** @type {HTMLElement} */ (target);
  const { bottom } = menu.previousElementSibling?.getBoundingClientRect() ?? { bottom: 0 };
  menu.style.setProperty('top', `${bottom + scrollY + 4}px`);
}
customElements.define('rowscape-page', RowscapePage);
