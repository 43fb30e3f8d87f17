import { tablesOf, withFields, withLayout, withName, withTable, withTables } from '../design/document.js';
import { leave, openPlace } from '../state/addresses.js';
import { commit, keepNothing, keepSoon, show } from '../state/current-document.js';
import {
  askLanguage,
  checkDocument,
  checkFormula,
  showFormulaCheck,
  table,
} from '../state/document-engine.js';
import { back, forth, note } from '../state/history.js';
import { again, analyze, load, recount, refresh, review } from '../state/loading.js';
import { forgetAll, keepLanguage, keepTheme } from '../state/local-storage.js';
import {
  documentIn,
  goTo,
  madeUp,
  openExample,
  openFiles,
  openLinked,
  openSource,
  tellExamples,
  textSource,
} from '../state/opening.js';
import { jsonOf } from '../state/page-files.js';
import { change, state } from '../state/store.js';
import { figuresOf } from '../text/headline.js';
import { describe, say, speak } from '../text/sentences.js';

/** @import { Pin } from '../state/store.js' */
/** @import { Language } from '../text/sentences.js' */
/** @import { Design, Encoding, Example, Field, Fix, Problem, Source, Splits } from '../types.d.ts' */

/** Bytes of a file that may be a design document. */
const LARGEST_DOCUMENT = 4 << 20;
/** Phases in which the records have to be read again. @type {Set<typeof state.phase>} */
const LOST = new Set(['empty', 'stopped', 'failed']);
/** How times are written that a person only named. */
const TIME = 'yyyy-MM-dd HH:mm:ss';
/** Milliseconds without a keystroke before a formula is applied. */
const TYPING_PAUSE = 250;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;

/** @param {string} formula as typed */
export function setFormula(formula) {
  change({ formula });
  clearTimeout(typing);
  keepSoon();
  showFormulaCheck();
  const { source } = state;
  typing = setTimeout(() => applyFormula(source), TYPING_PAUSE);
}

/** @param {Source | null} source what it was typed for: meanwhile another file may have been opened */
async function applyFormula(source) {
  const { formula } = state;
  const isOld = () => source !== state.source || formula !== state.formula;
  if (!state.design || isOld() || formula === table()?.rowkey) return;
  const { problems } = await checkFormula(formula, table());
  // The design is read after the check: meanwhile its regions may have been changed.
  if (!state.design || isOld()) return;
  if (problems.length) return note('typing');
  commit(withTable(state.design, state.table, { rowkey: formula }, state.kind), 'typing');
  await refresh();
}

/** Shows the row key of another kind of records. @param {number} kind */
export function setKind(kind) {
  change({ kind });
  change({ formula: table()?.rowkey ?? '' });
  showFormulaCheck();
}

/** @param {Splits} splits */
export function setSplits(splits) {
  if (!state.design) return;
  commit(withTable(state.design, state.table, { splits }), 'splits');
  recount();
}

/** Edits the design as a finding proposes. @param {Fix} fix */
export async function applyFix(fix) {
  const { rowkey, splits, families, queries, tables } = fix;
  const { design: before, view, table: index } = state;
  if (!before) return;
  const kind = fix.kind === undefined ? state.kind : tablesOf(before)[index].kinds.indexOf(fix.kind);
  const changes = { ...(rowkey && { rowkey }), ...(splits && { splits }) };
  let design = withTable(before, index, changes, kind);
  if (families) design = withLayout(design, index, { families });
  if (queries) design = { ...design, queries };
  if (tables) design = withTables(design, tables);
  if (rowkey) change({ formula: rowkey, kind });
  commit(design);
  if (view) change({ applied: { before, table: index, after: design, figures: figuresOf(view), view, fix } });
  showFormulaCheck();
  await refresh();
}

/** Compares what was on show before the last fix with what it made of it. */
export function compareApplied() {
  const { applied } = state;
  if (!applied) return;
  const { before, table: index } = applied;
  const pin = { document: JSON.stringify(before), table: index, name: say('page.compare-unfixed') };
  change({ pins: [pin], comparing: true });
}

/** @param {number} index */
export async function chooseTable(index) {
  change({ table: index, shown: null });
  if (state.design) show(state.design);
  keepSoon();
  await refresh();
}

