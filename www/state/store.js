/** @import { Figures } from '../text/headline.js' */
/** @import { Glossary } from './glossary.js' */
/**
 * @import { Comparison, Design, Example, ExistingAnswer, ExportedText, FormulaCheck, Guess, Input, Loaded, Migration, Observed, Part, Problem, Progress, Source, View, Finding, Fix, Outlook, Parameter, QueryAnswer, ServerLoad, Setting, Sizing, Reads, Storage, Sweep, VersionsLeft } from '../types.d.ts'
 */

/**
 * A snapshot of the visible design, as undo restores it.
 * @typedef {{ design: Design | null, table: number, kind: number, formula: string, example: string | null, source: Source | null }} Moment
 */

/**
 * Sentences and the words they explain. Every view reads this slice.
 * @typedef {object} LanguageSlice
 * @property {'en' | 'zh' | 'ko'} language
 * @property {Glossary} words the words explained, in the language on show; none until they are there
 */

/**
 * The page around the design.
 * @typedef {object} PageSlice
 * @property {boolean} opened whether anything was opened; until then the page asks what to open
 * @property {'system' | 'light' | 'dark'} theme
 * @property {{ view: 'bench' | 'table' | 'gallery' | 'glossary', id: string | null }} place what the address names
 * @property {string | null} notice a sentence above the page until it is closed
 * @property {number | null} tour the step of the tour on show
 * @property {boolean} keeps whether the browser keeps what is typed
 */

/**
 * The document, and which of its tables is shown.
 * @typedef {object} DesignSlice
 * @property {Design | null} design the document, once it reads as one
 * @property {number} table which table of the document is on show
 * @property {number} kind of records whose row key is on show, where the table holds several
 * @property {Problem[]} designProblems
 */

/**
 * The row key as typed.
 * @typedef {object} FormulaSlice
 * @property {string} formula the row key as typed, right or wrong
 * @property {FormulaCheck | null} check of the formula as typed
 */

/**
 * Where records come from and how they are read.
 * @typedef {object} RecordsSlice
 * @property {Example[]} examples
 * @property {string | null} example id of the example on show; null for a person's own records
 * @property {Source | null} source
 * @property {Guess | null} guess
 * @property {string | null} guessed the row key that was made of the columns, where nothing else gave one
 * @property {Input | null} input
 * @property {Loaded | null} loaded
 */

/**
 * Progress of reading, sorting and counting.
 * @typedef {object} WorkSlice
 * @property {'empty' | 'starting' | 'reading' | 'sorting' | 'ready' | 'stopped' | 'failed'} phase
 * @property {boolean} counting whether a report is awaited while an older one is on show
 * @property {(Progress & { speed: number }) | null} progress speed in bytes a second
 * @property {{ title: string, detail: string, crashed: boolean } | null} failure
 * @property {boolean} stalled whether nothing was heard of the work for long
 */

/**
 * The answer of the engine: the picture, the findings, the sorted keys.
 * @typedef {object} ReportSlice
 * @property {View | null} view
 * @property {Finding[] | null} findings null before the picture is judged
 * @property {boolean} unjudged whether it can't be, as the rest of the module can't be had
 * @property {number} keysVersion changes whenever the sorted keys do
 * @property {Part[]} parts of the row key that the sorted keys were made with
 */

/**
 * The key and the record that a person looks at.
 * @typedef {object} KeySlice
 * @property {{ rowkeys: string[], use: () => unknown } | null} winner the key that answers the questions best, once it is found
 * @property {{ index: number } | null} shown index of the key whose record is shown
 * @property {Record<string, string> | null} record values of the record on show, by field
 * @property {{ index: number, at: number } | null} jump where the list of keys was asked to go
 */

/**
 * The queries of the design, planned; the open one is drawn on the heatmap.
 * @typedef {object} QueriesSlice
 * @property {number | null} query the one that is open: its ranges are drawn
 * @property {QueryAnswer | null} queries
 */

/**
 * A design that is kept to be compared: one table of a document.
 * @typedef {{ document: string, table: number, name: string }} Pin
 */

/**
 * The open tab and the open sheet with their answers, and what a person chose there.
 * @typedef {object} ReviewSlice
 * @property {'writes' | 'questions' | 'regions' | 'storage' | 'servers'} tab on show
 * @property {'create' | 'code' | 'migrate' | 'share' | null} sheet open tab of what can be taken away
 * @property {Record<string, Problem | null>} answerProblems why a place has no answer, by its name
 * @property {Setting[]} settings of the table that follow from its key
 * @property {string} settingsCommand the command that makes them
 * @property {Storage | null} storage
 * @property {VersionsLeft | null} left the versions of cells that the records leave
 * @property {number | null} storageRows rows that a person asked the table's size for
 * @property {Outlook | null} outlook
 * @property {Sizing | null} sizing regions by every rule
 * @property {ServerLoad | null} load
 * @property {Reads | null} reads what queries ask of regions and servers
 * @property {Pin[]} pins designs to compare: two with each other, one with the design on show
 * @property {boolean} comparing whether the comparison is open
 * @property {{ before: Design, table: number, after: Design, figures: Figures, view: View | null, fix: Fix } | null} applied the fix that was taken last: what was on show before it, and its figures
 * @property {Comparison | null} comparison none while there is nothing to compare with
 * @property {Parameter[]} parameters what can be varied
 * @property {Parameter | null} varied
 * @property {Sweep | null} sweep
 * @property {boolean} designedSplits whether designs are compared under their own split points, not equal shares
 * @property {number | null} mostScans scans that a query may take, where one thing is varied
 * @property {[number, number]} way from which of the compared designs to which
 * @property {Migration | null} migration
 * @property {{ text: string, name: string, changed?: number, plain: '' | 'splits' | 'keys', chosen: number } | null} pasted what was told of a table as it is: the text or file, what plain lines are, which table
 * @property {ExistingAnswer | null} existing
 * @property {Observed | null} observed files of HBase, and what they show
 * @property {string} exported what was chosen to take
 * @property {string} exportedFor the version of HBase that it is for
 * @property {(ExportedText & { name: string }) | null} taken that, made
 */

