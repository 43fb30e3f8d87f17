// Native commands on two threads against two runs of the same command at the same time, each on one.
//   node tests/bench/threads.mjs                       this alone
//   node tests/bench/threads.mjs --before PROGRAM      one thread against an earlier build, too
//   node tests/bench/threads.mjs --long                100,000,000 rows that are made on the fly, too: minutes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { program } from './program.mjs';
import { CALLS, callRecords } from './setup.mjs';

/**
 * A command: the least milliseconds of two runs at the same time, and of one run on one thread and on two. `before` is that of an earlier build.
 * @typedef {{ name: string, pair: number, one: number, two: number, before?: number, same: boolean }} ThreadRun
 * @typedef {{ rows: number, seconds: number, peak: number }} LongRun
 */

const ROWS = 4_000_000;
/** Rounds, in which kinds of run take turns, of which the best counts. */
const ROUNDS = 5;
const OUT = 'tests/bench/out';
/** Least share of the rows a second of two runs at the same time that two threads reach. */
const SHARE = 0.85;
/** Rows of the long run, those in memory that are sent again and again, and the most bytes at its peak. */
const LONG_ROWS = 100_000_000;
const SENT_ROWS = 1_000_000;
const MEMORY = '400M';
const PEAK = 512 * 2 ** 20;
/** Milliseconds between two looks at the memory. */
const PAUSE = 20;

/** Commands over a file, each with the file that it writes. */
const COMMANDS = [
  { name: 'summarize', args: ['summarize'] },
  { name: 'encode', args: ['encode', '--hex'] },
];

/** Milliseconds of a run. @param {string} file @param {string[]} args */
async function timed(file, args) {
  const begun = performance.now();
  const [status] = await once(spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - begun;
}

/** Commands on one thread, on two, and twice at the same time. @param {string} [before] @returns {Promise<ThreadRun[]>} */
export async function threadRuns(before) {
  const rowscape = program();
  mkdirSync(OUT, { recursive: true });
  const design = join(OUT, 'threads.json');
  writeFileSync(design, JSON.stringify(CALLS));
  const csv = callRecords(ROWS);
  const runs = [];
  for (const { name, args } of COMMANDS) {
    const out = (/** @type {string} */ of) => join(OUT, `threads-${of}`);
    const whole = (/** @type {string} */ of, /** @type {string[]} */ more) => [
      ...args,
      design,
      csv,
      '-o',
      out(of),
      ...more,
    ];
    const best = { pair: Infinity, one: Infinity, two: Infinity, before: Infinity };
    for (let round = 0; round < ROUNDS; round++) {
      const one = (/** @type {string} */ of) => timed(rowscape, whole(of, ['--threads', '1']));
      best.one = Math.min(best.one, await one('one'));
      best.two = Math.min(best.two, await timed(rowscape, whole('two', ['--threads', '2'])));
      const begun = performance.now();
      await Promise.all([one('a'), one('b')]);
      best.pair = Math.min(best.pair, performance.now() - begun);
      if (before) best.before = Math.min(best.before, await timed(before, whole('before', [])));
    }
    const same = readFileSync(out('one')).equals(readFileSync(out('two')));
    runs.push({ name, ...best, before: before ? best.before : undefined, same });
  }
  return runs;
}

/** The share of the speed of two runs at the same time that two threads reach. @param {ThreadRun} run */
const share = ({ pair, two }) => pair / 2 / two;

/** Runs that differ, or are slower than they may be. @param {ThreadRun[]} runs */
export const threadFaults = (runs) =>
  runs.flatMap((run) => [
    ...(run.same ? [] : [`${run.name} on two threads: other bytes than on one`]),
    ...(share(run) >= SHARE
      ? []
      : [`${run.name} on two threads: ${share(run).toFixed(2)} of two runs, at least ${SHARE} is wanted`]),
  ]);

/** The runs in words. @param {ThreadRun[]} runs */
export const threadLines = (runs) =>
  runs
    .map((run) => {
      const { name, pair, one, two, before } = run;
      const [a, b, c] = [one, two, pair].map((time) => Math.round(time));
      const times = `${a} ms on one thread, ${b} ms on two, ${c} ms twice at the same time`;
      const earlier = before ? `; one thread ${(before / one).toFixed(2)} times as fast as before` : '';
      return `${name} of ${ROWS} rows: ${times}; ${share(run).toFixed(2)} of two runs${earlier}`;
    })
    .join('\n');

/** Peak bytes of a process so far, where Linux tells. @param {number} pid */
function peak(pid) {
  try {
    const line = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** An analysis of very many rows from standard input. @param {number} rows @returns {Promise<LongRun>} */
async function longRun(rows) {
  const rowscape = program();
  const sent = readFileSync(callRecords(SENT_ROWS));
  const body = sent.subarray(sent.indexOf('\n') + 1);
  const args = ['analyze', join(OUT, 'threads.json'), '-', '--memory', MEMORY, '--json'];
  const begun = performance.now();
  const child = spawn(rowscape, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, peak(child.pid ?? 0));
  }, PAUSE);
  child.stdin.on('error', () => {});
  child.stdin.write(sent.subarray(0, sent.length - body.length));
  for (let row = 0; row < rows; row += SENT_ROWS) {
    if (!child.stdin.write(body)) await Promise.race([once(child.stdin, 'drain'), ended]);
  }
  child.stdin.end();
  const [status] = await ended;
  clearInterval(timer);
  if (status !== 0) throw new Error(`the long run ended with ${status}`);
  return { rows, seconds: (performance.now() - begun) / 1000, peak: most };
}

/** A long run in words. @param {LongRun} run */
const longLine = ({ rows, seconds, peak: most }) => {
  const each = ((seconds * 1e9) / rows).toFixed(0);
  return `analyze of ${rows} rows in ${MEMORY}: ${seconds.toFixed(1)} s, ${each} ns per row, at most ${Math.round(most / 2 ** 20)} MiB`;
};

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { before: { type: 'string' }, long: { type: 'boolean', default: false } },
  });
  const runs = await threadRuns(values.before);
  console.log(threadLines(runs));
  const faults = threadFaults(runs);
  if (values.long) {
    for (const rows of [LONG_ROWS / 10, LONG_ROWS]) {
      const run = await longRun(rows);
      console.log(longLine(run));
      if (run.peak > PEAK) faults.push(`${longLine(run)}; at most ${PEAK / 2 ** 20} MiB is wanted`);
    }
  }
  for (const fault of faults) console.error(`FAILED: ${fault}`);
  process.exitCode = faults.length ? 1 : 0;
}
