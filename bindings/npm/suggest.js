// Row keys suggested for a study and records.

import { heldColumns } from './compare.js';
import { call, RowscapeError, wrongKind } from './error.js';
import { documentText, json } from './given.js';
import { checkOptions, read, turn, unfinished } from './reading.js';
import { isSource } from './sources.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Problem } from './error.js' */
/** @import { Encoding, Progress, Source } from './reading.js' */
/** @import { Field } from './rowkeys.js' */
/** @import { Columns } from './compare.js' */

/**
 * A sentence with its code and arguments, and the kind of records that it is about where the table has several; `suggest.` codes are stable.
 * @typedef {{ code: string, args: Record<string, string>, message: string, kind?: string }} Note
 */

/**
 * Scores of a design; less is better in each.
 * @typedef {object} Scores
 * @property {number} hottestRegion largest share of the writes that one region takes at any one time, from 0 to 1
 * @property {number} hottestServer the same of a region server; an even spread over n servers is 1/n. For several tables the sum
 * @property {number} reads cost of all queries, in units per second; a unit is one request served from cache
 * @property {number} [updates] units per second that adding records takes besides their own puts; absent where it takes none
 * @property {number} latency units of the longest scan of a query, the mean by rate
 * @property {number} readHottestServer largest share of the requests that one server answers, from 0 to 1
 * @property {number} keyBytes mean bytes of a key, added up over the tables
 * @property {number} bytesPerRow mean bytes of a row as stored, added up over the tables
 * @property {number} encodedBytesPerRow approximate bytes of a row with FAST_DIFF encoding
 * @property {number} tables number of tables
 * @property {number[]} regions number of regions of each table
 * @property {number} repeatedRows rows that share a key with another row
 * @property {Record<string, [number, number]>} intervals 95% confidence intervals of scores from drawn values, such as `reads`
 */

/**
 * How a suggestion answers a query, for the values that the query names; `cost` and `latency` are means over drawn values.
 * @typedef {object} SuggestedQuery
 * @property {string} name
 * @property {string} table name of the table that it reads
 * @property {'nothing' | 'get' | 'scan' | 'fullScan'} kind
 * @property {number} scans number of scan ranges
 * @property {number} regions number of regions that they touch
 * @property {number} blocks number of blocks that they read
 * @property {number} rowsRead rows that they read, up to the limit of the query
 * @property {number} rowsReturned rows that they return
 * @property {boolean} filter whether a filter drops rows that do not match
 * @property {boolean} exact whether every row read matches
 * @property {boolean} [sorted] whether rows arrive in the order that the query asks for; absent if it asks for none
 * @property {number} cost in units
 * @property {number} latency units of the longest scan
 */

/**
 * A suggestion with one choice taken back; `change`: its scores minus those of the suggestion.
 * @typedef {{ choice: Note, rowkey: string, change: Pick<Scores, 'hottestRegion' | 'hottestServer' | 'reads' | 'bytesPerRow' | 'repeatedRows'> }} TakenBack
 */

/**
 * A suggested design.
 * @typedef {object} Suggestion
 * @property {Record<string, unknown>} design the whole design document, for `parseDesign`
 * @property {string[]} rowkeys the formula of each table; of a table with several kinds of records, those of its kinds in one text
 * @property {{ kind: string, rowkey: string }[]} [kinds] the formula of each kind of records, where the table has several
 * @property {'wide' | 'pages'} [shape] what records are in its table, where they are not rows of their own: cells of one row, or parts of
 *   cells that all records of a row share
 * @property {string} label the first of `labels`, or `alternative`
 * @property {string[]} labels what it is best in: `balanced`, `spreads-writes`, `cheapest-reads`, `shortest-keys`, `closest` (to the
 *   baseline), `one-region`, `wide-rows`, `pages`
 * @property {Scores} scores on all records
 * @property {SuggestedQuery[]} queries
 * @property {Note[]} reasons why each part of the key is there
 * @property {TakenBack[]} without what each choice is worth
 * @property {string[][]} ties the row keys of designs whose scores differ by no more than the sample can tell
 * @property {string[]} [sensitive] constants of the cost model: with half or twice of one, another design has its place
 * @property {{ rewritten: number, moved: number }} [moves] with a baseline: rows with another key, rows in another region
 */

/**
 * The profile of a field in the records.
 * @typedef {object} FieldProfile
 * @property {string} name
 * @property {string} type
 * @property {number} distinct number of distinct values
 * @property {number} missing rows without a usable value
 * @property {number} topShare share of the rows with the most frequent value, from 0 to 1
 * @property {number} [rises] share of the steps between windows of time in which its values rise, from 0 to 1
 * @property {boolean} followsArrival whether it rises with time
 * @property {[number, number]} lengths shortest and longest text, in bytes
 * @property {string} [constantPrefix] prefix of all its texts
 * @property {[number, number]} [range] least and greatest number
 * @property {boolean} unique whether no two rows share a value
 * @property {boolean} uniqueByLuck whether it is unique only because there are few records
 * @property {string[]} [uniqueWith] fields that it is unique together with
 * @property {string[]} [dependsOn] fields that each determine its value
 */

