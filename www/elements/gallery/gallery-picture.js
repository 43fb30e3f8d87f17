import { html, LitElement, nothing } from 'lit';
import { pictures } from '../../state/gallery-pictures.js';
import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { headline, toneOf } from '../../text/headline.js';
import { say } from '../../text/sentences.js';
import '../shared/heat-miniature.js';
import { scheme } from '../../state/theme.js';

/** @import { Drawn } from '../../state/gallery-pictures.js' */
/** @import { Entry } from '../../state/gallery-entries.js' */

/** Tables of an entry drawn side by side in the list. */
const SIDE_BY_SIDE = 2;

/** The small pictures of an entry, made when they come into sight. */
export class GalleryPicture extends LitElement {
  static properties = { entry: { attribute: false }, theme: { attribute: false } };

  /** @type {Drawn[] | null} */
  #drawn = null;
  #failed = false;
  #sight = new IntersectionObserver(
    (seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) this.#draw();
    },
    { rootMargin: '200px' },
  );

  constructor() {
    super();
    /** @type {Entry | null} */
    this.entry = null;
    this.theme = state.theme;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#sight.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#sight.disconnect();
  }

  render() {
    const tables = Math.min(SIDE_BY_SIDE, this.entry?.tables ?? 1);
    if (this.#failed) return html`<p class="muted small">${say('gallery.no-picture')}</p>`;
    return html`<span class="pictures">${Array.from(
      { length: tables },
      (_, table) =>
        html`<heat-miniature .view=${this.#drawn?.[table]?.picture ?? null} .scheme=${scheme()}></heat-miniature>`,
    )}</span><span class="card">${this.#drawn?.[0] ? told(this.#drawn[0]) : nothing}</span>`;
  }

  async #draw() {
    this.#sight.disconnect();
    if (!this.entry) return;
    try {
      this.#drawn = await pictures(this.entry);
    } catch {
      this.#failed = true;
    }
    this.requestUpdate();
  }
}
/** The verdict on a table, its key and what its first question costs. @param {Drawn} drawn */
function told({ view, plans, rowkey }) {
  const { severity, title } = headline(view, null);
  const [plan] = plans.filter(({ kind }) => kind);
  const full = plan?.kind === 'fullScan' && !plan.stopsAfter;
  const { read = 0 } = plan?.limited ?? plan?.counted ?? {};
  const cost = full
    ? say('page.bar-full')
    : say('page.bar-scans', { scans: plan?.rangeCount ?? 0, rows: count(read) });
  return html`<span class=${`badge ${toneOf(view, severity)}`}>${title}</span>
    <code>${rowkey}</code>
    ${plan ? html`<span class=${full ? 'is-full' : 'muted'}>${say('page.bar-question', { name: plan.name, cost })}</span>` : nothing}`;
}
customElements.define('gallery-picture', GalleryPicture);
