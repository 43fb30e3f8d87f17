import { html, nothing } from 'lit';
import { FIGURE_PARTS, saveFigureFiles } from '../../actions/figure-zip.js';
import { embedOf } from '../../design/embed-code.js';
import { change, state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { copyable } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** Characters of the code that are shown; copied it is whole. */
const SHOWN = 1200;

/** True in the page that is one file, which has no others beside it. */
const isOneFile = () => !document.querySelector('link[rel="stylesheet"]');

/** The design as a figure for another page, with the files that it needs. */
export class EmbedFigure extends View {
  static reads = slices('design', 'records', 'report');

  render() {
    const { design, source, view } = state;
    if (!design) return nothing;
    const data = source && source.kind !== 'generator' ? source.name : '';
    const files = [...FIGURE_PARTS.map((part) => `rowscape/${part}`), ...(data ? [data] : [])];
    return html`<section aria-labelledby="embed-title">
      <h2 id="embed-title">${say('page.embed')}</h2>
      ${copyable(embedOf(design, source, view), say('page.embed'), { shown: SHOWN })}
      <p>${say('page.embed-needs')}</p>
      <ul class="files">${files.map((file) => html`<li><code>${file}</code></li>`)}</ul>
      ${
        isOneFile()
          ? html`<p class="muted">${say('page.embed-where')}</p>`
          : html`<div class="actions"><button type="button" @click=${this.#save}>${say('page.embed-zip')}</button></div>`
      }
    </section>`;
  }

  #save = async () => {
    try {
      await saveFigureFiles();
    } catch {
      // Without a network the files can't be had; they are named.
      change({ sheet: null, notice: say('page.embed-lost') });
    }
  };
}
customElements.define('embed-figure', EmbedFigure);
