import { tablesOf } from '../design/document.js';
import { change, state } from './store.js';

/** @import { Moment } from './store.js' */

/** Moments that can be gone back to. */
const MOST = 200;
/** Milliseconds within which changes of one kind, such as the drag of a slider, count as one. */
const TOGETHER = 800;

/** The last change that was noted. */
let last = { kind: '', at: 0 };

/** A snapshot of the visible design for undo. @returns {Moment} */
export function moment() {
  const { design, table, kind, formula, example, source } = state;
  return { design, table, kind, formula, example, source };
}

/** True if two snapshots show the same design. @param {Moment | null} one @param {Moment} other */
export function alike(one, other) {
  return (
    one !== null &&
    one.table === other.table &&
    one.formula === other.formula &&
    one.example === other.example &&
    one.source === other.source &&
    (one.design === other.design || JSON.stringify(one.design) === JSON.stringify(other.design))
  );
}

/**
 * A moment that had no records, with those of another that they fit: going back never takes records away.
 * @param {Moment} moment
 * @param {Moment} other
 */
function withRecords(moment, { design, example, source }) {
  const fields = (/** @type {Moment['design']} */ of) => JSON.stringify(of && tablesOf(of)[0]?.fields);
  const fit = !moment.source && source && fields(moment.design) === fields(design);
  return fit ? { ...moment, example, source } : moment;
}

/**
 * Notes what is on show as something to come back to. Quick changes of one kind are one.
 * @param {string} [kind]
 */
export function note(kind = '') {
  const now = moment();
  const { present } = state;
  if (alike(present, now)) return;
  // Records that come to a design without any are no step of their own.
  if (present && alike(withRecords(present, now), now)) return change({ present: now });
  const at = performance.now();
  const joined = kind !== '' && kind === last.kind && at - last.at < TOGETHER && state.past.length > 0;
  last = { kind, at };
  const past = joined || !present ? state.past : [...state.past, present].slice(-MOST);
  change({ past, present: now, future: [] });
}

/**
 * Begins the history with what was there before, when there is something.
 * @param {Moment | null} before
 * @param {{ past: Moment[], future: Moment[] }} [steps] around it
 */
export function begin(before, { past, future } = { past: [], future: [] }) {
  change({ past, present: before, future });
}

/** The moment before, which is on show from now on; none at the beginning. */
export function back() {
  const { past, present, future } = state;
  const before = past.at(-1);
  if (!before || !present) return null;
  last.kind = '';
  const moment = withRecords(before, present);
  change({ past: past.slice(0, -1), present: moment, future: [present, ...future] });
  return moment;
}

/** The moment that was gone back from. */
export function forth() {
  const { past, present, future } = state;
  const [after, ...rest] = future;
  if (!after || !present) return null;
  last.kind = '';
  const moment = withRecords(after, present);
  change({ past: [...past, present], present: moment, future: rest });
  return moment;
}
