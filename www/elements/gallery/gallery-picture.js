import { html, LitElement } from 'lit';
import { pictures } from '../../state/gallery-pictures.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import './heat-miniature.js';
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
    return Array.from(
      { length: tables },
      (_, table) =>
        html`<heat-miniature .view=${this.#drawn?.[table]?.picture ?? null} .scheme=${scheme()}></heat-miniature>`,
    );
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
customElements.define('gallery-picture', GalleryPicture);
