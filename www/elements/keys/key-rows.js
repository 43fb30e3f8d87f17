import { tablesOf } from '../../design/document.js';
import { decimal, percent } from '../../text/format.js';

/** @import { Design, Fix, FrontDesign, Note, QueryPlan, Scores, Splits, SuggestedQuery, Suggestion, Suggestions } from '../../types.d.ts' */

/**
 * The cost of a query under a key.
 * @typedef {Pick<SuggestedQuery, 'kind' | 'scans' | 'rowsRead'>} KeyCost
 */
/**
 * A key with its figures: a line of the shortlist.
 * @typedef {object} KeyRow
 * @property {string} id
 * @property {string[]} rowkeys one per table
 * @property {Splits[]} splits one per table
 * @property {string} label code of what it is best in
 * @property {Scores | null} scores none for a key that is not measured yet
 * @property {(KeyCost | null)[]} costs of each query, null where none is known
 * @property {Note[]} reasons
 * @property {Suggestion | null} suggestion none for the key that the design had when the search began
 */

/** A score this much larger is worse. */
const WORSE = 1.05;

/**
 * The design that a search begins with: that of one table, which all queries are put to.
 * @param {Design} design
 * @param {number} index of the table
 */
export function studyOf(design, index) {
  const { generate: _, ...study } = design;
  const { tables } = study;
  if (!tables) return study;
  const queries = study.queries?.map(({ table: _, ...query }) => query);
  return { ...study, tables: [tables[index] ?? tables[0]], ...(queries && { queries }) };
}

/**
 * All of a design that suggestions depend on, besides its key and its splits.
 * @param {Design} design
 * @param {number} index of the table
 */
export function questionOf(design, index) {
  const {
    rowkey: _,
    rowkeys: __,
    splits: ___,
    name: ____,
    ...asked
  } = tablesOf(design)[index] ?? tablesOf(design)[0];
  const { queries, growth, cluster, identity } = design;
  return JSON.stringify([asked, queries, growth, cluster, identity, design.writesPerSecond]);
}

/** The row keys of a design. @param {Design} design */
export const keysOf = (design) => JSON.stringify(tablesOf(design).map(({ rowkeys }) => rowkeys));

/**
 * Servers that a search reckons with.
 * @param {Design} design that it began with
 * @param {Suggestions} answer
 */
export function serversOf(design, { notes }) {
  const assumed = notes.find(({ code }) => code === 'suggest.no-servers')?.args.servers;
  return tablesOf(design)[0]?.servers ?? Number(assumed ?? 1);
}

/**
 * The lines of the shortlist: the key of the design, then the suggestions.
 * @param {Suggestions} answer
 * @param {Splits} splits of the design
 * @param {QueryPlan[]} plans of its own key
 * @param {number} held records that these were counted on
 * @returns {KeyRow[]}
 */
export function rowsOf({ suggestions, baseline, rows: measured }, splits, plans, held) {
  const rows = suggestions.map((suggestion, index) => ({
    id: `suggested-${index}`,
    rowkeys: suggestion.rowkeys,
    splits: tablesOf(/** @type {Design} */ (suggestion.design)).map(({ splits }) => splits),
    label: `suggest.label-${suggestion.label}`,
    scores: suggestion.scores,
    costs: suggestion.queries,
    reasons: suggestion.reasons,
    suggestion,
  }));
  if (!baseline) return rows;
  const own = {
    id: 'own',
    rowkeys: [baseline.rowkey],
    splits: [splits],
    label: 'page.shortlist-before',
    scores: baseline.scores,
    costs: plans.map((plan) => costOf(plan, measured / Math.max(measured, held))),
    reasons: losses(baseline.scores, suggestions[0]?.scores),
    suggestion: null,
  };
  return [own, ...rows];
}

/** @param {QueryPlan} plan @param {number} part of the rows that the suggestions were measured on @returns {KeyCost | null} */
function costOf({ kind, rangeCount, counted, limited }, part) {
  const rows = limited ?? counted;
  return kind && rows ? { kind, scans: rangeCount, rowsRead: Math.round(rows.read * part) } : null;
}

