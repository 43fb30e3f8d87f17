/** Keeps input and the source of the records across reloads; never the records of a file. */

/** @import { Moment } from './store.js' */
/** @import { Encoding, Source } from '../types.d.ts' */

/** Another number when what is kept takes another form; what a newer page kept is left alone. */
const KEY = 'rowscape.document.v1';
const THEME = 'rowscape.theme.v1';
const SHORTCUTS = 'rowscape.shortcuts.v1';
const DRAFTS = 'rowscape.drafts.v1';
const SEEN = 'rowscape.seen.v1';
const LANGUAGE = 'rowscape.language.v1';
const HISTORY = 'rowscape.history.v1';
const ALL = [KEY, THEME, SHORTCUTS, LANGUAGE, DRAFTS, SEEN, HISTORY];
/** Steps of undo that are kept, and as many of redo. */
const STEPS = 30;
/** Characters of designs in them. */
const LONGEST_STEPS = 100_000;
/** Characters of records typed or pasted that are kept. */
const LONGEST = 500_000;

/**
 * @typedef {object} Kept
 * @property {string} text of the document
 * @property {string | null} example whose records it is about
 * @property {string} [formula] as typed, when it is not the document's
 * @property {number} [kind] of records whose row key is shown
 * @property {number} [table]
 * @property {{ kind: 'generator', name: string, spec: object } | { kind: 'text', name: string, text: string, keys?: boolean, header?: boolean, encoding?: Encoding } | null} [source]
 */

/**
 * The kept document, if its format is valid: any script of this origin can write there.
 * @returns {Kept | null}
 */
export function keptDocument() {
  const { text, example, formula, table, kind, source } = read(KEY) ?? {};
  if (typeof text !== 'string') return null;
  return {
    text,
    example: typeof example === 'string' ? example : null,
    kind: Number.isInteger(kind) ? kind : undefined,
    formula: typeof formula === 'string' ? formula : undefined,
    table: Number.isInteger(table) ? table : undefined,
    source: isKeptSource(source) ? source : null,
  };
}

/** @param {any} source */
function isKeptSource(source) {
  if (typeof source?.name !== 'string') return false;
  if (source.kind === 'text') return typeof source.text === 'string';
  return source.kind === 'generator' && isObject(source.spec);
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls when another tab changed the document that is kept. @param {() => void} changed */
export function followOtherTabs(changed) {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && newValue !== null) changed();
  });
}

/**
 * @param {string} text of the document
 * @param {{ example: string | null, formula?: string, table?: number, kind?: number, source: Source | null }} shown
 * @returns {boolean} whether the browser keeps it
 */
export function keepDocument(text, { example, formula, table, kind, source }) {
  return write(KEY, { text, example, formula, table, kind, source: keepable(source) });
}

/**
 * Records that can be had again: those on show are kept with the document.
 * @typedef {null | { kind: 'url', name: string } | Extract<Source, { kind: 'generator' }>} Again
 */

/**
 * Keeps the steps nearest to what is on show, as far back and forth as their records are on show too or can
 * be had again.
 * @param {Moment} present
 * @param {Moment[]} past
 * @param {Moment[]} future
 */
export function keepHistory(present, past, future) {
  /** @type {(Source | null)[]} */
  const sources = [present.source];
  const nearest = (/** @type {Moment[]} */ moments) => {
    const steps = [];
    let length = 0;
    for (const { design, table, kind, formula, example, source } of moments) {
      const own = source === null || source === present.source;
      if (!design || (!own && (source.kind === 'file' || source.kind === 'summary'))) break;
      if (!own && !sources.includes(source)) sources.push(source);
      length += JSON.stringify(design).length;
      if (steps.length === STEPS || length > LONGEST_STEPS) break;
      steps.push({ design, table, kind, formula, example, records: own ? 0 : sources.indexOf(source) });
    }
    return steps;
  };
  const steps = { past: nearest(past.toReversed()), future: nearest(future) };
  write(HISTORY, { ...steps, sources: sources.map((source, at) => (at ? again(source) : null)) });
}

/** @param {Source | null} source @returns {Again} */
function again(source) {
  if (source?.kind === 'url') return { kind: 'url', name: source.name };
  return source?.kind === 'generator' ? source : null;
}

