// Row keys suggested natively: time to the first shortlist and to the answer, and the longest silence between.
//   node tests/bench/suggest.mjs     this alone
import { execFileSync } from 'node:child_process';
import { prepare } from './setup.mjs';

/**
 * A study of the bench: milliseconds of its best run. `silent` is the longest time between two reports of progress.
 * @typedef {{ name: string, shortlist: number, total: number, silent: number }} SuggestRun
 */

/** Runs of each study, of which the best counts. */
const ROUNDS = 3;

/** Most milliseconds by study, in the order in which `suggest.rs` runs them. */
const LIMITS = [
  { shortlist: 1000, total: 2000, silent: 100 },
  { shortlist: 1000, total: 10_000, silent: 100 },
];

/** The best of some runs of each study. @returns {Promise<SuggestRun[]>} */
export async function suggestRuns() {
  const { tools, failed } = await prepare(['suggest']);
  if (!tools.suggest) throw new Error(failed.suggest);
  const rounds = Array.from({ length: ROUNDS }, () =>
    execFileSync(tools.suggest, { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => /** @type {SuggestRun} */ (JSON.parse(line))),
  );
  return rounds[0].map((run, study) => {
    const least = (/** @type {'shortlist' | 'total' | 'silent'} */ member) =>
      Math.min(...rounds.map((runs) => runs[study][member]));
    return { name: run.name, shortlist: least('shortlist'), total: least('total'), silent: least('silent') };
  });
}

/** Runs that take longer than they may. @param {SuggestRun[]} runs */
export const suggestFaults = (runs) =>
  runs.flatMap((run, study) =>
    Object.entries(LIMITS[study] ?? {})
      .filter(([member, limit]) => /** @type {any} */ (run)[member] > limit)
      .map(([member, limit]) => {
        const took = Math.round(/** @type {any} */ (run)[member]);
        return `suggest, ${run.name}, ${member}: ${took} ms, at most ${limit} is wanted`;
      }),
  );

/** The runs in words. @param {SuggestRun[]} runs */
export const suggestLines = (runs) =>
  runs
    .map(
      ({ name, shortlist, total, silent }) =>
        `Row keys suggested for ${name}: shortlist ${Math.round(shortlist)} ms, answer ${Math.round(total)} ms, longest step ${Math.round(silent)} ms`,
    )
    .join('\n');

if (process.argv[1] === import.meta.filename) {
  const runs = await suggestRuns();
  console.log(suggestLines(runs));
  const faults = suggestFaults(runs);
  for (const fault of faults) console.error(`FAILED: ${fault}`);
  process.exitCode = faults.length ? 1 : 0;
}
