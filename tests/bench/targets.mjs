// Targets of the bench, and how they are measured. Every measure is "at most": a ratio of times, milliseconds, megabytes.

import { quantile, totals } from './contest.mjs';
import { DUCKDB_WASM, EXPERT, NATIVE, PAGE, PAPA, WASM_IN_NODE } from './contestants.mjs';

/**
 * @typedef {import('./contest.mjs').Run} Run
 * @typedef {object} Target
 * @property {string} what
 * @property {number} limit
 * @property {(results: Results) => number | undefined} measure
 * @typedef {object} Results
 * @property {Map<string, Run[]>} main runs on 1,000,000 records, by contestant
 * @property {Map<string, number[]>} redraw milliseconds of each redraw of the slide, by contestant
 * @property {Map<string, Map<string, Run[]>>} variants runs by file, then by contestant
 * @property {Run[]} analyser runs of `ours/analyser.mjs`
 */

/** Rows of the files whose cost a row is compared. */
export const SIZES = [100_000, 1_000_000, 4_000_000];
export const MAIN_ROWS = 1_000_000;
export const REQUOTED = 'requoted';

/** @param {Run[] | undefined} runs */
const leastTotal = (runs) => (runs?.length ? Math.min(...totals(runs)) : undefined);

/**
 * Least total of one contestant over another's; undefined while either is missing.
 * @param {Map<string, Run[]>} runs
 * @param {string} ours
 * @param {string} peer
 */
export function ratio(runs, ours, peer) {
  const [a, b] = [leastTotal(runs.get(ours)), leastTotal(runs.get(peer))];
  return a === undefined || b === undefined ? undefined : a / b;
}

/** Nanoseconds a row for each size, as measured in the same rounds. @param {Results} results @param {string} name */
export function costPerRow({ variants }, name) {
  return SIZES.map((rows) => {
    const least = leastTotal(variants.get(String(rows))?.get(name));
    return least === undefined ? undefined : (least * 1e6) / rows;
  });
}

/**
 * A row of the largest file over the cheapest row of a smaller one: whether the work grows faster than the records.
 * The fixed cost of a run makes rows of small files more expensive; the table includes it, this figure does not.
 * @param {Results} results
 * @param {string} name
 */
function growth(results, name) {
  const costs = costPerRow(results, name).filter((cost) => cost !== undefined);
  const largest = costs.pop();
  return largest === undefined || !costs.length ? undefined : largest / Math.min(...costs);
}

/** The requoted file's total over the plain one's. @param {Results} results @param {string} name */
function requotedRatio({ variants }, name) {
  const plain = leastTotal(variants.get(String(MAIN_ROWS))?.get(name));
  const requoted = leastTotal(variants.get(REQUOTED)?.get(name));
  return plain === undefined || requoted === undefined ? undefined : requoted / plain;
}

/** @param {string} peer @param {number} limit @returns {Target} */
const against = (peer, limit) => ({
  what: `time of ${PAGE} ÷ ${peer}`,
  limit,
  measure: ({ main }) => ratio(main, PAGE, peer),
});

/**
 * A target for wasm in Chromium and in Node.
 * @param {string} what
 * @param {number} limit
 * @param {(results: Results, name: string) => number | undefined} measure
 * @returns {Target[]}
 */
const ofBoth = (what, limit, measure) =>
  [PAGE, WASM_IN_NODE].map((name) => ({
    what: `${what}, ${name}`,
    limit,
    measure: (results) => measure(results, name),
  }));

/** The least of a member of the analyser's runs. @param {Run[]} runs @param {string} member */
const least = (runs, member) => Math.min(...runs.map((run) => /** @type {any} */ (run)[member]));

/**
 * A target for the least of a member of the analyser's runs.
 * @param {string} what
 * @param {number} limit
 * @param {(run: Run) => number} member
 * @returns {Target}
 */
const analysed = (what, limit, member) => ({
  what,
  limit,
  measure: ({ analyser }) => (analyser.length ? Math.min(...analyser.map(member)) : undefined),
});

/** @type {Target[]} */
export const TARGETS = [
  against(PAPA, 1 / 8),
  against(DUCKDB_WASM, 1 / 3),
  against(EXPERT, 1),
  against(NATIVE, 2),
  ...ofBoth('redraw after a move of the split slider (ms, 95 of 100)', 50, ({ redraw }, name) => {
    const times = redraw.get(name);
    return times && quantile(times, 0.95);
  }),
  ...ofBoth('peak wasm memory (MiB)', 200, ({ main }, name) => {
    const runs = main.get(name);
    return runs?.length ? Math.max(...runs.map((run) => run.wasmMB)) : undefined;
  }),
  ...ofBoth('a row of the largest file ÷ the cheapest of smaller ones', 1.25, growth),
  ...ofBoth('renamed, reordered, quoted file ÷ plain file', 1.2, requotedRatio),
  {
    what: 'bytes to the full Summary ÷ bytes to regions × time',
    limit: 1.4,
    // Best against best: the least ratio of a run would be that whose counts were disturbed most.
    measure: ({ analyser }) => least(analyser, 'summary') / least(analyser, 'counts') || undefined,
  },
  analysed('plan of a query behind 256 salts (ms)', 1, ({ plan }) => plan),
  analysed('findings after a move of the split slider (ms)', 20, ({ findings }) => findings),
  analysed('a sweep of 32 variants over 1,000,000 records (ms)', 2000, ({ sweep }) => sweep),
];

/** Judges every target that can be judged. @param {Results} results */
export const judge = (results) =>
  TARGETS.map(({ what, limit, measure }) => {
    const measured = measure(results);
    return { what, limit, measured, reached: measured === undefined ? undefined : measured <= limit };
  });
