import { html, nothing } from 'lit';
import { embedOf } from '../../design/embed-code.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { copyable } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';

/** Characters of the code that are shown; copied it is whole. */
const SHOWN = 1200;

/** The design as a figure for another page, with the files that it needs. */
export class EmbedFigure extends View {
  static reads = slices('design', 'records', 'report');

  render() {
    const { design, source, view } = state;
    if (!design) return nothing;
    const data = source && source.kind !== 'generator' ? source.name : '';
    return html`<section aria-labelledby="embed-title">
      <h2 id="embed-title">${say('page.embed')}</h2>
      ${copyable(embedOf(design, source, view), say('page.embed'), { shown: SHOWN })}
      <p class="muted">${say(data ? 'page.embed-files-data' : 'page.embed-files', { data })}</p>
    </section>`;
  }
}
customElements.define('embed-figure', EmbedFigure);
