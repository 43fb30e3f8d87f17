import { textOf } from '../design/design-link.js';
import { kindValuesOf, tablesOf } from '../design/document.js';
import { mayBeSql } from '../design/sql.js';
import { describe, say } from '../text/sentences.js';
import { show } from './current-document.js';
import { askLanguage, checkDocument, showFormulaCheck } from './document-engine.js';
import { begin } from './history.js';
import { again, analyze, fail, load } from './loading.js';
import { keptDocument, keptHistory } from './local-storage.js';
import { jsonOf } from './page-files.js';
import { change, state } from './store.js';

/** @import { Moment } from './store.js' */
/** @import { Design, Encoding, Example, Field, Problem, Source } from '../types.d.ts' */

/** First bytes of a summary file. */
const SUMMARY = 'RWSF';

/** Rows made up for a design that comes without records. */
const MADE_UP = 50_000;

/** True if the browser keeps a design, or the address holds one: then nothing is asked. */
export const isOpened = () => keptDocument() !== null || location.hash.startsWith('#v1.');

/** Reads the list of examples and shows the linked design, the kept document or, beside the question of what to open, the first example. */
export async function start() {
  change({ phase: 'starting' });
  change({ examples: await jsonOf('examples/index.json').catch(() => []) });
  await tellExamples();
  const kept = await keptMoment().catch(unreadable);
  const linked = await linkedDesign();
  if (linked) {
    begin(kept);
    await openLinked(linked);
  } else if (kept) {
    begin(
      kept,
      keptHistory(kept, (source) => (source?.kind === 'url' ? urlSource(source.name) : source)),
    );
    await goTo(kept);
  } else if (state.examples[0]) {
    // Keep the notice about the link or the kept design above the example.
    change({ opened: false });
    await openExample(state.examples[0].id, state.notice);
  } else change({ phase: 'empty' });
}

/** As the examples are told in English. @type {Map<string, Partial<Example>>} */
const english = new Map();

/** Tells the examples in the language on show. */
export async function tellExamples() {
  const { examples, language } = state;
  for (const { id, title, story, source } of examples)
    if (!english.has(id)) english.set(id, { title, story, source });
  /** @type {Record<string, Partial<Example>>} */
  let told = {};
  if (language !== 'en') {
    told = await jsonOf(`examples/${language}.json`).catch(() => told);
  }
  change({ examples: examples.map((one) => ({ ...one, ...english.get(one.id), ...told[one.id] })) });
}

/** Handles kept data in an unknown format: the page starts without it. @param {unknown} error */
function unreadable(error) {
  change({ notice: say('page.kept-unreadable', { problem: String(error) }) });
  return null;
}

/** The snapshot kept by the browser, if it can still be shown. @returns {Promise<Moment | null>} */
async function keptMoment() {
  const kept = keptDocument();
  if (!kept) return null;
  const { problems } = await checkDocument(kept.text);
  if (problems.length) {
    change({ notice: say('page.kept-unreadable', { problem: describe(problems[0]) }) });
    return null;
  }
  const design = /** @type {Design} */ (JSON.parse(kept.text));
  const kind = Math.max(0, kept.kind ?? 0);
  const tables = tablesOf(design, kind);
  const table = Math.max(0, Math.min(kept.table ?? 0, tables.length - 1));
  const example = state.examples.find(({ id }) => id === kept.example) ?? (await entryNamed(kept.example));
  const { source } = kept;
  return {
    design,
    table,
    kind,
    formula: kept.formula ?? tables[table]?.rowkey ?? '',
    example: example?.id ?? null,
    source:
      source?.kind === 'text'
        ? textSource(source.name, source.text, source)
        : (source ?? (example ? sourceOf(example, design) : null)),
  };
}

/**
 * The entry of the gallery that was on the bench, offered again among the examples.
 * @param {string | null} id
 */
async function entryNamed(id) {
  if (!id?.startsWith('gallery/')) return undefined;
  try {
    const { entries, exampleOf } = await import('./gallery-entries.js');
    const example = (await entries()).map(exampleOf).find((one) => one.id === id);
    if (example) change({ examples: [...state.examples, example] });
    return example;
  } catch {
    return undefined;
  }
}

