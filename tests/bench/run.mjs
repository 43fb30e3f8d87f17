// npm run bench -- [--quick] [--check] [--only REGEX] [--json FILE]
// --check: one round without limits, to see that everything runs and that the results of the main job agree.
// The main job on 1,000,000 call records, ours and others side by side in one run. docs/performance.md tells how.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { Contest } from './contest.mjs';
import {
  ANALYSER,
  ANALYSER_RUN,
  CONTESTANTS,
  EXPERT_IN_NODE,
  NATIVE,
  PAGE,
  WASM_IN_NODE,
} from './contestants.mjs';
import { blockingLine, blockingTasks, MOST_TASK } from './page/blocking.mjs';
import { slicesFaults, slicesLines, slicesRun } from './page/slices.mjs';
import { MOST_SCRIPT, zoomFrames, zoomLine } from './page/zoom.mjs';
import { Race, runsByName, say, stopAll } from './race.mjs';
import { callRecords, prepare, requotedRecords } from './setup.mjs';
import { suggestFaults, suggestLines, suggestRuns } from './suggest.mjs';
import { analyserTable, ratiosTable, redrawTable, sizesTable, stagesTable, verdictTable } from './tables.mjs';
import { judge, MAIN_ROWS, REQUOTED, SIZES } from './targets.mjs';
import { threadFaults, threadLines, threadRuns } from './threads.mjs';

const CHECK =
  '0000dda3_13711512527_20240501143547|ffff505f_13220643964_20240501205918|955657353|13772030556:45207|13504739884:3070|57009.5|115238|0.251779';
const OURS = [PAGE, WASM_IN_NODE, NATIVE];
/** A short run is easily disturbed: it gets more tries. */
const REPEATS_WHEN_SMALL = 5;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});
const quick = options.quick || options.check;
const usual = options.quick ? 3 : 7;
const rounds = options.check ? 1 : usual;
const sizes = quick ? SIZES.filter((rows) => rows <= MAIN_ROWS) : SIZES;
const wanted = CONTESTANTS.filter(
  ({ name, required }) => new RegExp(options.only, 'i').test(name) && (required || !quick),
);
const prepared = await prepare([...new Set(wanted.flatMap(({ needs }) => needs))]);
const race = new Race(prepared);

/** The slide of the split slider, by contestant. @param {import('./race.mjs').Entry[]} entries */
async function slides(entries) {
  /** @type {Map<string, number[]>} */
  const redraw = new Map();
  for (const { contest, shape } of entries) {
    if (!OURS.includes(contest.name)) continue;
    const { redraw: times } = await contest.run({ shape, slide: true });
    redraw.set(contest.name, times);
  }
  return redraw;
}

/** The check line of a file that has no known one, as the expert's JavaScript gives it. @param {string} csv */
async function expertsCheck(csv) {
  const expert = CONTESTANTS.find(({ name }) => name === EXPERT_IN_NODE);
  if (!prepared.tools.npm || !expert) return undefined;
  const contest = new Contest(expert.name, expert.command(csv, prepared.tools));
  await contest.start();
  const { check } = await contest.run({});
  await contest.stop();
  return check;
}

/** Files of other sizes and of the other form, ours only, in common rounds: runs by file, then by contestant. */
async function raceVariants() {
  const ours = wanted.filter(({ name }) => OURS.includes(name));
  if (!ours.length) return new Map();
  /** @type {Map<string, import('./race.mjs').Entry[]>} */
  const entriesOf = new Map();
  for (const rows of sizes) {
    const csv = callRecords(rows);
    const expected = rows === MAIN_ROWS ? CHECK : await expertsCheck(csv);
    const repeats = rows < MAIN_ROWS ? REPEATS_WHEN_SMALL : 1;
    say(`on ${csv}`);
    entriesOf.set(String(rows), await race.enter(ours, { csv, shape: 'calls', expected, repeats }));
  }
  const csv = requotedRecords(MAIN_ROWS);
  say(`on ${csv}`);
  entriesOf.set(REQUOTED, await race.enter(ours, { csv, shape: 'requoted', expected: CHECK }));
  await race.run([...entriesOf.values()].flat(), rounds);
  await stopAll([...entriesOf.values()].flat());
  return new Map([...entriesOf].map(([key, entries]) => [key, runsByName(entries)]));
}

