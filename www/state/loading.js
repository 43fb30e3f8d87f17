import { columnsOf, fieldsToRead, tableNamed, tablesOf, withName } from '../design/document.js';
import { describe, say, sentence } from '../text/sentences.js';
import { MIB } from '../text/units.js';
import { show } from './current-document.js';
import { checkFormula, table } from './document-engine.js';
import { Engine, EngineError, latestOnly } from './engine.js';
import { note } from './history.js';
import { atHand } from './page-files.js';
import { change, state, subscribe } from './store.js';
import { fetchRest } from './wasm-parts.js';

/** @import { Design, Guess, Input, Loaded, Progress, RecordSource, SearchProgress, Source } from '../types.d.ts' */
/** @import { State } from './store.js' */

/** Columns of the heatmap asked for. */
const TIME_BUCKETS = 250;

/** Answers that a new data set invalidates. */
const UNASKED = {
  query: null,
  pins: [],
  comparing: false,
  applied: null,
  varied: null,
  mostScans: null,
  storageRows: null,
};

/** Most MiB of records that are held until others were read in their place: what can't be read then takes nothing away. */
const HELD_ASIDE = 256;

/** Holds the records; a new data set gets a new one, for wasm memory never shrinks. */
let data = newEngine();

/** An engine of which the page says when nothing is heard of it. */
function newEngine() {
  return new Engine((stalled) => change({ stalled }));
}

/** Counts data sets, so that answers about an older one are dropped. */
let generation = 0;

/** True if the records being read came with their own document. */
let documented = false;

/**
 * Reads a data set in a new worker, then draws it. Without a document one is kept or made from what the file
 * holds.
 * @param {Source} source
 * @param {Design | null} design
 * @param {Partial<State>} [opened] changes that come with other records than those on show
 */
export async function load(source, design, opened) {
  const mine = ++generation;
  documented = Boolean(design);
  const back = opened && wayBack();
  if (!back) data.end();
  data = newEngine();
  if (opened) change(opened);
  const held = state.source === source;
  change({
    source,
    phase: 'reading',
    progress: null,
    failure: null,
    view: held ? state.view : null,
    shown: null,
  });
  if (!held) change({ guess: null, guessed: null, input: null, loaded: null, ...UNASKED });
  if (design && design !== state.design) show(design);
  else if (design) note();
  try {
    const [input, loaded] = await recordsOf(source, design, mine);
    if (mine !== generation) return;
    change({ input, loaded, phase: 'sorting', progress: null });
    await analyze();
  } catch (error) {
    if (mine !== generation) return;
    const { fatal, cancelled } = /** @type {EngineError} */ (error);
    if (back && !fatal && !cancelled) return back.take(source, error);
    change({ loaded: null, view: null });
    fail(error);
  } finally {
    back?.end();
  }
}

/**
 * Has the worker take the records of a source; nothing once another data set was asked for.
 * @param {Source} source
 * @param {Design | null} design
 * @param {number} mine
 * @returns {Promise<[Input | null, Loaded | null]>}
 */
async function recordsOf(source, design, mine) {
  if (source.kind === 'generator') {
    const fields = declared(design ?? state.design);
    return [null, await data.ask('generate', { spec: source.spec, fields })];
  }
  if (source.kind === 'summary') return [null, await countsOf(source, design, mine)];
  const input = await inputFor(source, design, mine);
  return mine === generation
    ? [input, await data.ask('read', readingOf(source, input), follow(mine))]
    : [null, null];
}

/**
 * Opens counts of records; without a document, under the one that they were counted with.
 * @param {Extract<Source, { kind: 'summary' }>} source
 * @param {Design | null} design
 * @param {number} mine
 * @returns {Promise<Loaded>}
 */
async function countsOf({ files }, design, mine) {
  const { document, ...loaded } = await data.ask('openSummaries', { files });
  if (mine === generation && !design) {
    documented = true;
    change({ table: 0, kind: 0 });
    show(JSON.parse(document));
  }
  return loaded;
}

/** The analysis on show, held until other records were read; none when it is of too many. */
function wayBack() {
  const { phase, view, loaded } = state;
  if (phase !== 'ready' || !view || (loaded?.memory ?? 0) > HELD_ASIDE * MIB) return undefined;
  const before = { ...state };
  const engine = data;
  return {
    /** Shows it again, and says why. @param {Source} source @param {unknown} error */
    take(source, error) {
      data.end();
      data = engine;
      const refusal = /** @type {any} */ (error);
      const problem = sentence(describe(refusal));
      const name = refusal.place?.file ?? source.name;
      const kept = before.source?.name.split('/').at(-1) ?? '';
      const notice = say('page.file-kept', { name, problem, kept });
      change({ ...before, counting: false, notice });
      // Answers that came meanwhile were dropped.
      if (before.counting) void recount();
      else if (!before.findings) void review();
    },
    end() {
      if (data !== engine) engine.end();
    },
  };
}

