// npm run test:oracle: a real HBase judges the packed npm tarball on random designs. docs/oracle.md says what that proves.
//   node tests/oracle/run.mjs [--short] [--break] [--seed=N] [--designs=N] [--records=N]
//     --short: fewer designs    --break: one byte of one key is made wrong, so the run has to fail
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll } from '../../scripts/build.mjs';
import { NPM } from '../../scripts/package.mjs';
import { program, ROOT, since, Told, timed } from '../../scripts/run.mjs';
import { setUp } from '../../scripts/setup.mjs';
import { canBeWrong, Designs, WRONG } from './designs.mjs';
import { buildJava, Hbase, writeVectors } from './jvm.mjs';
import { Random } from './random.mjs';
import { replay, wrongVectorFails } from './replay.mjs';
import { install } from './subject.mjs';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean' },
    break: { type: 'boolean' },
    seed: { type: 'string', default: '20211121' },
    designs: { type: 'string' },
    records: { type: 'string', default: '640' },
  },
});
const SEED = Number(options.seed);
const DESIGNS = Number(options.designs ?? (options.short ? 36 : 200));
const RECORDS = Number(options.records);
const VECTORS = options.short ? 24_000 : 60_000;
/** Requests sent and not yet answered, at most. */
const AHEAD = 16;
const DIFFERENCES_SHOWN = 20;

/** Builds what the tarball holds, when a source is newer. */
async function buildPackage() {
  const wasm = join(NPM, 'rowscape.wasm');
  const built = existsSync(wasm) ? statSync(wasm).mtimeMs : 0;
  const below = (/** @type {string} */ name) =>
    readdirSync(join(ROOT, name), { recursive: true }).map((path) => join(name, String(path)));
  const sources = ['Cargo.toml', 'Cargo.lock', ...below('src'), ...below('messages'), ...below('package')];
  if (sources.every((path) => statSync(join(ROOT, path)).mtimeMs <= built)) return;
  await setUp();
  await buildAll();
}

/** What was compared and found different in all. */
class Tally {
  /** @type {Record<string, number>} */
  compared = {};
  differences = 0;
  /** @type {string[]} */
  shown = [];

  /** @param {string} what @param {import('./jvm.mjs').Verdict} verdict */
  add(what, verdict) {
    for (const [name, count] of Object.entries(verdict.compared)) {
      this.compared[name] = (this.compared[name] ?? 0) + count;
    }
    this.differences += verdict.differences;
    for (const sentence of verdict.told) {
      if (this.shown.length < DIFFERENCES_SHOWN) this.shown.push(`${what}\n      ${sentence}`);
    }
  }
}

/** Judges all designs; returns one that can be made wrong. @param {Hbase} hbase @param {Designs} designs @param {Tally} tally */
async function judgeAll(hbase, designs, tally) {
  /** @type {Set<Promise<void>>} */
  const open = new Set();
  /** @type {import('./designs.mjs').Request | undefined} */
  let healthy;
  const start = performance.now();
  for (let id = 0; id < DESIGNS; id++) {
    let request = designs.request(id, RECORDS);
    if (!healthy && canBeWrong(request)) {
      healthy = request;
      if (options.break) request = WRONG['one byte of one key'](request);
    }
    const what = `design ${id}: ${request.rowkey}   splits ${JSON.stringify(request.document)}`;
    const judged = hbase.judge(request).then((verdict) => {
      tally.add(what, verdict);
      open.delete(judged);
    });
    open.add(judged);
    if (open.size >= AHEAD) await Promise.race(open);
    if ((id + 1) % 50 === 0) console.log(`  ${id + 1} of ${DESIGNS} designs, ${since(start)}`);
  }
  await Promise.all(open);
  return healthy;
}

/** Makes a sound design wrong in each way; returns the ways that were not found. @param {Hbase} hbase @param {import('./designs.mjs').Request | undefined} healthy */
async function overlooked(hbase, healthy) {
  if (!healthy) return ['no design that can be made wrong'];
  const ways = Object.entries(WRONG);
  const verdicts = await Promise.all(
    ways.map(([, wrong], at) => hbase.judge({ ...wrong(healthy), id: DESIGNS + at })),
  );
  return ways.filter((_, at) => verdicts[at].differences === 0).map(([name]) => name);
}

/** Says what was compared. @param {Tally} tally @param {{ passed: number, failed: number }} replayed @param {number} missed */
function report(tally, { passed, failed }, missed) {
  const counts = { ...tally.compared, 'vectors passed': passed, 'vectors failed': failed };
  for (const [what, count] of Object.entries(counts)) console.log(`  ${count.toLocaleString('en')} ${what}`);
  const errors = Object.keys(WRONG).length + 1;
  console.log(`  ${errors - missed} of ${errors} deliberate errors found`);
  for (const sentence of tally.shown) console.log(`  ✗ ${sentence}`);
}

/** @param {string} folder for everything temporary */
async function main(folder) {
  const start = performance.now();
  const java = await buildJava();
  await buildPackage();
  const vectors = join(folder, 'vectors');
  mkdirSync(vectors);
  const replayed = await timed(
    `Java: ${VECTORS.toLocaleString('en')} values encoded, and replayed`,
    async () => {
      await writeVectors(vectors, SEED, VECTORS);
      return replay(vectors);
    },
  );
  const wrongVectorFound = wrongVectorFails(vectors);
  const cluster = join(folder, 'hbase');
  mkdirSync(cluster);
  const hbase = new Hbase(cluster);
  process.prependOnceListener('exit', () => hbase.kill());
  const packed = join(folder, 'package');
  mkdirSync(packed);
  const subject = await timed('npm: packing and installing the tarball', () => install(packed));
  console.log(`HBase: started in ${((await hbase.started()) / 1000).toFixed(1)} s`);

  console.log(`Seed ${SEED}: ${DESIGNS} designs of ${RECORDS} records`);
  const tally = new Tally();
  const designs = new Designs(new Random(SEED), subject, java);
  const healthy = await judgeAll(hbase, designs, tally);
  const missed = await overlooked(hbase, healthy);
  hbase.kill();

  if (!wrongVectorFound) missed.push('one byte of a vector');
  report(tally, replayed, missed.length);
  const differences = tally.differences + replayed.failed;
  const found = `${differences.toLocaleString('en')} differences`;
  console.log(`Oracle: seed ${SEED}, ${DESIGNS} designs, ${found}, ${since(start)}`);
  if (missed.length) throw new Told(`Deliberate errors that were not found: ${missed.join(', ')}`);
  if (differences) throw new Told(`The package and HBase differ: ${found}.`);
}

const folder = mkdtempSync(join(tmpdir(), 'rowscape-oracle-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
await program(() => main(folder));
process.exit();
