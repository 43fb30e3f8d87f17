import { keepSoon, keepWaiting } from './current-document.js';
import { alike, moment, note } from './history.js';
import { goTo, openAddress } from './opening.js';

/** @import { Moment } from './store.js' */

/** Examples, files and links are places that the browser's Back button returns to, as they were left. */

/** How each place was left. @type {Map<number, Moment>} */
const left = new Map();
/** The place on show: its number is kept with the browser's own history. */
let place = Number(history.state?.place ?? 0);
let last = place;

/** To be told before another example or file is opened. */
export function leave() {
  keepWaiting();
  left.set(place, moment());
  place = ++last;
  history.pushState({ place }, '', location.href.replace(/#.*/s, ''));
}

/** Follows the Back and Forward buttons, and links pasted into the address. */
export function followAddress() {
  history.replaceState({ place }, '');
  addEventListener('popstate', async ({ state }) => {
    left.set(place, moment());
    if (typeof state?.place !== 'number') {
      place = ++last;
      history.replaceState({ place }, '');
      return openAddress();
    }
    place = state.place;
    last = Math.max(last, place);
    const there = left.get(place);
    if (!there) return openAddress();
    if (alike(there, moment())) return;
    const going = goTo(there);
    note();
    if (!location.hash) keepSoon();
    return going;
  });
}