/**
 * Suggested row keys; `schema/suggest-1.schema.json` describes the same.
 * @typedef {object} Suggestions
 * @property {Suggestion[]} suggestions at most 7, the balanced one first; if there is none, `notes` has the reason
 * @property {FrontDesign[]} front designs that no other beats in every score, at most 60;
 *   `suggestion`: its 0-based index in `suggestions`
 * @property {number} cover the worst factor by which a design of the front beats the nearest suggestion in a score
 * @property {{ rowkey: string, scores: Scores }} [baseline] the row key of the study, if it has one
 * @property {FieldProfile[]} profile
 * @property {{ rounds: { rows: number, candidates: number, kept: number }[], sets: number,
 *   alternatives: { name: 'time-first' | 'random-salt' | 'full-hash', rowkey: string, scores: Scores, reason: Note }[] }} considered
 *   the rounds of the search; well-known row keys and why they lost
 * @property {Note[]} notes what the study lacks and what was assumed instead
 * @property {number} rows number of records that the scores stand for
 * @property {Record<string, number>} cost the constants of the cost model
 */

/**
 * Bounds and leanings of the search; docs/suggest.md has the cost model.
 * @typedef {object} SearchOptions
 * @property {1 | 2 | 3} [tables] most tables of a suggestion, default 2
 * @property {number} [regions] most regions of a table, default 4 per server and at most 64
 * @property {'balanced' | 'writes' | 'reads' | 'bytes'} [prefer] what the first suggestion favors, default `balanced`
 * @property {boolean} [allowRandomSalt] whether a random salt may be suggested, default false
 * @property {string[]} [keep] fields that every key contains, or a formula that every key starts with
 * @property {Record<string, number>} [cost] constants of the cost model, such as `seek`
 * @property {number} [seed] draws other values for the queries, default 0
 */

/** A design that no other beats in every score: the row key of each table. @typedef {{ rowkeys: string[], shape?: 'wide' | 'pages', scores: Scores, suggestion?: number }} FrontDesign */

/**
 * Progress of a search: `done` is the share of the whole, from 0 to 1. Once, with the phase `shortlist`, the best designs so far, with the
 * scores of a sample.
 * @typedef {{ phase: 'profile' | 'orders' | 'sample' | 'shortlist' | 'measure' | 'near' | 'tables' | 'final', done: number, shortlist?: FrontDesign[] }} SearchProgress
 */

/** Progress: of reading a source, then of the search. @typedef {({ stage: 'read' } & Progress) | ({ stage: 'search' } & SearchProgress)} SuggestProgress */

/**
 * Options of reading and of its course.
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: SuggestProgress) => void, name?: string, encoding?: Encoding }} CourseOptions
 */

/** Milliseconds of a step of the search, after which others have their turn. */
const STEP = 40;

/**
 * Suggests row keys for records and queries, each measured on the records. The search runs on the current thread in steps of about
 * 40 ms, so timers and events are served meanwhile.
 * @param {string | object} study a design document without `rowkey`, as JSON text or as an object: fields, arrival, queries, servers.
 *   With `rowkey` that key is the baseline
 * @param {Source | Columns} data the records: a source as for `Design.analyze`, or one list per field as for `compare`
 * @param {SearchOptions & CourseOptions} [options] signal: ends the search; onProgress: is told before the search and after each step;
 *   name: name of the file, for errors; encoding: of a source without a byte order mark, default UTF-8
 * @returns {Promise<Suggestions>}
 * @throws {RowscapeError} for a study with problems, each with its path in `problems`; for invalid options
 *   (`suggest.wrong-options`); if the source has no records or is damaged. The reason of the signal if it aborts
 */
export async function suggest(study, data, options = {}) {
  if (typeof options !== 'object' || options === null) throw wrongKind('options', 'an object', options);
  const { signal, onProgress, name, encoding, ...wanted } = options;
  checkOptions(options);
  const text = documentText(study, 'study');
  const asked = json(wanted, 'options');
  const fields = call(() => wasm.studyFields(text));
  const records = await held(text, fields, data, { signal, onProgress, name, encoding });
  try {
    return await searched(
      call(() => new wasm.Search(records, text, asked)),
      { signal, onProgress },
    );
  } finally {
    records.free();
  }
}

/**
 * The records in the wasm module.
 * @param {string} study
 * @param {readonly Field[]} fields
 * @param {Source | Columns} data
 * @param {CourseOptions} options
 */
async function held(study, fields, data, { onProgress, ...options }) {
  if (!isSource(data)) return call(() => heldColumns(study, fields, data));
  const records = await read(fields, data, {
    ...options,
    onProgress: onProgress && ((progress) => onProgress({ stage: 'read', ...progress })),
  });
  const broken = unfinished(records);
  if (!broken) return records;
  records.free();
  throw new RowscapeError(broken);
}

/**
 * @param {wasm.Search} search
 * @param {CourseOptions} options
 * @returns {Promise<Suggestions>}
 */
async function searched(search, { signal, onProgress }) {
  try {
    for (;;) {
      onProgress?.({ stage: 'search', ...search.progress() });
      await turn(signal);
      const found = call(() => search.step(STEP));
      if (found) return found;
    }
  } finally {
    search.free();
  }
}
