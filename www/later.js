// What is opened later is fetched once the first picture is drawn: from then on nothing misses without a network.
import { stock } from './files.js';
import { state, subscribe } from './store.js';
import { LANGUAGES } from './text.js';

/** Views and panels that are files of their own. */
const VIEWS = [
  () => import('./elements/gallery-view.js'),
  () => import('./elements/glossary-view.js'),
  () => import('./elements/migrate-panel.js'),
  () => import('./elements/existing-panel.js'),
  () => import('./elements/export-panel.js'),
  () => import('./elements/records-dialog.js'),
  () => import('./elements/values-view.js'),
  () => import('./elements/layouts-view.js'),
  () => import('./exports.js'),
  () => import('./gallery/entries.js'),
  () => import('./heat/files.js'),
  () => import('./java.js'),
];

/** Fetches all that; what does not come is fetched when it is wanted. */
export function followLater() {
  const stop = subscribe(() => {
    if (!state.view && state.phase !== 'empty' && state.phase !== 'failed') return;
    stop();
    void Promise.allSettled([...stock(state.source, LANGUAGES.slice(1)), ...VIEWS.map((load) => load())]);
  });
}