/**
 * Corrects how a field is read; the file is then read again.
 * @param {number} index of the field in the file
 * @param {Partial<Field>} correction
 */
export async function correctField(index, correction) {
  const { input, design, source } = state;
  if (!input || !design || !source) return;
  const fields = input.fields.map((field, at) => (at === index ? tidy({ ...field, ...correction }) : field));
  change({ input: { ...input, fields } });
  const corrected = fields[index];
  const declared = tablesOf(design)[0].fields;
  const now = declared.map((field) => (field.name === corrected.name ? corrected : field));
  commit(withFields(design, now));
  showFormulaCheck();
  await load(source, state.design);
}

/**
 * Says whether the first row of the files on show is names; they are then read again, with a design of their
 * own.
 * @param {boolean} header
 */
export async function setHeader(header) {
  const { source } = state;
  if (source?.kind !== 'file') return;
  await openSource({ ...source, header }, null);
  keepSoon();
}

/**
 * Says in which encoding the files on show are written; they are then read again.
 * @param {Encoding} encoding
 */
export async function setEncoding(encoding) {
  const { source } = state;
  if (source?.kind !== 'file') return;
  await openSource({ ...source, encoding }, state.design);
  keepSoon();
}

/** Drops members that a type does not have. @param {Field} field @returns {Field} */
function tidy({ name, type, format, zone, width, from }) {
  return {
    name,
    type,
    ...((type === 'time' || type === 'bytes') && format ? { format } : {}),
    ...(type === 'time' && zone ? { zone } : {}),
    ...((type === 'text' || type === 'bytes') && width ? { width } : {}),
    ...(from && { from }),
  };
}

/**
 * Puts a document that was checked in the place of the one on show.
 * @param {string} text
 */
export async function setDocument(text) {
  const design = /** @type {Design} */ (JSON.parse(text));
  const before = JSON.stringify(state.design && tablesOf(state.design)[0]?.fields);
  show(design);
  keepSoon();
  const sameFields = before === JSON.stringify(tablesOf(design)[0]?.fields);
  if (!state.source) return;
  if (!sameFields) change({ input: null, guess: null });
  await (sameFields && state.loaded ? analyze() : load(state.source, design));
}

/** Takes away what the browser keeps and asks what to open. It can be undone while the page is open. */
export async function clearDocument() {
  leave();
  keepNothing();
  forgetAll();
  if (!state.examples[0]) return;
  change({ opened: false });
  scrollTo(0, 0);
  await openExample(state.examples[0].id);
}

/** Chooses an example; the one beside the first question is there or on its way. @param {string} id */
export async function chooseExample(id) {
  const isThere = !state.opened && id === state.example && !LOST.has(state.phase);
  leave();
  if (!isThere) await openExample(id);
  keepSoon();
}

/** Begins the tour, which goes through the bench. */
export function startTour() {
  if (!state.opened && state.example) void chooseExample(state.example);
  change({ tour: 0 });
}

/** Chooses files of one's own, which are read as one. @param {File[]} files */
export async function chooseFiles(files) {
  if (!files.length) return;
  const live = await import('./observing.js').catch(() => null);
  if (await live?.observeDropped(files)) return openPlace('table');
  leave();
  /** @type {Awaited<ReturnType<typeof documentIn>>} */
  let document = null;
  /** @type {File[]} */
  const records = [];
  for (const file of files) {
    const found = file.size > LARGEST_DOCUMENT ? null : await documentOf(file.name, await file.text());
    if (found === undefined) return;
    if (found) document = found;
    else records.push(file);
  }
  if (records.length) await openFiles(records, document?.design);
  else if (document) await openDocument(document.design);
  if (document) tellNotes(document.notes);
  keepSoon();
}

/**
 * The design document that a text is or comes to, null for another text; undefined, after it was said why, when it is
 * one with problems.
 * @param {string} name
 * @param {string} text
 */
async function documentOf(name, text) {
  try {
    return await documentIn(text);
  } catch (problem) {
    change({ notice: say('page.document-wrong', { name, problem: describe(/** @type {any} */ (problem)) }) });
    return undefined;
  }
}

