/** @import { Figures } from '../text/key-figures.js' */
/** @import { Glossary } from './glossary.js' */
/** @import { Comparison, Design, Example, ExistingAnswer, ExportedText, FormulaCheck, Guess, Input, Loaded, Migration, Part, Problem, Progress, Source, View, Finding, Outlook, Parameter, QueryAnswer, ServerLoad, Setting, Sizing, Reads, Storage, Sweep } from '../types.d.ts' */

/**
 * What is on show, as undo brings it back.
 * @typedef {{ design: Design | null, table: number, formula: string, example: string | null, source: Source | null }} Moment
 */

/**
 * Everything the page shows. Changes go one way: document → worker → report → draw.
 * @typedef {object} State
 * @property {Example[]} examples
 * @property {string | null} example id of the example on show; null for a person's own records
 * @property {'system' | 'light' | 'dark'} theme
 * @property {'en' | 'zh' | 'ko'} language
 * @property {{ view: 'bench' | 'gallery' | 'glossary', id: string | null }} place what the address names
 * @property {Design | null} design the document, once it reads as one
 * @property {number} table which table of the document is on show
 * @property {Problem[]} designProblems
 * @property {string} formula the row key as typed, right or wrong
 * @property {FormulaCheck | null} check of the formula as typed
 * @property {Source | null} source
 * @property {Guess | null} guess
 * @property {Input | null} input
 * @property {Loaded | null} loaded
 * @property {'empty' | 'starting' | 'reading' | 'sorting' | 'ready' | 'stopped' | 'failed'} phase
 * @property {boolean} counting whether a report is awaited while an older one is on show
 * @property {(Progress & { rate: number }) | null} progress rate in rows a second
 * @property {{ title: string, detail: string, crashed: boolean } | null} failure
 * @property {View | null} view
 * @property {Finding[] | null} findings null before the picture is judged
 * @property {boolean} unjudged whether it can't be, as the rest of the module can't be had
 * @property {'findings' | 'queries' | 'storage' | 'growth' | 'servers' | 'compare' | 'migrate' | 'existing' | 'export'} tab of the review on show
 * @property {number | null} query the one that is open: its ranges are drawn
 * @property {QueryAnswer | null} queries
 * @property {Storage | null} storage
 * @property {number | null} storageRows rows that a person asked the table's size for
 * @property {Outlook | null} outlook
 * @property {Sizing | null} sizing regions by every rule
 * @property {ServerLoad | null} load
 * @property {Reads | null} reads what queries ask of regions and servers
 * @property {Setting[]} settings of the table that follow from its key
 * @property {{ document: string, table: number, name: string } | null} reference the design that later ones are compared with
 * @property {Comparison | null} comparison none while there is nothing to compare with
 * @property {Parameter[]} parameters what can be varied
 * @property {Parameter | null} varied
 * @property {Sweep | null} sweep
 * @property {number | null} mostScans scans that a query may take, where one thing is varied
 * @property {{ before: Design, table: number, after: Design, figures: Figures, view: View | null } | null} applied the fix that was taken last: what was on show before it, and its figures
 * @property {[number, number]} way from which of the compared designs to which
 * @property {Migration | null} migration
 * @property {{ text: string, name: string, plain: '' | 'splits' | 'keys', chosen: number } | null} pasted what was told of a table as it is: the text or file, what plain lines are, which table
 * @property {ExistingAnswer | null} existing
 * @property {string} exported what was chosen to take
 * @property {(ExportedText & { name: string }) | null} taken that, made
 * @property {Problem | null} answerProblem why the open tab has no answer
 * @property {number} keysVersion changes whenever the sorted keys do
 * @property {Part[]} parts of the row key that the sorted keys were made with
 * @property {{ index: number } | null} shown index of the key whose record is shown
 * @property {Record<string, string> | null} record values of the record on show, by field
 * @property {{ index: number, at: number } | null} jump where the list of keys was asked to go
 * @property {Moment[]} past what undo goes back to, the last at the end
 * @property {Moment | null} present what was noted last
 * @property {Moment[]} future what redo goes forth to
 * @property {string | null} notice a sentence above the page until it is closed
 * @property {number | null} tour the step of the tour on show
 * @property {Glossary} words the words explained, in the language on show; none until they are there
 * @property {boolean} keeps whether the browser keeps what is typed
 */

/** @type {State} */
export const state = {
  examples: [],
  example: null,
  theme: 'system',
  language: 'en',
  place: { view: 'bench', id: null },
  design: null,
  table: 0,
  designProblems: [],
  formula: '',
  check: null,
  source: null,
  guess: null,
  input: null,
  loaded: null,
  phase: 'empty',
  counting: false,
  progress: null,
  failure: null,
  view: null,
  findings: [],
  unjudged: false,
  tab: 'findings',
  query: null,
  queries: null,
  storage: null,
  storageRows: null,
  outlook: null,
  sizing: null,
  load: null,
  reads: null,
  settings: [],
  reference: null,
  applied: null,
  comparison: null,
  parameters: [],
  varied: null,
  sweep: null,
  mostScans: null,
  way: [0, 1],
  migration: null,
  pasted: null,
  existing: null,
  exported: 'shell',
  taken: null,
  answerProblem: null,
  keysVersion: 0,
  parts: [],
  shown: null,
  record: null,
  jump: null,
  past: [],
  present: null,
  future: [],
  notice: null,
  tour: null,
  words: {},
  keeps: true,
};

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * The only way the state changes.
 * @param {Partial<State>} changes
 */
export function change(changes) {
  Object.assign(state, changes);
  for (const listener of listeners) listener();
}

/**
 * @param {() => void} listener called after each change
 * @returns {() => void} ends it
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
