// The entry `./element`: <rowscape-figure>, which shows a design and its records in any page.
import { html, nothing, render } from 'lit/html.js';
import { describe, detailOf, say } from '../../../www/text/sentences.js';
import sheetText from './figure.css';
import { figureError } from './figure-error.js';
import { dataOf, documentsOf } from './read.js';
import { onScheme, schemeBehind } from './scheme.js';
import { ask, join, leave } from './shared.js';
import { bytesView } from './views/bytes-view.js';
import { compareView } from './views/compare-view.js';
import { HeatView } from './views/heat-view.js';
import { keysView } from './views/keys-view.js';
import { queriesView } from './views/queries-view.js';
import { regionsView } from './views/regions-view.js';

/** @import { Answer, Shows } from './types.d.ts' */

const VIEWS = /** @type {Shows[]} */ (['heatmap', 'keys', 'regions', 'bytes', 'queries', 'compare']);
/** Attributes whose change redraws a figure. */
const READS = ['src', 'with', 'data', 'view', 'table'];
/** How far below the screen a figure begins to draw itself. */
const AHEAD = '200px';

/** @type {CSSStyleSheet | null} */
let sheet = null;
const styles = () => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(sheetText);
  }
  return sheet;
};

// Where there is no browser (a site made by a server) the module loads and does nothing.
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (class {});

/** A figure. `src` and `data` are the URLs of a design document and its records; `view` selects what to show. */
export class RowscapeFigure extends Base {
  static observedAttributes = [...READS, 'caption', 'scheme'];

  #root = this.attachShadow({ mode: 'open' });
  #heat = new HeatView(() => this.#render());
  /** @type {IntersectionObserver | null} */
  #seen = null;
  /** @type {AbortController | null} */
  #reading = null;
  /** @type {(() => void) | null} */
  #stopScheme = null;
  /** @type {Answer | null} */
  #answer = null;
  /** @type {any} */
  #error = null;
  #printing = false;

  /** The selected view. @returns {Shows} */
  get view() {
    return VIEWS.find((view) => view === this.getAttribute('view')) ?? 'heatmap';
  }

  /** True once it is drawn. */
  get drawn() {
    return this.#answer !== null;
  }

  connectedCallback() {
    this.#root.adoptedStyleSheets = [styles()];
    join(this);
    this.#stopScheme = onScheme(() => this.#render());
    addEventListener('beforeprint', this.#print);
    addEventListener('afterprint', this.#print);
    this.#render();
    this.#wait();
  }

  disconnectedCallback() {
    this.#stopScheme?.();
    this.#seen?.disconnect();
    this.#reading?.abort();
    removeEventListener('beforeprint', this.#print);
    removeEventListener('afterprint', this.#print);
    this.#answer = null;
    this.#error = null;
    this.#heat.end();
    render(nothing, this.#root);
    leave(this);
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    if (READS.includes(name)) this.#wait();
    else this.#render();
  }

  /** Reads once the figure is about to be seen. */
  #wait() {
    this.#seen?.disconnect();
    this.#seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.#seen?.disconnect();
        void this.#read();
      },
      { rootMargin: AHEAD },
    );
    this.#seen.observe(this);
  }

  async #read() {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    try {
      const asked = this.getAttribute('view');
      if (asked && asked !== this.view)
        throw figureError('figure.no-view', { view: asked, views: VIEWS.join(', ') });
      const table = Number(this.getAttribute('table') ?? 0);
      if (!Number.isInteger(table) || table < 0) throw figureError('figure.wrong-table');
      const [documents, data] = await Promise.all([documentsOf(this, signal), dataOf(this, signal)]);
      const answer = await ask({ documents, data, table, view: this.view });
      if (signal.aborted) return;
      this.#answer = answer;
      this.#error = null;
      this.#render();
      this.dispatchEvent(new CustomEvent('rowscape-drawn'));
    } catch (error) {
      if (signal.aborted) return;
      this.#answer = null;
      this.#error = error;
      this.#render();
      this.dispatchEvent(new CustomEvent('rowscape-failed', { detail: error }));
    }
  }

  /** Paper is white. @param {Event} event */
  #print = (event) => {
    this.#printing = event.type === 'beforeprint';
    this.#render();
    this.#heat.drawNow();
  };

  /** @returns {'light' | 'dark'} */
  #scheme() {
    if (this.#printing) return 'light';
    const own = this.getAttribute('scheme');
    return own === 'light' || own === 'dark' ? own : schemeBehind(this);
  }

  #render() {
    if (!this.isConnected) return;
    const scheme = this.#scheme();
    const answer = this.#answer;
    render(
      html`<div class=${`figure is-${scheme} is-${this.view}`} part="figure">
        ${this.#error ? html`<p class="error" part="error" role="alert">${describe(this.#error)}</p>` : nothing}
        ${answer ? html`<figure>${this.#shown(answer)}${this.#caption(answer)}</figure>` : html`<slot></slot>`}
      </div>`,
      this.#root,
    );
    if (answer && this.view === 'heatmap') this.#heat.updated(this.#root, scheme);
  }

  /** @param {Answer} answer */
  #shown(answer) {
    switch (this.view) {
      case 'keys':
        return keysView(answer);
      case 'regions':
        return regionsView(answer);
      case 'bytes':
        return bytesView(answer);
      case 'queries':
        return queriesView(answer);
      case 'compare':
        return compareView(answer);
      default:
        return this.#heat.view(answer);
    }
  }

  /** @param {Answer} answer */
  #caption({ name, report }) {
    const text = this.getAttribute('caption') ?? name;
    const verdict = report && this.view !== 'bytes' ? report.verdict : null;
    const { count: rows = 0, first: [reason] = [] } = report?.refused ?? {};
    if (!text && !verdict && !rows) return nothing;
    return html`<figcaption part="caption"><strong>${text}</strong>${verdict ? html` <span class=${`is-${verdict.severity}`}>${describe({ ...verdict, place: {} })}</span> <span>${detailOf(verdict)}</span>` : nothing}
      ${rows ? html`<span class="is-warning">${say('figure.refused', { rows, reason: describe(reason ?? {}) })}</span>` : nothing}</figcaption>`;
  }
}

if (globalThis.customElements && !customElements.get('rowscape-figure'))
  customElements.define('rowscape-figure', RowscapeFigure);