/** Notes on a text that a design was read from, of which the first are told. */
const TOLD = 3;

/** Tells what of a text is left out of the design. @param {Problem[]} notes */
function tellNotes(notes) {
  if (!notes.length) return;
  const told = notes
    .slice(0, TOLD)
    .map((note) => describe(note))
    .join(' · ');
  const more = notes.length > TOLD ? ` · +${notes.length - TOLD}` : '';
  change({ notice: told + more });
}

/** Opens a design by itself: with the records on show if it has their fields. @param {Design} design */
async function openDocument(design) {
  const fieldsOf = (/** @type {Design | null} */ of) => JSON.stringify(of && tablesOf(of)[0]?.fields);
  change({ notice: null });
  if (state.loaded && fieldsOf(design) === fieldsOf(state.design)) await setDocument(JSON.stringify(design));
  else await openLinked(design);
}

/** Matches HBase shell input or output that describes a table and holds none of its rows. */
const OF_A_TABLE =
  /^\s*(hbase\S*> *)?create *\(? *['"]|^Total number of splits = |START_KEY \||^COLUMN FAMILIES DESCRIPTION|column=info:regioninfo/m;

/**
 * Takes records or row keys that were pasted; what tells of a table is held against the design.
 * @param {string} text
 * @param {boolean} [keys]
 */
export async function choosePasted(text, keys) {
  const rows = text.includes('COLUMN+CELL') && !text.includes('column=info:regioninfo');
  if (!keys && !rows && OF_A_TABLE.test(text)) {
    setPasted({ text, name: '', plain: '', chosen: 0 });
    openPlace('table');
    return;
  }
  leave();
  const found = keys ? null : await documentOf(say('page.pasted'), text);
  if (found === undefined) return;
  if (found) {
    await openDocument(found.design);
    tellNotes(found.notes);
  } else await openSource(textSource(say('page.pasted'), text, { keys }), null);
  keepSoon();
}

/** Takes records that were typed for the design on show. @param {string} text in CSV */
export async function chooseTyped(text) {
  leave();
  await openSource(textSource(say('page.typed'), text), state.design);
  keepSoon();
}

/** Takes records made up for the design on show. @param {object} spec */
export async function chooseMadeUp(spec) {
  if (!state.design) return;
  leave();
  // The description of what is made up goes with the design, into files and links.
  const design = { ...state.design, generate: spec };
  await openSource({ kind: 'generator', name: say('page.made-up'), spec }, design);
  keepSoon();
}

/** Begins a table of these fields, with records made up for them. @param {Field[]} named */
export async function chooseFields(named) {
  const fields = named.map((field) => (field.type === 'time' ? { ...field, format: TIME } : field));
  const design = withName(await askLanguage('firstDesign', { fields }), say('page.fields-table'));
  const source = madeUp(design);
  if (!source) return;
  leave();
  change({ table: 0 });
  await openSource(source, design);
  keepSoon();
}

/** Makes up records that suit the design on show. */
export async function makeUp() {
  const { design } = state;
  const source = design && madeUp(design);
  if (!source) return;
  leave();
  await openSource(source, design);
  keepSoon();
}

/** Goes back to what was on show before. */
export function undo() {
  return turn(back);
}

/** Takes an undo back. */
export function redo() {
  return turn(forth);
}

/** @param {typeof back} step */
async function turn(step) {
  clearTimeout(typing);
  note();
  const moment = step();
  if (!moment) return;
  keepSoon();
  await goTo(moment);
}

/** Opens an entry of the gallery on the bench. @param {Example} example */
export async function openEntry(example) {
  const others = state.examples.filter(({ id }) => id !== example.id);
  change({ examples: [...others, example] });
  await chooseExample(example.id);
}

/**
 * Says everything in another language; in the one on show when its sentences can't be had.
 * @param {Language} language
 * @returns {Promise<boolean>} whether it does
 */
export async function setLanguage(language) {
  try {
    speak(language, language === 'en' ? {} : await jsonOf(`messages/${language}.json`));
    change({ language });
    if (state.examples.length) await tellExamples();
    return true;
  } catch {
    return false;
  }
}

/** @param {Language} language */
export async function chooseLanguage(language) {
  if (await setLanguage(language)) keepLanguage(language);
  else change({ notice: say('gallery.not-loaded') });
}

/** @param {'system' | 'light' | 'dark'} theme */
export function setTheme(theme) {
  keepTheme(theme);
  change({ theme });
}

/** Shows the list of keys from this one on. @param {number} index */
export function jumpTo(index) {
  change({ jump: { index, at: performance.now() } });
}

/** Shows the record of a key. @param {number} index */
export function showKey(index) {
  change({ shown: { index } });
}

/** @param {typeof state.tab} tab */
export function openTab(tab) {
  change({ tab });
}

/** Opens a tab of what can be taken away; nothing closes it. @param {typeof state.sheet} sheet */
export function openSheet(sheet) {
  change({ sheet });
}

/** Shows a query's plan and draws its ranges. @param {number | null} query */
export function openQuery(query) {
  change({ query });
}

/** Rows of the table whose bytes are told. @param {number} rows */
export function setStorageRows(rows) {
  change({ storageRows: rows });
}

/** Two pins are compared. */
const MOST_PINS = 2;

/** True if these are pins of one design. @param {Pin} one @param {Pin} other */
const isSame = (one, other) => one.table === other.table && one.document === other.document;

/** True if a design is pinned. @param {Pin} pin */
export const isPinned = (pin) => state.pins.some((one) => isSame(one, pin));

/** Pins a design, in the place of the later of two, or takes it out. The second opens the comparison. @param {Pin} pin */
export function togglePin(pin) {
  const { pins } = state;
  const without = pins.filter((one) => !isSame(one, pin));
  const now = without.length < pins.length ? without : [...pins.slice(0, MOST_PINS - 1), pin];
  change({ pins: now, comparing: now.length === MOST_PINS });
}

/** Pins the design on show, to compare what comes after with it. */
export function pinNow() {
  const { design, table: index } = state;
  if (design) togglePin({ document: JSON.stringify(design), table: index, name: say('page.compare-before') });
}

/** Opens the comparison, or closes it and takes all pins out. @param {boolean} comparing */
export function compare(comparing) {
  change(comparing ? { comparing } : { comparing, pins: [] });
}

/** Chooses from which of the compared designs to which. @param {typeof state.way} way */
export function setWay(way) {
  change({ way });
}

/** Takes what tells of a table as it is; nothing gives it up. @param {typeof state.pasted} pasted */
export function setPasted(pasted) {
  change(pasted?.text.trim() ? { pasted, observed: null, opened: true } : { pasted: null });
}

/** Chooses what is varied. @param {typeof state.varied} varied */
export function vary(varied) {
  change({ varied });
}

/** Compares designs under their own split points, or under equal shares. @param {boolean} designedSplits */
export function compareDesigned(designedSplits) {
  change({ designedSplits });
}

/** Says how many scans a query may take at most. @param {number | null} mostScans */
export function limitScans(mostScans) {
  change({ mostScans });
}

/**
 * Edits the design, leaving its row keys and splits, if what comes of it is sound. Records that were dropped
 * and are asked for now are read again.
 * @param {(design: Design) => Design} edit
 * @returns {Promise<Problem[]>} what is wrong with it
 */
export async function propose(edit) {
  const { design: before } = state;
  if (!before) return [];
  const design = edit(before);
  const text = JSON.stringify(design);
  const { problems } = await checkDocument(text);
  const named = (/** @type {string} */ document) => askLanguage('namedFields', { document });
  const dropped =
    !problems.length &&
    state.loaded?.narrowed &&
    String(await named(JSON.stringify(before))) !== String(await named(text));
  // The document changed meanwhile: keep that change and apply the edit to the current document.
  if (state.design !== before) return propose(edit);
  if (problems.length) return problems;
  commit(design);
  void (dropped ? again() : review());
  return [];
}

/** Chooses what to take. @param {string} name */
export function takeAs(name) {
  change({ exported: name });
}

/** Chooses the version of HBase that exports are for. @param {string} version */
export function takeFor(version) {
  change({ exportedFor: version });
}
