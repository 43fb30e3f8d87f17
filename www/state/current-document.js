import { print, tablesOf } from '../design/document.js';
import { showFormulaCheck, table } from './document-engine.js';
import { moment, note } from './history.js';
import { keepDocument, keepHistory } from './local-storage.js';
import { change, state } from './store.js';

/** @import { Design } from '../types.d.ts' */

/** Milliseconds until what is on show is kept: writing at each keystroke would hold up typing. */
const SOON = 300;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Puts a document on show.
 * @param {Design} design
 */
export function show(design) {
  const tables = tablesOf(design);
  const index = Math.min(state.table, tables.length - 1);
  const kind = Math.min(state.kind, Math.max(0, (tables[index]?.kinds.length ?? 0) - 1));
  const { rowkey = '' } = tablesOf(design, kind)[index] ?? {};
  change({ design, table: index, kind, designProblems: [], formula: rowkey });
  note();
  showFormulaCheck();
}

/**
 * Takes a changed document.
 * @param {Design} design
 * @param {string} [kind] quick changes of one kind are undone together
 */
export function commit(design, kind) {
  change({ design });
  note(kind);
  keepSoon();
}

/** Keeps what is on show, also when the page is left before. */
export function keepSoon() {
  change({ opened: true });
  // The visible design no longer matches the link, so a reload must restore this one.
  if (location.hash.startsWith('#v1.'))
    history.replaceState(history.state, '', location.href.replace(/#.*/s, ''));
  clearTimeout(waiting);
  waiting = setTimeout(keep, SOON);
}

/** Keeps what waits to be kept: something else is about to be shown. */
export function keepWaiting() {
  if (waiting !== undefined) keep();
}

/** Gives up what was to be kept. */
export function keepNothing() {
  clearTimeout(waiting);
  waiting = undefined;
}

function keep() {
  keepNothing();
  const { design, formula, ...rest } = moment();
  if (!design) return;
  const typed = formula === table()?.rowkey ? undefined : formula;
  keepHistory(moment(), state.past, state.future);
  const keeps = keepDocument(print(design), { ...rest, formula: typed });
  if (keeps !== state.keeps) change({ keeps });
}

addEventListener('pagehide', keepWaiting);