/**
 * Undo and redo.
 * @typedef {object} HistorySlice
 * @property {Moment[]} past what undo goes back to, the last at the end
 * @property {Moment | null} present what was noted last
 * @property {Moment[]} future what redo goes forth to
 */

/**
 * @typedef {LanguageSlice & PageSlice & DesignSlice & FormulaSlice & RecordsSlice & WorkSlice & ReportSlice & KeySlice & QueriesSlice & ReviewSlice & HistorySlice} State
 */

/**
 * Everything the page shows, by subject. Changes go one way: document → worker → report → draw.
 * A view names the slices it reads (`static reads`) and is drawn again when one of them changes.
 */
const slices = {
  /** @type {LanguageSlice} */
  language: {
    language: 'en',
    words: {},
  },
  /** @type {PageSlice} */
  page: {
    opened: false,
    theme: 'system',
    place: { view: 'bench', id: null },
    notice: null,
    tour: null,
    keeps: true,
  },
  /** @type {DesignSlice} */
  design: {
    design: null,
    table: 0,
    kind: 0,
    designProblems: [],
  },
  /** @type {FormulaSlice} */
  formula: {
    formula: '',
    check: null,
  },
  /** @type {RecordsSlice} */
  records: {
    examples: [],
    example: null,
    source: null,
    guess: null,
    guessed: null,
    input: null,
    loaded: null,
  },
  /** @type {WorkSlice} */
  work: {
    phase: 'empty',
    counting: false,
    progress: null,
    failure: null,
    stalled: false,
  },
  /** @type {ReportSlice} */
  report: {
    view: null,
    findings: [],
    unjudged: false,
    keysVersion: 0,
    parts: [],
  },
  /** @type {KeySlice} */
  key: {
    winner: null,
    shown: null,
    record: null,
    jump: null,
  },
  /** @type {QueriesSlice} */
  queries: {
    query: null,
    queries: null,
  },
  /** @type {ReviewSlice} */
  review: {
    tab: 'writes',
    sheet: null,
    answerProblems: {},
    settings: [],
    settingsCommand: '',
    storage: null,
    left: null,
    storageRows: null,
    outlook: null,
    sizing: null,
    load: null,
    reads: null,
    pins: [],
    comparing: false,
    applied: null,
    comparison: null,
    parameters: [],
    varied: null,
    sweep: null,
    designedSplits: false,
    mostScans: null,
    way: [0, 1],
    migration: null,
    pasted: null,
    existing: null,
    observed: null,
    exported: 'shell',
    exportedFor: '2.6',
    taken: null,
  },
  /** @type {HistorySlice} */
  history: {
    past: [],
    present: null,
    future: [],
  },
};

/** @typedef {keyof typeof slices} Slice */

/** The slice that each key belongs to. @type {Map<string, Slice>} */
export const sliceOf = new Map(
  Object.entries(slices).flatMap(([slice, values]) =>
    Object.keys(values).map((key) => [key, /** @type {Slice} */ (slice)]),
  ),
);

/** All slices in one record: a key needs no slice to be read. @type {State} */
export const state = Object.assign({}, ...Object.values(slices));

/**
 * Listeners with the slices they want to hear of; all of them without a list.
 * @type {Map<() => void, readonly Slice[] | undefined>}
 */
const listeners = new Map();

/**
 * The only way the state changes.
 * @param {Partial<State>} changes
 */
export function change(changes) {
  const changed = Object.entries(changes).filter(
    ([key, value]) => !Object.is(value, state[/** @type {keyof State} */ (key)]),
  );
  const touched = new Set(changed.map(([key]) => sliceOf.get(key)));
  Object.assign(state, changes);
  for (const [listener, wanted] of listeners)
    if (wanted ? wanted.some((slice) => touched.has(slice)) : touched.size) listener();
}

/**
 * @param {() => void} listener called after each change of one of these slices
 * @param {readonly Slice[]} [wanted] by default all
 * @returns {() => void} ends it
 */
export function subscribe(listener, wanted) {
  listeners.set(listener, wanted);
  return () => listeners.delete(listener);
}
