// The tables the bench prints, in Markdown.

import { best, quantile, totals } from './contest.mjs';
import { DUCKDB_WASM, EXPERT, EXPERT_IN_NODE, NATIVE, PAGE, PAPA, WASM_IN_NODE } from './contestants.mjs';
import { costPerRow, ratio, SIZES } from './targets.mjs';

const STAGES = ['read', 'parse', 'key', 'sort', 'heat', 'top'];
/** Stages that a contestant can't tell apart are counted under the later one. */
const MERGED = /** @type {Record<string, string>} */ ({ sort: 'key+sort', top: 'heat+top' });
/** @param {number | undefined} x */
const whole = (x) => (x === undefined ? '–' : String(Math.round(x)));
/** @param {number | undefined} x */
const fixed = (x, digits = 2) => (x === undefined ? '–' : x.toFixed(digits));

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/**
 * @typedef {import('./contest.mjs').Run} Run
 * @typedef {import('./targets.mjs').Results} Results
 */

/**
 * Milliseconds by stage of each contestant's best run, the spread of its totals, its memory.
 * @param {Map<string, Run[]>} runsOf
 */
export function stagesTable(runsOf) {
  const rows = [...runsOf]
    .sort(([, x], [, y]) => best(x).total - best(y).total)
    .map(([name, runs]) => {
      const least = best(runs);
      const spread = totals(runs);
      const peak = (/** @type {'peakMB' | 'wasmMB'} */ member) => {
        const seen = runs.map((run) => run[member]).filter((x) => typeof x === 'number');
        return whole(seen.length ? Math.max(...seen) : undefined);
      };
      return [
        name,
        ...STAGES.map((stage) => whole(least[stage] ?? least[MERGED[stage]])),
        whole(least.total),
        whole(quantile(spread, 0.5)),
        whole(Math.max(...spread)),
        peak('peakMB'),
        peak('wasmMB'),
      ];
    });
  return table(['1,000,000 records, ms', ...STAGES, 'best', 'median', 'worst', 'peak MB', 'wasm MiB'], rows);
}

const PAIRS = [
  [PAGE, PAPA],
  [PAGE, 'uDSV tuned, Chromium'],
  [PAGE, DUCKDB_WASM],
  [PAGE, EXPERT],
  [WASM_IN_NODE, EXPERT_IN_NODE],
  [PAGE, NATIVE],
  [WASM_IN_NODE, NATIVE],
  [NATIVE, 'DuckDB native, 2 threads'],
  [NATIVE, 'polars, all cores'],
  [NATIVE, 'Java 17 or later'],
];

/**
 * How many times faster ours is: best against best, and the median over the rounds.
 * @param {Map<string, Run[]>} runsOf
 */
export function ratiosTable(runsOf) {
  const rows = PAIRS.flatMap(([ours, peer]) => {
    const least = ratio(runsOf, ours, peer);
    if (least === undefined) return [];
    const others = totals(runsOf.get(peer) ?? []);
    const rounds = totals(runsOf.get(ours) ?? []).map((total, i) => total / others[i]);
    return [[ours, peer, fixed(least), fixed(quantile(rounds, 0.5)), `${fixed(1 / least, 1)}×`]];
  });
  return table(['Rowscape', 'peer', 'time ratio, best', 'median of rounds', 'faster'], rows);
}

/** @param {Map<string, number[]>} redraw */
export function redrawTable(redraw) {
  const rows = [...redraw].map(([name, times]) => [
    name,
    fixed(quantile(times, 0.5), 1),
    fixed(quantile(times, 0.95), 1),
    fixed(Math.max(...times), 1),
  ]);
  return table(['redraw, 2 to 64 regions, ms', 'median', '95 of 100', 'worst'], rows);
}

/** Milliseconds of each thing the analyser is asked. @param {Run[]} runs */
export function analyserTable(runs) {
  const asked = { counts: 'bytes to regions × time', summary: 'bytes to the full Summary' };
  const later = {
    plan: 'plan behind 256 salts',
    first: 'findings, the first time',
    findings: 'findings after a move of the split slider',
    sweep: 'sweep of 32 variants',
  };
  const rows = Object.entries({ ...asked, ...later }).map(([member, title]) => {
    const times = runs.map((run) => /** @type {number} */ (run[member]));
    return [
      title,
      ...(times.length ? [Math.min(...times), quantile(times, 0.5)] : [undefined, undefined]).map((x) =>
        fixed(x, 1),
      ),
    ];
  });
  return table(['1,000,000 records, wasm in Node, ms', 'best', 'median'], rows);
}

/** @param {Results} results @param {string[]} names */
export function sizesTable(results, names) {
  const rows = names.map((name) => {
    const costs = costPerRow(results, name);
    const known = costs.filter((cost) => cost !== undefined);
    return [name, ...costs.map(whole), fixed(Math.max(...known) / Math.min(...known))];
  });
  const sizes = SIZES.map((rows) => `${rows.toLocaleString('en')} rows`);
  return table(['nanoseconds per row', ...sizes, 'slowest ÷ fastest'], rows);
}

/** @param {ReturnType<typeof import('./targets.mjs').judge>} judged */
export function verdictTable(judged) {
  const rows = judged.map(({ what, limit, measured, reached }) => [
    what,
    fixed(limit, 3),
    fixed(measured, 3),
    reached === undefined ? 'not judged' : reached ? 'reached' : 'MISSED',
    reached === false && measured !== undefined ? `${fixed((measured / limit - 1) * 100, 0)} %` : '',
  ]);
  return table(['target', 'at most', 'measured', '', 'missed by'], rows);
}
