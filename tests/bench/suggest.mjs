// Row keys suggested natively and in wasm: time to the first shortlist and to the answer, the longest silence between, and memory.
//   node tests/bench/suggest.mjs     this alone
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './setup.mjs';

/**
 * A study of the bench: milliseconds of its best run. `silent` is the longest time between two reports of progress, `memory` the
 * bytes of the wasm module.
 * @typedef {{ name: string, shortlist: number, total: number, silent: number, memory?: number }} SuggestRun
 */

/** Runs of each study, of which the best counts. */
const ROUNDS = 3;
const DATA = 'tests/bench/out';

/** Most milliseconds and bytes by study, in the order in which `suggest.rs` runs them: natively, then in wasm. */
const LIMITS = [
  { shortlist: 1000, total: 2000, silent: 100 },
  { shortlist: 1000, total: 3000, silent: 100 },
  { shortlist: 1000, total: 2000, silent: 100, memory: 300_000_000 },
  { shortlist: 1000, total: 5000, silent: 100, memory: 300_000_000 },
];

/** The best of some runs of the same study. @param {SuggestRun[]} runs @returns {SuggestRun} */
function best(runs) {
  const least = (/** @type {'shortlist' | 'total' | 'silent' | 'memory'} */ member) =>
    Math.min(...runs.map((run) => /** @type {number} */ (run[member])));
  const run = {
    name: runs[0].name,
    shortlist: least('shortlist'),
    total: least('total'),
    silent: least('silent'),
  };
  return runs[0].memory === undefined ? run : { ...run, memory: least('memory') };
}

/** A study in wasm, each time in a process of its own. @param {string} name @param {number} study @returns {SuggestRun} */
function inWasm(name, study) {
  const files = ['json', 'csv'].map((type) => join(DATA, `suggest-${study}.${type}`));
  const run = execFileSync('node', ['tests/bench/ours/suggest.mjs', ...files], { encoding: 'utf8' });
  return { ...JSON.parse(run), name: `${name}, in wasm` };
}

/** The best of some runs of each study. @returns {Promise<SuggestRun[]>} */
export async function suggestRuns() {
  const { tools, failed } = await prepare(['suggest', 'wasm']);
  if (!tools.suggest) throw new Error(failed.suggest);
  if (!tools.wasm) throw new Error(failed.wasm);
  execFileSync(tools.suggest, [DATA]);
  const natively = Array.from({ length: ROUNDS }, () =>
    execFileSync(tools.suggest, { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => /** @type {SuggestRun} */ (JSON.parse(line))),
  );
  const names = natively[0].map(({ name }) => name);
  const all = Array.from({ length: ROUNDS }, (_, round) => [
    ...natively[round],
    ...names.map((name, study) => inWasm(name, study)),
  ]);
  return all[0].map((_, study) => best(all.map((runs) => runs[study])));
}

/** Runs that take more than they may. @param {SuggestRun[]} runs */
export const suggestFaults = (runs) =>
  runs.flatMap((run, study) =>
    Object.entries(LIMITS[study] ?? {})
      .filter(([member, limit]) => /** @type {any} */ (run)[member] > limit)
      .map(([member, limit]) => {
        const took = Math.round(/** @type {any} */ (run)[member]);
        const unit = member === 'memory' ? 'bytes' : 'ms';
        return `suggest, ${run.name}, ${member}: ${took} ${unit}, at most ${limit} is wanted`;
      }),
  );

/** The runs in words. @param {SuggestRun[]} runs */
export const suggestLines = (runs) =>
  runs
    .map(({ name, shortlist, total, silent, memory }) => {
      const times = `shortlist ${Math.round(shortlist)} ms, answer ${Math.round(total)} ms, longest step ${Math.round(silent)} ms`;
      const bytes = memory === undefined ? '' : `, ${Math.round(memory / 1e6)} MB of wasm memory`;
      return `Row keys suggested for ${name}: ${times}${bytes}`;
    })
    .join('\n');

if (process.argv[1] === import.meta.filename) {
  const runs = await suggestRuns();
  console.log(suggestLines(runs));
  const faults = suggestFaults(runs);
  for (const fault of faults) console.error(`FAILED: ${fault}`);
  process.exitCode = faults.length ? 1 : 0;
}
