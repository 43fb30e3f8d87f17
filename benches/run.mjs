// npm run bench -- [--quick] [--only REGEX] [--json FILE]
// The main job on 1,000,000 call records, ours and others side by side in one run. docs/performance.md tells how.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { Contest } from './contest.mjs';
import { CONTESTANTS, EXPERT_IN_NODE, NATIVE, PAGE, WASM_IN_NODE } from './contestants.mjs';
import { callRecords, requotedRecords, setUp } from './setup.mjs';
import { ratiosTable, redrawTable, sizesTable, stagesTable, verdictTable } from './tables.mjs';
import { judge, MAIN_ROWS, REQUOTED, SIZES } from './targets.mjs';

const CHECK =
  '0000dda3_13711512527_20240501143547|ffff505f_13220643964_20240501205918|955657353|13772030556:45207|13504739884:3070|57009.5|115238|0.251779';
const OURS = [PAGE, WASM_IN_NODE, NATIVE];
const WARMUPS = 2;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});
const rounds = options.quick ? 3 : 7;
const sizes = options.quick ? SIZES.filter((rows) => rows <= MAIN_ROWS) : SIZES;
const wanted = CONTESTANTS.filter(
  ({ name, required }) => new RegExp(options.only, 'i').test(name) && (required || !options.quick),
);

/** What makes the bench fail, in sentences. */
const faults = /** @type {string[]} */ ([]);
const say = (text) => console.error(`bench: ${text}`);

const { tools, failed } = await setUp([...new Set(wanted.flatMap(({ needs }) => needs))]);

/** A contestant on a file, warmed up; undefined when it can't take part. */
async function enter(contestant, csv, shape, expected) {
  const { name, required, needs, command, warmups = WARMUPS } = contestant;
  const giveUp = (why) => {
    if (required) faults.push(`${name} is required but can't run: ${why}`);
    else say(`${name} is left out: ${why}`);
  };
  const lacking = needs.find((need) => failed[need]);
  if (lacking) return giveUp(failed[lacking]);
  const contest = new Contest(name, command(csv, tools));
  const entry = { contest, shape, expected };
  try {
    await contest.start();
    for (let i = 0; i < warmups; i++) await runOnce(entry, false);
    return entry;
  } catch (error) {
    await contest.stop();
    return giveUp(error.message);
  }
}

/** One run, its check line compared. */
async function runOnce({ contest, shape, expected }, counts) {
  const run = await contest.run({ shape });
  if (expected && run.check !== expected) {
    const fault = `${contest.name} gives another check line: ${run.check}`;
    if (!faults.includes(fault)) faults.push(fault);
  }
  if (counts) contest.runs.push(run);
  return run;
}

/** Rounds in which every entry runs once, so that noise hits all alike. */
async function race(entries) {
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`);
    for (const entry of entries) await runOnce(entry, true);
  }
}

async function enterAll(contestants, csv, shape, expected) {
  const entries = [];
  for (const contestant of contestants) {
    say(`warming up ${contestant.name}`);
    entries.push(await enter(contestant, csv, shape, expected));
  }
  return entries.filter((entry) => entry !== undefined);
}

const runsByName = (entries) => new Map(entries.map(({ contest }) => [contest.name, contest.runs]));
const stopAll = (entries) => Promise.all(entries.map(({ contest }) => contest.stop()));

/** The slide of the split slider, by contestant. */
async function slides(entries) {
  const redraw = new Map();
  for (const { contest, shape } of entries.filter(({ contest }) => OURS.includes(contest.name)))
    redraw.set(contest.name, (await contest.run({ shape, slide: true })).redraw);
  return redraw;
}

/** Files of other sizes and of another shape, ours only, in common rounds. */
async function raceVariants() {
  const ours = wanted.filter(({ name }) => OURS.includes(name));
  if (!ours.length) return new Map();
  const files = new Map(sizes.map((rows) => [String(rows), { csv: callRecords(rows), shape: 'calls' }]));
  files.set(REQUOTED, { csv: requotedRecords(MAIN_ROWS), shape: 'requoted' });
  const entriesOf = new Map();
  for (const [key, { csv, shape }] of files) {
    say(`ours on ${csv}`);
    const isMain = shape === 'requoted' || key === String(MAIN_ROWS);
    entriesOf.set(key, await enterAll(ours, csv, shape, isMain ? CHECK : await expertsCheck(csv)));
  }
  await race([...entriesOf.values()].flat());
  await stopAll([...entriesOf.values()].flat());
  return new Map([...entriesOf].map(([key, entries]) => [key, runsByName(entries)]));
}

/** The check line of a file that has no known one, as the expert's JavaScript gives it. */
async function expertsCheck(csv) {
  const expert = CONTESTANTS.find(({ name }) => name === EXPERT_IN_NODE);
  if (!tools.npm || !expert) return undefined;
  const contest = new Contest(expert.name, expert.command(csv, tools));
  await contest.start();
  const { check } = await contest.run({});
  await contest.stop();
  return check;
}

const entries = await enterAll(wanted, callRecords(MAIN_ROWS), 'calls', CHECK);
await race(entries);
const redraw = await slides(entries);
await stopAll(entries);
const main = runsByName(entries);
const results = { main, redraw, variants: await raceVariants() };
const judged = judge(results);
for (const { what, measured, limit, reached } of judged)
  if (reached === false) faults.push(`${what}: ${measured?.toFixed(3)}, at most ${limit.toFixed(3)} is wanted`);

const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, load ${os.loadavg()[0]?.toFixed(2)}`;
const versions = entries.map(({ contest }) => `${contest.name}: ${contest.version}`);
console.log(`Best of ${rounds} rounds; all contestants take turns. ${machine}\n${versions.join('; ')}\n`);
console.log(`${stagesTable(main)}\n–: counted in the stage to the right, or not known\n`);
console.log(`${ratiosTable(main)}\n`);
console.log(`${redrawTable(redraw)}\n`);
console.log(`${sizesTable(results, [...(results.variants.get(String(MAIN_ROWS))?.keys() ?? [])])}\n`);
console.log(verdictTable(judged));
if (options.only) console.log(`\nOnly ${wanted.length} of ${CONTESTANTS.length} contestants ran (--only).`);
if (options.json) {
  const plain = (value) => (value instanceof Map ? Object.fromEntries([...value].map(([k, v]) => [k, plain(v)])) : value);
  const { main, redraw, variants } = results;
  const record = { machine, versions, rounds, main: plain(main), redraw: plain(redraw), variants: plain(variants), judged, faults };
  writeFileSync(options.json, `${JSON.stringify(record, null, 2)}\n`);
}
for (const fault of faults) console.error(`FAILED: ${fault}`);
process.exitCode = faults.length ? 1 : 0;