/** The fields that a design declares. @param {Design | null} design */
const declared = (design) => (design ? tablesOf(design)[0]?.fields : undefined);

/**
 * How to read a file: as guessed, with what the document or the person declares taking precedence.
 * @param {RecordSource} source
 * @param {Design | null} design
 * @param {number} mine
 * @returns {Promise<Input>}
 */
async function inputFor(source, design, mine) {
  if (state.input && state.source === source && state.guess) return state.input;
  const ofKinds = isOfKinds(source, design ?? state.design);
  /** @type {Guess} */
  const guess = await data.ask('guess', {
    source: atHand(source),
    declared: (declared(design ?? state.design) ?? []).flatMap(columnsOf),
    document: design || state.design ? JSON.stringify(design ?? state.design) : '',
    ofKinds,
  });
  const binary = guess.problems.some(({ code }) => /^input\.(binary|utf-16)$/.test(code));
  if (!guess.input.fields.length || binary) throw refusalOf(guess);
  const current = design ?? (guess.keys ? null : documentThatFits(guess, ofKinds));
  const fields = fieldsToRead(guess.input.fields, declared(current) ?? [], ofKinds);
  const input = { ...guess.input, fields };
  if (mine !== generation) return input;
  change({ guess, input });
  if (!current) change({ table: 0 });
  const name = source.name.replace(/\.[^.]*(\.gz)?$/, '');
  if (!current) {
    const first = withName(guess.design, name);
    const inHBase = source.kind === 'file' && tableNamed(name);
    change({ guessed: guess.keys ? null : tablesOf(first)[0].rowkey });
    show(inHBase ? { ...first, table: { name: inHBase } } : first);
  } else note();
  return input;
}

/** Why nothing can be read from a file. @param {Guess} guess */
function refusalOf({ problems: [problem] }) {
  return new EngineError(problem ?? { message: '', code: 'page.nothing-found' });
}

/**
 * The document on show, when the file has every field it declares, or the files are each of a kind of its records.
 * @param {Guess} guess
 * @param {boolean} ofKinds
 */
function documentThatFits(guess, ofKinds) {
  if (!state.design) return null;
  const columns = new Set(guess.input.fields.flatMap(columnsOf));
  const fields = tablesOf(state.design).flatMap((one) => one.fields);
  const hasAll = fields.flatMap(columnsOf).every((column) => columns.has(column));
  if (!fields.length || !(hasAll || ofKinds)) return null;
  const { generate: _, ...design } = state.design;
  return design;
}

/**
 * True if the table on show holds kinds of records, and the name of every file begins with one of them.
 * @param {Source} source
 * @param {Design | null} design
 */
function isOfKinds(source, design) {
  const { kinds = [] } = (design && tablesOf(design)[state.table]) ?? {};
  const begins = (/** @type {File} */ { name }) =>
    kinds.some((kind) => name.toLowerCase().startsWith(kind.toLowerCase()));
  return kinds.length > 0 && source.kind === 'file' && source.files.length > 0 && source.files.every(begins);
}

/** Follows a load: bytes a second since it began. @param {number} mine */
function follow(mine) {
  const began = performance.now();
  return (/** @type {Progress} */ progress) => {
    const seconds = (performance.now() - began) / 1000;
    if (mine === generation)
      change({ progress: { ...progress, speed: progress.bytes / Math.max(seconds, 0.001) } });
  };
}

/**
 * Options of the worker for reading a file. `?memory=` in the address sets how many MiB of records are held.
 * @param {Source} source
 * @param {Input | null} input
 */
function readingOf(source, input) {
  const asked = Number(new URLSearchParams(location.search).get('memory'));
  const budget = asked > 0 ? asked * MIB : undefined;
  const document = JSON.stringify(state.design ?? {});
  const given = atHand(source);
  return {
    source: given,
    input,
    document,
    table: state.table,
    budget,
  };
}

/** Sorts by the row key on show, then counts. Of several wanted at once only the last is done. */
export const analyze = latestOnly(async () => {
  const mine = generation;
  const { design } = state;
  if (!design || !state.loaded) return;
  change({ phase: 'sorting' });
  try {
    const shown = tablesOf(design)[state.table];
    const checked = checkFormula(shown.rowkey, shown);
    await data.ask('analyze', { document: JSON.stringify(design), table: state.table });
    await count();
    const { parts } = await checked;
    if (mine !== generation) return;
    change({ phase: 'ready', failure: null, keysVersion: state.keysVersion + 1, parts, shown: null });
    if (!state.findings) void review();
  } catch (error) {
    if (mine !== generation) return;
    const dropped = /** @type {EngineError} */ (error).code === 'records.field-not-held';
    if (dropped && state.loaded?.narrowed) void again();
    else fail(error);
  }
});

async function count() {
  const mine = generation;
  change({ counting: true });
  try {
    const view = await askReport();
    if (!state.view) {
      // A first picture is there before it is judged: that takes the rest of the module.
      if (mine === generation) change({ view, findings: null, designProblems: [] });
      return;
    }
    const findings = await askFindings();
    if (mine === generation) change({ view, findings, designProblems: [] });
  } finally {
    change({ counting: false });
  }
}

