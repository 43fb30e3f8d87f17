// Fetches all later parts of the page once the first picture is drawn, so that it then works without a
// network.
import { laterStyles } from './state/later-styles.js';
import { stock } from './state/page-files.js';
import { state, subscribe } from './state/store.js';
import { LANGUAGES } from './text/sentences.js';

/** Views and panels that are files of their own. */
const VIEWS = [
  () => import('./elements/page/bench.js'),
  () => import('./elements/page/later-panels.js'),
  () => import('./elements/gallery/gallery-view.js'),
  () => import('./elements/gallery/glossary-view.js'),
  () => import('./elements/review/ask-questions.js'),
  () => import('./elements/records/records-dialog.js'),
  () => import('./elements/records/data-about.js'),
  () => import('./elements/review/layouts-view.js'),
  () => import('./actions/exports.js'),
  () => import('./state/gallery-entries.js'),
  () => import('./actions/figure-files.js'),
  () => import('./elements/formula/code-reading.js'),
];

/** Fetches all that; what does not come is fetched when it is wanted. */
export function followLater() {
  const stop = subscribe(() => {
    if (!state.view && state.phase !== 'empty' && state.phase !== 'failed') return;
    stop();
    void Promise.allSettled(stock(state.source, LANGUAGES.slice(1)));
    void laterStyles().then(() => Promise.allSettled(VIEWS.map((load) => load())));
  });
}