/**
 * The design that the address holds; says what is wrong with it when it can't be read.
 * @returns {Promise<Design | null>}
 */
async function linkedDesign() {
  const found = await textOf(location.hash);
  if (!found) return null;
  if ('code' in found) {
    change({ notice: say(found.code) });
    return null;
  }
  const { problems } = await checkDocument(found.text);
  if (!problems.length) return JSON.parse(found.text);
  const newer = problems.some(({ code }) => code === 'design.newer-version');
  const problem = describe(problems[0]);
  change({ notice: newer ? say('page.link-newer') : say('page.link-wrong', { problem }) });
  return null;
}

/** Shows the design of the address, when it holds one. */
export async function openAddress() {
  const linked = await linkedDesign();
  if (linked) await openLinked(linked);
}

/** Shows a design with the records that it names or describes. @param {Design} linked */
export async function openLinked(linked) {
  change({ opened: true });
  const problem = linked.generate ? await problemOf(linked) : null;
  const { generate: _, ...others } = linked;
  const design = problem ? /** @type {Design} */ (others) : linked;
  const example = (await exampleFor(design)) ?? null;
  const source = example ? sourceOf(example, design) : (ownSource(design) ?? madeUp(design));
  const told = design.generate || design.records || example ? null : say('page.link-made-up');
  const wrong = problem && say('page.link-profile-wrong', { problem: describe(problem) });
  change({ example: example?.id ?? null, table: 0, kind: 0, notice: wrong ?? told });
  if (source) await load(source, design);
  else {
    show(design);
    change({ phase: 'empty' });
  }
}

/**
 * Why no records can be generated as a link describes.
 * @param {Design} design
 * @returns {Promise<Problem | null>}
 */
async function problemOf(design) {
  try {
    await askLanguage('generates', { spec: design.generate, fields: tablesOf(design)[0]?.fields });
    return null;
  } catch (error) {
    const problem = /** @type {Problem} */ (error);
    // Where the module can't be had, loading the records says so.
    return /^(generate|field|time)\./.test(problem.code) ? problem : null;
  }
}

/** The example whose file has the fields of a design that brings no records. @param {Design} design */
export async function exampleFor(design) {
  if (ownSource(design)) return undefined;
  const fields = JSON.stringify(tablesOf(design)[0]?.fields);
  for (const example of state.examples.filter(({ data }) => data)) {
    const theirs = /** @type {Design | null} */ (
      await jsonOf(`examples/${example.design}`).catch(() => null)
    );
    if (theirs && JSON.stringify(tablesOf(theirs)[0]?.fields) === fields) return example;
  }
  return undefined;
}

/** Shows an example. @param {string} id @param {string | null} [notice] that stays above it */
export async function openExample(id, notice = null) {
  const example = state.examples.find((one) => one.id === id);
  if (!example) return;
  change({ example: id, table: 0, kind: 0, phase: 'starting', failure: null, notice });
  try {
    const design = /** @type {Design} */ (await jsonOf(`examples/${example.design}`));
    const source = sourceOf(example, design);
    if (state.example === id && source) await load(source, design);
  } catch (error) {
    fail(error);
  }
}

/**
 * @param {Example} example
 * @param {Design} design
 * @returns {Source | null}
 */
function sourceOf({ title, data: file, generate }, design) {
  if (file) return urlSource(file);
  return generate ? { kind: 'generator', name: title, spec: generate } : ownSource(design, title);
}

/** Records of an example, beside the page. @param {string} name @returns {Source} */
function urlSource(name) {
  return { kind: 'url', name, url: new URL(`examples/${name}`, document.baseURI).href };
}

/**
 * Records that a design describes itself.
 * @param {Design} design
 * @param {string} [name]
 * @returns {Source | null}
 */
function ownSource(design, name = design.name ?? '') {
  const spec = /** @type {{ profile?: number } | undefined} */ (design.records ?? design.generate);
  if (spec?.profile) return { kind: 'generator', name: say('page.profile-of', { rows: spec.profile }), spec };
  return spec ? { kind: 'generator', name, spec } : null;
}

