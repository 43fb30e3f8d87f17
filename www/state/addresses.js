import { keepSoon, keepWaiting } from './current-document.js';
import { alike, moment, note } from './history.js';
import { goTo, openAddress } from './opening.js';
import { change, state } from './store.js';

/** @import { Moment } from './store.js' */

/** @typedef {typeof state.place} Place */

const VIEWS = /** @type {const} */ (['table', 'gallery', 'glossary']);

/**
 * Changes of the state that open a place of the bench, by the name of the place; earlier names of tabs open what has
 * taken their place.
 * @type {Record<string, Partial<typeof state>>}
 */
const PLACES = {
  writes: { tab: 'writes' },
  questions: { tab: 'questions' },
  regions: { tab: 'regions' },
  storage: { tab: 'storage' },
  servers: { tab: 'servers' },
  create: { sheet: 'create' },
  code: { sheet: 'code' },
  migrate: { sheet: 'migrate' },
  share: { sheet: 'share' },
  compare: { comparing: true },
  findings: { tab: 'writes' },
  queries: { tab: 'questions' },
  growth: { tab: 'storage' },
  export: { sheet: 'create' },
};

/** Opens a place by its name, also by an earlier one. @param {string} name */
export function openPlace(name) {
  if (name === 'existing' || name === 'table') location.hash = 'table';
  else change({ opened: true, ...PLACES[name] });
}

/**
 * The view that the part of an address after `#` names; the bench for everything else, also for a design in a
 * link.
 * @param {string} hash
 * @returns {Place}
 */
export function viewNamed(hash) {
  const [name, id] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((one) => one === name) ?? 'bench';
  return { view, id: view === 'bench' || !id ? null : id };
}

/** Follows the address: links and the buttons of the browser change it. */
export function followRoute() {
  const open = () => {
    const name = location.hash.slice(1);
    if (name === 'existing' || Object.hasOwn(PLACES, name)) openPlace(name);
  };
  open();
  change({ place: viewNamed(location.hash) });
  addEventListener('hashchange', () => {
    open();
    const place = viewNamed(location.hash);
    const moved =
      place.view !== state.place.view || (place.view === 'gallery' && place.id !== state.place.id);
    change({ place });
    if (moved) scrollTo(0, 0);
  });
}

/**
 * How each visited example, file or link was left: the browser's Back button returns to it, also to where nothing was
 * opened yet.
 * @type {Map<number, { moment: Moment, opened: boolean }>}
 */
const left = new Map();
/** The visit on show: the browser's own history keeps its number as `place`. */
let visit = Number(history.state?.place ?? 0);
let last = visit;

/** To be told before another example or file is opened. */
export function leave() {
  keepWaiting();
  remember();
  const { view } = state.place;
  visit = ++last;
  history.pushState({ place: visit }, '', location.href.replace(/#.*/s, ''));
  change({ opened: true, place: viewNamed('') });
  if (view !== 'bench') scrollTo(0, 0);
}

function remember() {
  left.set(visit, { moment: moment(), opened: state.opened });
}

/** Follows the Back and Forward buttons, and links pasted into the address. */
export function followAddress() {
  history.replaceState({ place: visit }, '');
  addEventListener('popstate', async ({ state: kept }) => {
    remember();
    if (typeof kept?.place !== 'number') {
      visit = ++last;
      history.replaceState({ place: visit }, '');
      return openAddress();
    }
    visit = kept.place;
    last = Math.max(last, visit);
    const there = left.get(visit);
    if (!there) return openAddress();
    change({ opened: there.opened });
    if (alike(there.moment, moment())) return;
    const going = goTo(there.moment);
    note();
    if (!location.hash && there.opened) keepSoon();
    return going;
  });
}
