import { html, LitElement, nothing } from 'lit';
import { tablesOf } from '../../design/document.js';
import { designOf } from '../../state/gallery-entries.js';
import { sample } from '../../state/gallery-pictures.js';
import { say } from '../../text/sentences.js';
import { colouredKey } from '../shared/coloured-key.js';

/** @import { Sample } from '../../state/gallery-pictures.js' */
/** @import { Entry } from '../../state/gallery-entries.js' */
/** @import { TableDesign } from '../../design/document.js' */

/** Records shown of an entry. */
const MOST = 8;

/** The records beside an entry, each with its row key in every table. */
export class GalleryRecords extends LitElement {
  static properties = { entry: { attribute: false } };

  /** @type {(Sample & { slug: string, tables: TableDesign[] }) | null} */
  #sample = null;

  constructor() {
    super();
    /** @type {Entry | null} */
    this.entry = null;
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const { entry } = this;
    if (!entry) return nothing;
    if (this.#sample?.slug !== entry.slug) {
      this.#ask(entry);
      return nothing;
    }
    const { rows, keys, tables } = this.#sample;
    const fields = tables[0].fields;
    return html`
      <section class="records" aria-labelledby="gallery-records">
        <h3 id="gallery-records">${say('gallery.records')}</h3>
        <div class="scroll" tabindex="0" role="group" aria-labelledby="gallery-records"><table>
          <thead><tr>
            ${fields.map(({ name }) => html`<th>${name}</th>`)}
            ${tables.map(({ name }) => html`<th>${tables.length > 1 ? say('gallery.key-in', { table: name }) : say('gallery.key')}</th>`)}
          </tr></thead>
          <tbody>${rows.slice(0, MOST).map(
            (row, index) => html`<tr>
              ${fields.map((_, at) => html`<td class="mono">${row[at]}</td>`)}
              ${keys.map((page) => html`<td class="mono bytes">${page.at[index] < 0 ? '–' : colouredKey(page, page.at[index], COLOURS)}</td>`)}
            </tr>`,
          )}</tbody>
        </table></div>
      </section>
    `;
  }

  /** @param {Entry} entry */
  async #ask(entry) {
    try {
      const [found, design] = await Promise.all([sample(entry), designOf(entry.slug)]);
      if (entry !== this.entry) return;
      this.#sample = { ...found, slug: entry.slug, tables: tablesOf(design) };
      this.requestUpdate();
    } catch {
      // The pictures above say that the worker or the network failed.
    }
  }
}

/** Parts in turn: the formulas are not checked here, so that which of them are fixed is not known. */
const COLOURS = Array.from({ length: 64 }, (_, part) => String((part % 6) + 1));

customElements.define('gallery-records', GalleryRecords);