/**
 * The steps that were kept, around what is on show again.
 * @param {Moment} present
 * @param {(again: Again) => Source | null} sourceOf
 * @returns {{ past: Moment[], future: Moment[] }}
 */
export function keptHistory(present, sourceOf) {
  const kept = read(HISTORY);
  const isAgain = (/** @type {any} */ source) =>
    source?.kind === 'url' ? typeof source.name === 'string' : isKeptSource(source);
  const sources = (Array.isArray(kept?.sources) ? kept.sources : []).map((/** @type {any} */ source) =>
    sourceOf(isAgain(source) ? source : null),
  );
  const steps = (/** @type {unknown} */ list) =>
    (Array.isArray(list) ? list : [])
      .filter((step) => typeof step?.formula === 'string' && isDesign(step.design))
      .filter(
        (step) =>
          Number.isInteger(step.table) && [null, 'string'].includes(step.example && typeof step.example),
      )
      .map(({ design, table, kind = 0, formula, example = present.example, records }) => ({
        ...{ design, table, kind, formula, example },
        source: sources[records] ?? present.source,
      }));
  return { past: steps(kept?.past).toReversed(), future: steps(kept?.future) };
}

/**
 * A document whose tables can be shown; what else is wrong with it is said when it is.
 * @param {any} design
 */
function isDesign(design) {
  const tables = Array.isArray(design?.tables) ? design.tables : [design];
  return (
    isObject(design) &&
    design.rowscape === 1 &&
    Array.isArray(design.fields) &&
    design.fields.every(isObject) &&
    tables.length > 0 &&
    tables.every((/** @type {any} */ table) => typeof table?.rowkey === 'string' || isObject(table?.kinds))
  );
}

/** Records that were made up, typed or pasted; files are the person's own. @param {Source | null} source */
function keepable(source) {
  if (source?.kind === 'generator') return source;
  if (source?.kind !== 'file') return null;
  const { name, text, keys, header, encoding } = source;
  return text !== undefined && text.length <= LONGEST
    ? { kind: 'text', name, text, keys, header, encoding }
    : null;
}

/** Takes everything away that the page kept here. */
export function forgetAll() {
  for (const key of ALL) quietly(() => localStorage.removeItem(key));
}

/** Input of a form that was not used yet. @param {string} name of the form */
export function draft(name) {
  const drafts = read(DRAFTS);
  return isObject(drafts) ? drafts[name] : undefined;
}

/** @param {string} name of the form @param {unknown} typed; nothing takes it away */
export function keepDraft(name, typed) {
  const drafts = read(DRAFTS);
  write(DRAFTS, { ...(isObject(drafts) ? drafts : {}), [name]: typed });
}

/** True if the tour was taken or skipped. */
export function tourSeen() {
  return read(SEEN)?.tour === true;
}

export function keepTourSeen() {
  write(SEEN, { tour: true });
}

/** @returns {'system' | 'light' | 'dark'} */
export function keptTheme() {
  const theme = quietly(() => localStorage.getItem(THEME));
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** False after a person turned single-key shortcuts off. */
export const keptShortcuts = () => quietly(() => localStorage.getItem(SHORTCUTS)) !== 'off';

/** @param {boolean} on */
export function keepShortcuts(on) {
  quietly(() => localStorage.setItem(SHORTCUTS, on ? 'on' : 'off'));
}

/** The language chosen, if one was. */
export function keptLanguage() {
  return quietly(() => localStorage.getItem(LANGUAGE)) ?? null;
}

/** @param {string} language */
export function keepLanguage(language) {
  quietly(() => localStorage.setItem(LANGUAGE, language));
}

/** @param {string} theme */
export function keepTheme(theme) {
  quietly(() => localStorage.setItem(THEME, theme));
}

/** @param {string} key */
function read(key) {
  return quietly(() => JSON.parse(localStorage.getItem(key) ?? 'null'));
}

/** True if the browser had no room for the last write. */
let full = false;

export const isFull = () => full;

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    full = false;
    return true;
  } catch (error) {
    full = error instanceof DOMException && error.name === 'QuotaExceededError';
    return false;
  }
}

/**
 * A browser may forbid storage: the page works all the same.
 * @template T
 * @param {() => T} use
 */
function quietly(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}