/** Where the records land under the current document. */
const askReport = () =>
  data.ask('report', {
    document: JSON.stringify(state.design),
    table: state.table,
    splits: JSON.stringify(table()?.splits ?? {}),
    timeBuckets: TIME_BUCKETS,
  });

/** The findings of the current document; null if the rest of the module cannot be loaded. */
async function askFindings() {
  try {
    const asked = { document: JSON.stringify(state.design), table: state.table };
    const findings = await data.ask('findings', asked);
    change({ unjudged: false });
    return findings;
  } catch (error) {
    const { code, fatal } = /** @type {EngineError} */ (error);
    if (code !== 'page.rest-missing' || fatal) throw error;
    change({ unjudged: true });
    return null;
  }
}

/** Waits while keys are sorted: they may have been counted for the document before a change. */
async function sorted() {
  while (state.phase === 'sorting')
    await new Promise((resolve) => {
      const stop = subscribe(() => {
        if (state.phase === 'sorting') return;
        stop();
        resolve(undefined);
      });
    });
}

/** Looks at the document again when only what is asked of the table, or what it is to hold, is another. */
export const review = latestOnly(async () => {
  const mine = generation;
  if (!state.findings) await fetchRest();
  await sorted();
  if (state.phase !== 'ready') return;
  try {
    const judged = state.findings !== null;
    const findings = await askFindings();
    // The verdict follows the servers, the writes and their rate.
    const view = judged ? await askReport() : state.view;
    if (mine === generation) change({ view, findings });
  } catch (error) {
    if (mine === generation) fail(error);
  }
});

export const recount = latestOnly(async () => {
  const mine = generation;
  if (state.phase === 'failed') await refresh();
  await sorted();
  if (state.phase !== 'ready') return;
  try {
    await count();
  } catch (error) {
    if (mine !== generation) return;
    const refusal = /** @type {EngineError} */ (error);
    if (refusal.fatal || !refusal.code) fail(error);
    else change({ designProblems: [/** @type {any} */ (refusal)] });
  }
});

/** @param {unknown} error */
export function fail(error) {
  const refusal = error instanceof EngineError ? error : new EngineError({ message: String(error) });
  if (refusal.cancelled) {
    change({ phase: 'stopped', counting: false, loaded: null, view: null });
    return;
  }
  if (refusal.fatal) {
    data.end(refusal);
    change({ loaded: null, view: null });
  }
  change({
    phase: 'failed',
    counting: false,
    failure: {
      title: say(refusal.fatal ? 'page.failed-crash' : 'page.failed'),
      detail: describe(/** @type {any} */ (refusal)),
      crashed: refusal.fatal,
    },
  });
}

/** Stops the load or the sort under way. */
export function cancel() {
  data.cancel();
}

/** Stops a search for row keys; other work goes on. */
export function stopSearch() {
  data.stopSearch();
}

/**
 * Reads the same records again, in a new worker. Until a file was looked at, the document on show may be that
 * of the records before.
 */
export async function again() {
  const own = documented || state.guess;
  if (state.source) await load(state.source, own ? state.design : null);
}

/** Draws the document anew; reads the records first when they were lost. */
export async function refresh() {
  if (state.loaded) await analyze();
  else await again();
}

/**
 * Sends a request to the worker that holds the records.
 * @template {Progress | SearchProgress} [P=Progress]
 * @param {string} type
 * @param {object} ask
 * @param {(progress: P) => void} [progress]
 */
export async function askRecords(type, ask, progress) {
  try {
    return await data.ask(type, ask, progress);
  } catch (error) {
    if (/** @type {EngineError} */ (error).fatal) fail(error);
    throw error;
  }
}

/** @param {number} first @param {number} number */
export const keys = (first, number) => data.ask('keys', { first, count: number });
/** @param {number} index of the record */
export const row = (index) => data.ask('row', { index });

/** The fields of a record, in the order that the engine gives them. */
export function recordFields() {
  const { input, loaded, source, design } = state;
  if (loaded?.fields) return loaded.fields.map((name) => ({ name }));
  const made = /** @type {{ fields?: { name: string }[] } | undefined} */ (
    source?.kind === 'generator' ? source.spec : undefined
  );
  return input?.fields ?? made?.fields ?? design?.fields ?? [];
}

/**
 * Values of a record in the middle of the table, by field; none without records.
 * @returns {Promise<Record<string, string>>}
 */
export async function middleRecord() {
  if (state.phase !== 'ready' || !state.view?.held) return {};
  try {
    const key = await keys(Math.floor(state.view.held / 2), 1);
    const values = await row(key.rows[0]);
    return Object.fromEntries(recordFields().map(({ name }, index) => [name, values[index] ?? '']));
  } catch {
    return {};
  }
}