/** Measures the work besides the main job. */
async function raceAnalyser() {
  if (!new RegExp(options.only, 'i').test(ANALYSER)) return [];
  const entries = await race.enter([ANALYSER_RUN], { csv: callRecords(MAIN_ROWS), shape: 'calls' });
  await race.run(entries, rounds);
  await stopAll(entries);
  return runsByName(entries).get(ANALYSER) ?? [];
}

const entries = await race.enter(wanted, { csv: callRecords(MAIN_ROWS), shape: 'calls', expected: CHECK });
await race.run(entries, rounds);
const redraw = await slides(entries);
await stopAll(entries);
const results = {
  main: runsByName(entries),
  redraw,
  variants: await raceVariants(),
  analyser: await raceAnalyser(),
};
const withPage = wanted.some(({ name }) => name === PAGE);
const zoom = withPage ? await zoomFrames() : null;
const blocking = withPage ? await blockingTasks() : {};
const suggested = wanted.some(({ name }) => name === NATIVE) ? await suggestRuns() : [];
const threaded = !quick && wanted.some(({ name }) => name === NATIVE) ? await threadRuns() : [];
const sliced = !quick && withPage ? await slicesRun() : null;
const judged = judge(results);
const missed = judged.filter(({ reached }) => reached === false);
/** Limits that were missed. @type {string[]} */
const slow = [
  ...suggestFaults(suggested),
  ...threadFaults(threaded),
  ...(sliced ? slicesFaults(sliced) : []),
];
for (const { what, measured, limit } of missed)
  slow.push(`${what}: ${measured?.toFixed(3)}, at most ${limit.toFixed(3)} is wanted`);

if (zoom && zoom.script.p95 > MOST_SCRIPT)
  slow.push(`script of a zoom frame: ${zoom.script.p95.toFixed(1)} ms, at most ${MOST_SCRIPT} is wanted`);
for (const [what, took] of Object.entries(blocking)) {
  if (took > MOST_TASK)
    slow.push(`longest task while ${what}: ${took.toFixed(1)} ms, at most ${MOST_TASK} is wanted`);
}
// One round on a busy machine says nothing of times.
const faults = options.check ? race.faults : [...race.faults, ...slow];

const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, load ${os.loadavg()[0]?.toFixed(2)}`;
const versions = entries.map(({ contest }) => `${contest.name}: ${contest.version}`);
const named = [...(results.variants.get(String(MAIN_ROWS))?.keys() ?? [])];
console.log(
  [
    `Best of ${rounds} rounds in which contestants take turns. ${machine}\n${versions.join('; ')}`,
    `${stagesTable(results.main)}\n\n–: counted in the stage to the right, or not known`,
    ratiosTable(results.main),
    redrawTable(results.redraw),
    analyserTable(results.analyser),
    ...(suggested.length ? [suggestLines(suggested)] : []),
    ...(threaded.length ? [threadLines(threaded)] : []),
    ...(sliced ? [slicesLines(sliced)] : []),
    ...(zoom ? [zoomLine(zoom), blockingLine(blocking)] : []),
    sizesTable(results, named),
    verdictTable(judged),
  ].join('\n\n'),
);
if (wanted.length < CONTESTANTS.length) {
  console.log(`\nOnly ${wanted.length} of ${CONTESTANTS.length} contestants were asked to run.`);
}
if (options.json) {
  const asObject = (/** @type {string} */ _, /** @type {unknown} */ value) =>
    value instanceof Map ? Object.fromEntries(value) : value;
  const record = {
    machine,
    versions,
    rounds,
    ...results,
    suggested,
    threaded,
    sliced,
    zoom,
    blocking,
    judged,
    faults,
  };
  writeFileSync(options.json, `${JSON.stringify(record, asObject, 2)}\n`);
}
for (const fault of faults) console.error(`FAILED: ${fault}`);
process.exitCode = faults.length ? 1 : 0;
