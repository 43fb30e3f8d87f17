import { html, nothing } from 'lit';
import { laterStyles } from '../../state/later-styles.js';
import { state } from '../../state/store.js';
import { say } from '../../text/sentences.js';

/**
 * Views that are fetched when they are opened, with the element of each.
 * @type {Record<'table' | 'gallery' | 'glossary', { load: () => Promise<unknown>, element: unknown }>}
 */
const VIEWS = {
  table: {
    load: () => import('./later-panels.js'),
    element: html`<existing-panel></existing-panel>`,
  },
  gallery: { load: () => import('../gallery/gallery-view.js'), element: html`<gallery-view></gallery-view>` },
  glossary: {
    load: () => import('../gallery/glossary-view.js'),
    element: html`<glossary-view></glossary-view>`,
  },
};

/** @type {Map<string, 'loading' | 'lost'>} */
const loads = new Map();

/**
 * The view that the address names, when it isn't the bench.
 * @param {() => void} redraw called when it can't be fetched
 */
export function lazyView(redraw) {
  const { view } = state.place;
  if (view === 'bench') return nothing;
  const { load, element } = VIEWS[view];
  const begin = () => {
    loads.set(view, 'loading');
    laterStyles()
      .then(load)
      .catch(() => {
        loads.set(view, 'lost');
        redraw();
      });
  };
  const again = () => {
    begin();
    redraw();
  };
  if (!loads.has(view)) begin();
  if (loads.get(view) !== 'lost') return html`<main class="reading">${element}</main>`;
  return html`<main class="reading">${lostView(again)}</main>`;
}

/** Says that a part of the page can't be fetched. @param {() => unknown} again */
export const lostView = (again) => html`<div class="status bad" role="alert">
  <p>${say('gallery.not-loaded')}</p>
  <button type="button" class="main" @click=${again}>${say('page.again')}</button>
</div>`;
