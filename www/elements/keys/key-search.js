import { tablesOf } from '../../design/document.js';
import { askRecords, stopSearch } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { keysOf, ownOf, questionOf, rowsOf, serversOf, studyOf } from './key-rows.js';

/** @import { Design, Loaded, Problem, SearchProgress, Suggestions } from '../../types.d.ts' */
/** @import { KeyRow } from './key-rows.js' */

/**
 * The answer of a search, and what it was asked.
 * @typedef {object} Found
 * @property {Suggestions} answer
 * @property {KeyRow[]} rows
 * @property {number} servers that writes are spread over
 * @property {string[]} queries names
 * @property {string} question that it answers
 * @property {Design} design that it began with
 */

/** Milliseconds without a change before a search begins by itself. */
const PAUSE = 700;

/**
 * The search for row keys behind the section. It begins by itself for a person's own records once the design has queries; any change of what was
 * asked ends it.
 */
export class KeySearch {
  /** @type {Found | null} */
  found = null;
  /** An answer that came while the rows on show were in use. @type {Found | null} */
  waiting = null;
  /** @type {SearchProgress | null} */
  progress = null;
  /** The best designs so far. @type {SearchProgress['shortlist']} */
  soFar;
  /** @type {(Problem & { cancelled?: boolean }) | null} */
  problem = null;
  /** The question that is searched for, or soon will be. @type {string | null} */
  sought = null;
  /** The question of the last search; it is not searched for again by itself. @type {string | null} */
  #done = null;
  /** @type {Loaded | null} */
  #records = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  #paused = false;
  #running = 0;
  #last = 0;
  #tell;
  #inUse;

  /**
   * @param {() => void} tell is called after each change
   * @param {() => boolean} inUse whether rows on show are in use, and not to be replaced
   */
  constructor(tell, inUse) {
    this.#tell = tell;
    this.#inUse = inUse;
  }

  /** True if the rows on show answer what is asked now. */
  get current() {
    const { design, table } = state;
    return Boolean(design && this.found?.question === questionOf(design, table));
  }

  /** Looks at the state after a change of it. */
  follow() {
    const { design, table, loaded, example } = state;
    if (loaded && loaded !== this.#records) {
      this.#records = loaded;
      this.found = null;
      this.waiting = null;
      this.#done = null;
      this.#give();
    }
    if (!design || state.phase === 'empty' || state.phase === 'failed' || state.phase === 'stopped') {
      if (this.sought) this.#give();
      return;
    }
    const wanted = this.#wanted(design, table);
    if (this.sought !== null && this.sought !== wanted) this.#give();
    if (this.#answered(design) || wanted === this.#done) return;
    if (this.sought === null && (example === null || this.found) && design.queries?.length)
      this.#seek(wanted, PAUSE);
    if (this.sought === wanted && this.#paused) void this.#begin();
  }

  /** Searches for the design on show. */
  start() {
    const { design, table } = state;
    if (!design) return;
    this.#give();
    this.#seek(this.#wanted(design, table), 0);
  }

  /** Stops the search. */
  cancel() {
    this.#done = this.sought;
    this.#give();
    this.problem = /** @type {Problem & { cancelled: boolean }} */ ({
      code: 'suggest.cancelled',
      cancelled: true,
    });
    this.#tell();
  }

  /** Shows what came while the rows were in use. */
  take() {
    if (!this.waiting || this.#inUse()) return;
    this.found = this.waiting;
    this.waiting = null;
    this.#tell();
  }

  /** @param {Design} design @param {number} table */
  #wanted(design, table) {
    return `${questionOf(design, table)} ${keysOf(design)}`;
  }

  /** True if the rows found include the design as it is. @param {Design} design */
  #answered(design) {
    const { found } = this;
    return Boolean(this.current && found && ownOf(found.rows, design));
  }

  /** @param {string} wanted @param {number} pause */
  #seek(wanted, pause) {
    this.sought = wanted;
    this.problem = null;
    this.#paused = false;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#paused = true;
      this.follow();
    }, pause);
    this.#tell();
  }

  /** Gives up what is sought. */
  #give() {
    clearTimeout(this.#pause);
    this.sought = null;
    this.#paused = false;
    this.progress = null;
    this.soFar = undefined;
    if (this.#running) stopSearch();
    this.#running = 0;
  }

  /** Asks the worker, once it has drawn and judged the design. */
  async #begin() {
    const { design, table, view, phase, counting, findings, loaded } = state;
    if (this.#running || !design || !view || !loaded || phase !== 'ready' || counting || !findings) return;
    this.#running = ++this.#last;
    const mine = this.#running;
    const wanted = this.sought;
    const stale = () => mine !== this.#running;
    try {
      const found = await ask(design, table, (progress) => {
        // It may have begun after it was given up.
        if (stale()) return this.#running ? undefined : stopSearch();
        this.progress = progress;
        this.soFar = progress.shortlist ?? this.soFar;
        this.#tell();
      });
      if (stale()) return;
      this.#done = wanted;
      this.waiting = found;
      if (!this.found) this.found = found;
    } catch (error) {
      if (stale()) return;
      this.#done = wanted;
      const refusal = /** @type {Problem & { cancelled?: boolean }} */ (error);
      this.problem = refusal;
    }
    this.#running = 0;
    this.#give();
    if (this.found === this.waiting) this.waiting = null;
    this.take();
    this.#tell();
  }
}

/**
 * @param {Design} design
 * @param {number} table
 * @param {(progress: SearchProgress) => void} progress
 * @returns {Promise<Found>}
 */
async function ask(design, table, progress) {
  const study = studyOf(design, table);
  const held = state.view?.sample?.of ?? state.view?.held ?? 0;
  const queries = (design.queries ?? []).map(({ name }, index) => name || String(index + 1));
  /** @type {import('../../types.d.ts').QueryAnswer | null} */
  const own = queries.length
    ? await askRecords('queries', { document: JSON.stringify(design), table })
    : null;
  /** @type {Suggestions} */
  const answer = await askRecords('suggest', { study: JSON.stringify(study) }, progress);
  return {
    answer,
    rows: rowsOf(answer, tablesOf(study)[0].splits, own?.plans ?? [], held),
    servers: serversOf(study, answer),
    queries,
    question: questionOf(design, table),
    design,
  };
}
