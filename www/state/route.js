import { change, state } from './store.js';

/** @typedef {typeof state.place} Place */

const VIEWS = /** @type {const} */ (['gallery', 'glossary']);

/**
 * The view that the part of an address after `#` names; the bench for everything else, also for a design in a link.
 * @param {string} hash
 * @returns {Place}
 */
export function placeOf(hash) {
  const [name, id] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((one) => one === name) ?? 'bench';
  return { view, id: view === 'bench' || !id ? null : id };
}

/** Follows the address: links and the buttons of the browser change it. */
export function followRoute() {
  change({ place: placeOf(location.hash) });
  addEventListener('hashchange', () => {
    const place = placeOf(location.hash);
    const moved =
      place.view !== state.place.view || (place.view === 'gallery' && place.id !== state.place.id);
    change({ place });
    if (moved) scrollTo(0, 0);
  });
}