/**
 * The line of the key on show, while the list does not have it: its questions are planned sooner than it is measured.
 * @param {Design} design
 * @param {number} index of the table
 * @param {QueryPlan[]} plans
 * @returns {KeyRow}
 */
export function rowOfNow(design, index, plans) {
  const { rowkeys, splits } = tablesOf(design)[index];
  return {
    id: 'now',
    rowkeys: [rowkeys],
    splits: [splits],
    label: 'page.shortlist-own',
    scores: null,
    costs: plans.map((plan) => costOf(plan, 1)),
    reasons: [],
    suggestion: null,
  };
}

/** The rows of the first designs found, without what queries cost. @param {FrontDesign[]} designs @returns {KeyRow[]} */
export const rowsSoFar = (designs) =>
  designs.map(({ rowkeys, scores }, index) => ({
    id: `so-far-${index}`,
    rowkeys,
    splits: [],
    label: '',
    scores,
    costs: [],
    reasons: [],
    suggestion: null,
  }));

/**
 * Losses of a key against the best one, the largest first.
 * @param {Scores} own
 * @param {Scores | undefined} best
 * @returns {Note[]}
 */
function losses(own, best) {
  if (!best) return [];
  return [
    { name: 'writes', now: own.hottestServer, least: best.hottestServer, say: percent },
    { name: 'reads', now: own.reads, least: best.reads, say: decimal },
    { name: 'bytes', now: own.bytesPerRow, least: best.bytesPerRow, say: decimal },
  ]
    .filter(({ now, least }) => now > least * WORSE)
    .sort((a, b) => b.now / b.least - a.now / a.least)
    .map(({ name, now, least, say }) => ({
      code: `suggest.lost-${name}`,
      args: { own: say(now), best: say(least) },
    }));
}

/**
 * The row with the key of the design: of several the one with its splits, too.
 * @param {KeyRow[]} rows
 * @param {Design} design on show
 */
export function ownOf(rows, design) {
  const same = rows.filter(({ rowkeys }) => JSON.stringify(rowkeys) === keysOf(design));
  return same.find((row) => isUsed(row, design)) ?? same[0];
}

/**
 * True if the design has the key and the splits of a row.
 * @param {KeyRow} row
 * @param {Design} design on show
 */
export const isUsed = ({ rowkeys, splits, suggestion }, design) =>
  JSON.stringify(tablesOf(design).map((table) => [table.rowkeys, table.splits])) ===
    JSON.stringify(rowkeys.map((rowkey, at) => [rowkey, splits[at]])) &&
  (!suggestion?.shape || familiesOf(/** @type {Design} */ (suggestion.design)) === familiesOf(design));

/** The families of the first table. @param {Design} design */
const familiesOf = (design) => JSON.stringify(tablesOf(design)[0].families);

/**
 * Servers that share the writes at any one time, as one figure. Each row is written to each table.
 * @param {Scores} scores
 * @param {number} servers
 */
export const sharing = ({ hottestServer, tables }, servers) =>
  Math.min(servers, tables / Math.max(hottestServer, tables / servers));

/**
 * The members of a design that a suggestion replaces.
 * @param {Suggestion} suggestion
 * @param {Design} design
 * @param {number} index of the table whose place it takes
 * @returns {Fix}
 */
export function fixOf({ design: suggested, rowkeys, shape, kinds }, design, index) {
  const { tables = [] } = /** @type {Design} */ (suggested);
  if (tables.length < 2 && !shape && !kinds)
    return { rowkey: rowkeys[0], splits: tablesOf(/** @type {Design} */ (suggested))[0].splits };
  const { servers } = tablesOf(design)[index];
  const own = tables.map(({ servers: _, ...table }) =>
    servers === undefined ? table : { ...table, servers },
  );
  return {
    rowkey: rowkeys[0],
    tables: /** @type {Fix['tables']} */ (design.tables ? design.tables.toSpliced(index, 1, ...own) : own),
  };
}