/** Records as suit the fields of a design. @param {Design} design @returns {Source | null} */
export function madeUp(design) {
  const [{ fields, arrival }] = tablesOf(design);
  if (!fields.length) return null;
  const kinds = kindValuesOf(design);
  const described = (/** @type {Field} */ field) => {
    const choice = kinds.get(field.name);
    const made = generatedField(field, arrival);
    return choice ? { ...made, from: { choice } } : made;
  };
  const spec = { rows: MADE_UP, fields: fields.map(described) };
  return { kind: 'generator', name: say('page.made-up'), spec };
}

/**
 * A field with values that suit its type.
 * @param {Field} field
 * @param {string | undefined} arrival
 */
export function generatedField({ name, type, format, zone }, arrival) {
  const from = {
    time: 'arrival',
    text: { entity: { count: 1000, prefix: '', digits: 6 } },
    integer: { number: { min: 0, max: 999 } },
    bytes: { text: format === 'uuid' ? '********-****-****-****-************' : '****************' },
    float: { text: '###.##' },
    decimal: { text: '###.##' },
    boolean: { choice: ['false', 'true'] },
  }[type];
  const written = { name, type, ...(format && { format }), ...(zone && { zone }) };
  return { ...written, from: name === arrival ? 'arrival' : from };
}

/**
 * Opens files of one form as one.
 * @param {File[]} files
 * @param {Design | null} [design] none: one that fits
 */
export async function openFiles(files, design = null) {
  const [{ name }] = files;
  const all = files.length > 1 ? say('page.files', { first: name, others: files.length - 1 }) : name;
  const kind = (await Promise.all(files.map(isSummary))).includes(true) ? 'summary' : 'file';
  return load({ kind, name: all, files }, design, { example: null, notice: null });
}

/** True if a file holds counts in place of records. @param {File} file */
const isSummary = async (file) => (await file.slice(0, SUMMARY.length).text()) === SUMMARY;

/**
 * Opens records that were typed, pasted or made up.
 * @param {Source} source
 * @param {Design | null} design none: one that fits
 */
export function openSource(source, design) {
  return load(source, design, { example: null, notice: null });
}

/**
 * The design document that a text is, or that statements of Phoenix come to; null for any other text.
 * @param {string} text
 * @returns {Promise<{ design: Design, notes: Problem[] } | null>}
 */
export async function documentIn(text) {
  const sql = mayBeSql(text) ? await askLanguage('designOfSql', { text }) : null;
  if (sql) {
    await import('../text/later-sentences.js');
    if (!sql.design) throw sql.problems[0];
    return { design: sql.design, notes: sql.problems };
  }
  if (!/^\s*\{/.test(text) || !/"rowscape"\s*:/.test(text)) return null;
  const { problems } = await checkDocument(text);
  if (problems.length) throw problems[0];
  return { design: JSON.parse(text), notes: [] };
}

/**
 * Records that were typed or pasted.
 * @param {string} name
 * @param {string} text
 * @param {{ keys?: boolean, header?: boolean, encoding?: Encoding }} [said] what a person said of them: that they are row keys, that their first row is names
 * @returns {Source}
 */
export function textSource(name, text, { keys, header, encoding } = {}) {
  return { kind: 'file', name, files: [new File([text], name)], text, keys, header, encoding };
}

/** Reads the same records again, or begins anew when there are none. */
export function restart() {
  return state.source ? again() : start();
}

/**
 * Shows what was on show before.
 * @param {Moment} moment
 */
export async function goTo({ design, table, kind = 0, formula, example, source }) {
  if (example && !state.examples.some(({ id }) => id === example)) void entryNamed(example);
  const fields = (/** @type {Design | null} */ of) => JSON.stringify(of && tablesOf(of)[0]?.fields);
  const read = state.loaded && source === state.source && fields(design) === fields(state.design);
  change({ design, table, kind, formula, example, shown: null, designProblems: [] });
  showFormulaCheck();
  if (!design || !source) {
    change({ source: null, loaded: null, view: null, phase: 'empty' });
  } else if (read) await analyze();
  else {
    change({ input: null, guess: null });
    await load(source, design);
  }
}
