// npm run test:oracle: a real HBase judges the packed npm tarball on random designs. docs/oracle.md says what that proves.
//   node tests/oracle/run.mjs [--short] [--break] [--seed=N] [--designs=N] [--records=N] [--reshaped]
//     --short: fewer designs, and no Spark    --break: one byte of one key is made wrong, so the run has to fail
//     --reshaped: nothing but tables that are split and merged    --readers: nothing but code that reads tables
//     --requests: nothing but the price of plans
//     --models: nothing but what records of several kinds leave in a table
//     --compacted: nothing but the files that major compactions leave
//     --admin: nothing but code that creates and changes tables
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll } from '../../scripts/build/index.mjs';
import { NPM } from '../../scripts/build/package.mjs';
import { program, ROOT, since, Told, timed } from '../../scripts/run.mjs';
import { setUp } from '../../scripts/setup/index.mjs';
import { judgeAdmin } from './admin.mjs';
import { judgeAlter } from './alter.mjs';
import { judgeBuilders } from './builders.mjs';
import { CLIENTS } from './clients.mjs';
import { compactedOf, WRONG_COMPACTED } from './compacted.mjs';
import { judgeDecoded, wrongFieldFound } from './decode.mjs';
import { Designs, WRONG } from './designs.mjs';
import { judgeEncoders, judgeShell, judgeSpark } from './emitted.mjs';
import { storesOf, WRONG_STORES } from './files.mjs';
import { judgeStoreFiles } from './hfiles.mjs';
import { Hbase, writeVectors } from './jvm.mjs';
import { livesOf, WRONG_LIVES } from './lives.mjs';
import { judgeLoad } from './load.mjs';
import { buildGateway, buildJava, buildSpark, fetchClient } from './maven.mjs';
import { modelsOf, WRONG_MODELS } from './models.mjs';
import { judgePauses } from './pauses.mjs';
import { Random } from './random.mjs';
import { judgeReaders } from './readers.mjs';
import { replay, wrongVectorFails } from './replay.mjs';
import { judgeRequests } from './requests.mjs';
import { judgeReshaped } from './reshaped.mjs';
import { judgeRewrite } from './rewrite.mjs';
import { judgeShipped, wrongSetting } from './shipped.mjs';
import { install } from './subject.mjs';
import { Tally } from './tally.mjs';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean' },
    break: { type: 'boolean' },
    reshaped: { type: 'boolean' },
    readers: { type: 'boolean' },
    requests: { type: 'boolean' },
    models: { type: 'boolean' },
    compacted: { type: 'boolean' },
    admin: { type: 'boolean' },
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
/** The fault that --break inserts. */
const BROKEN = 'one byte of one key';
/** Numbers of requests that are no designs. */
const [LIVES, STORES, MADE, RESHAPED, MODELS, COMPACTED] = [1, 2, 3, 4, 5, 6].map((n) => n * 1_000_000);
/** Regions that have to split by themselves in a full run. */
const SPLITS = 20;

/** Builds what the tarball holds, when a source is newer. */
async function buildPackage() {
  const wasm = join(NPM, 'rowscape.wasm');
  const built = existsSync(wasm) ? statSync(wasm).mtimeMs : 0;
  const below = (/** @type {string} */ name) =>
    readdirSync(join(ROOT, name), { recursive: true }).map((path) => join(name, String(path)));
  const sources = [
    'Cargo.toml',
    'Cargo.lock',
    ...below('src'),
    ...below('data/messages'),
    ...below('bindings/npm'),
  ];
  if (sources.every((path) => statSync(join(ROOT, path)).mtimeMs <= built)) return;
  await setUp();
  await buildAll();
}

/**
 * Judges all designs; returns for each way to be wrong one it can be tried on.
 * @param {Hbase} hbase
 * @param {Designs} designs
 * @param {Tally} tally
 */
async function judgeAll(hbase, designs, tally) {
  /** @type {Set<Promise<void>>} */
  const open = new Set();
  /** @type {Map<string, import('./designs.mjs').Request>} */
  const sound = new Map();
  /** True if a wrong field was detected; undefined until tried. @type {boolean | undefined} */
  let wrongField;
  const start = performance.now();
  for (let id = 0; id < DESIGNS; id++) {
    let request = designs.request(id, RECORDS);
    for (const [name, { can }] of Object.entries(WRONG)) {
      if (!sound.has(name) && can(request)) sound.set(name, request);
    }
    if (options.break && sound.get(BROKEN) === request) request = WRONG[BROKEN].wrong(request);
    const what = `design ${id}: ${request.rowkey}   splits ${JSON.stringify(request.document)}`;
    const judged = hbase.judge(request).then((verdict) => {
      tally.add(what, verdict);
      tally.add(what, judgeDecoded(designs.subject, request, verdict.rows));
      wrongField ??= wrongFieldFound(designs.subject, request, verdict.rows);
      open.delete(judged);
    });
    open.add(judged);
    if (open.size >= AHEAD) await Promise.race(open);
    if ((id + 1) % 50 === 0) console.log(`  ${id + 1} of ${DESIGNS} designs, ${since(start)}`);
  }
  await Promise.all(open);
  return { sound, wrongField };
}

/**
 * Judges what is no design: growing tables, or rows in files. Returns the deliberate errors that were not found.
 * @template T
 * @param {Hbase} hbase
 * @param {Tally} tally
 * @param {{ as: 'life' | 'store' | 'model' | 'compacted', all: T[], wrong: Record<string, (one: T) => T>, id: number }} what
 */
async function judgeOthers(hbase, tally, { as, all, wrong, id }) {
  const judge = (/** @type {T} */ one, /** @type {number} */ at) => hbase.judge({ id: id + at, [as]: one });
  const sound = all.map(async (one, at) => tally.add(`${as} ${at}`, await judge(one, at)));
  const ways = Object.entries(wrong);
  const found = await Promise.all(ways.map(([, make], at) => judge(make(all[0]), all.length + at)));
  await Promise.all(sound);
  return ways.filter((_, at) => found[at].differences === 0).map(([name]) => name);
}

/** Judges what records of several kinds leave in a table. @param {Hbase} hbase @param {Awaited<ReturnType<typeof install>>} subject @param {Tally} tally */
async function judgeModels(hbase, subject, tally) {
  const all = await modelsOf(new Random(SEED), subject, options.short === true);
  return timed('HBase: tables of random models, compacted', () =>
    judgeOthers(hbase, tally, { as: 'model', all, wrong: WRONG_MODELS, id: MODELS }),
  );
}

/** Judges the files that major compactions leave. @param {Hbase} hbase @param {Awaited<ReturnType<typeof install>>} subject @param {Tally} tally */
async function judgeCompacted(hbase, subject, tally) {
  const all = await compactedOf(new Random(SEED), subject, options.short === true);
  return timed('HBase: files of tables of every shape, compacted with each encoding', () =>
    judgeOthers(hbase, tally, { as: 'compacted', all, wrong: WRONG_COMPACTED, id: COMPACTED }),
  );
}

/** Makes sound designs wrong in each way; returns the ways that were not found. @param {Hbase} hbase @param {Map<string, import('./designs.mjs').Request>} sound */
async function overlooked(hbase, sound) {
  const ways = Object.keys(WRONG);
  const found = await Promise.all(
    ways.map(async (name, at) => {
      const request = sound.get(name);
      if (!request) return false;
      const { differences } = await hbase.judge({ ...WRONG[name].wrong(request), id: DESIGNS + at });
      return differences > 0;
    }),
  );
  return ways.filter((_, at) => !found[at]);
}

/**
 * Judges nothing but tables that are split and merged, or code that reads tables.
 * @param {string} folder
 */
async function tablesOnly(folder) {
  await buildJava();
  if (options.readers) await fetchOthers();
  await buildPackage();
  const [cluster, packed, typed] = ['hbase', 'package', 'shell'].map((name) => join(folder, name));
  for (const path of [cluster, packed, typed]) mkdirSync(path);
  const hbase = new Hbase(cluster);
  process.prependOnceListener('exit', () => hbase.kill());
  const subject = await install(packed);
  const { port } = await hbase.started();
  const tally = new Tally();
  const missed = options.reshaped ? await judgeTables(hbase, subject, tally, { folder: typed, port }) : [];
  if (options.readers) missed.push(...(await judgeCode(subject, tally, typed, port)));
  if (options.models) missed.push(...(await judgeModels(hbase, subject, tally)));
  if (options.compacted) missed.push(...(await judgeCompacted(hbase, subject, tally)));
  if (options.requests) tally.add('prices', await judgeRequests(subject, typed, port, new Random(SEED)));
  if (options.admin) {
    const place = { port, root: join(cluster, 'root') };
    missed.push(...(await judgePrograms(subject, tally, typed, place)));
  }
  hbase.kill();
  for (const line of tally.lines()) console.log(`  ${line}`);
  for (const sentence of tally.shown) console.log(`  ✗ ${sentence}`);
  if (missed.length) throw new Told(`Deliberate errors that were not found: ${missed.join(', ')}`);
  if (tally.differences) throw new Told(`The package and HBase differ: ${tally.differences} differences.`);
}

/** Fetches what emitted code for other versions and languages needs. */
async function fetchOthers() {
  for (const version of Object.values(CLIENTS)) await fetchClient(version);
  await buildGateway();
}

/**
 * Judges code that writes and reads tables; returns the deliberate errors that were not found.
 * @param {any} subject
 * @param {Tally} tally
 * @param {string} folder
 * @param {number} port
 */
async function judgeCode(subject, tally, folder, port) {
  const { judged, deprecatedFound } = await timed(
    'HBase: writers and readers that the package emits, compiled and run',
    () => judgeReaders(subject, folder, port, new Random(SEED)),
  );
  for (const verdict of judged) tally.add('emitted writers and readers', verdict);
  const paused = await timed('HBase: emitted readers that are interrupted', () =>
    judgePauses(subject, folder, options.short ?? false),
  );
  tally.add('emitted readers that are interrupted', paused);
  return deprecatedFound ? [] : ['a deprecated call in emitted Java'];
}

/**
 * Judges tables that are split and merged; returns the deliberate errors that were not found.
 * @param {Hbase} hbase
 * @param {any} subject
 * @param {Tally} tally
 * @param {{ folder: string, port: number }} where
 */
async function judgeTables(hbase, subject, tally, where) {
  const how = { ...where, id: RESHAPED, random: new Random(SEED), short: options.short ?? false };
  const { judged, missed } = await timed('HBase: tables split and merged by its shell', () =>
    judgeReshaped(subject, hbase, how),
  );
  for (const verdict of judged) tally.add('tables split and merged', verdict);
  return missed;
}

/**
 * Judges code that creates and changes tables; returns the deliberate errors that were not found.
 * @param {any} subject
 * @param {Tally} tally
 * @param {string} folder
 * @param {import('./jvm.mjs').HbasePlace} place
 */
async function judgePrograms(subject, tally, folder, place) {
  const all = { created: judgeAdmin, altered: judgeAlter, rewritten: judgeRewrite, loaded: judgeLoad };
  // A short run leaves out what a change of Rowscape touches least; --admin judges all.
  const short = options.short && !options.admin;
  const judges = short ? { loaded: judgeLoad } : all;
  const missed = [];
  for (const [name, judge] of Object.entries(judges)) {
    const found = await timed(`HBase: tables ${name} by what the package emits`, () =>
      judge(subject, folder, place),
    );
    tally.add(`tables ${name}`, found.judged);
    missed.push(...found.missed);
  }
  return missed;
}

/** @param {string} folder for everything temporary */
async function main(folder) {
  const parts = ['reshaped', 'readers', 'requests', 'admin', 'models', 'compacted'];
  if (parts.some((name) => name in options)) return tablesOnly(folder);
  const start = performance.now();
  const short = options.short ?? false;
  const java = await buildJava();
  await fetchOthers();
  if (!short) await buildSpark();
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
  const files = await timed('Java: HFiles and write-ahead logs, written and read', () => {
    const within = join(folder, 'files');
    mkdirSync(within);
    return judgeStoreFiles(within, { seed: SEED, short });
  });
  const folders = ['encoders', 'shell', 'spark'].map((name) => join(folder, name));
  for (const path of folders) mkdirSync(path);
  const encoders = await timed('Java and Scala: encoders that the package emits, compiled and run', () =>
    judgeEncoders(subject, folders[0], { seed: SEED, short }),
  );
  const builders = await timed('Java and Scala: row key builders, read into formulas and run', () =>
    judgeBuilders(subject, folders[0], { seed: SEED, short }),
  );
  const spark = short
    ? undefined
    : await timed('Spark: expressions that the package emits, worked out', () =>
        judgeSpark(subject, folders[2], SEED),
      );
  const { ready, shipped, port } = await hbase.started();
  console.log(`HBase: started in ${(ready / 1000).toFixed(1)} s`);

  console.log(`Seed ${SEED}: ${DESIGNS} designs of ${RECORDS} records`);
  const tally = new Tally();
  tally.add('', judgeShipped(subject, shipped));
  tally.add('files of HBase', files);
  for (const verdict of encoders) tally.add('emitted encoders', verdict);
  for (const verdict of builders) tally.add('row key builders', verdict);
  if (spark) tally.add('emitted Spark SQL', spark.judged);
  const tables = await judgeShell(subject, hbase, { folder: folders[1], port, id: MADE });
  for (const verdict of tables) tally.add('tables made by the shell', verdict);
  const reshaped = await judgeTables(hbase, subject, tally, { folder: folders[1], port });
  const ofCode = await judgeCode(subject, tally, folders[1], port);
  const prices = await timed('HBase: requests of plans', () =>
    judgeRequests(subject, folders[1], port, new Random(SEED)),
  );
  tally.add('prices', prices);
  const programs = await judgePrograms(subject, tally, folders[1], {
    port,
    root: join(cluster, 'root'),
  });
  const models = await judgeModels(hbase, subject, tally);
  models.push(...(await judgeCompacted(hbase, subject, tally)));
  const lives = livesOf(new Random(SEED), subject, short);
  const stores = await storesOf(new Random(SEED), subject, short);
  // Growing tables wait for HBase most of the time, meanwhile designs are judged.
  const grown = judgeOthers(hbase, tally, { as: 'life', all: lives, wrong: WRONG_LIVES, id: LIVES });
  const { sound, wrongField } = await judgeAll(hbase, new Designs(new Random(SEED), subject, java), tally);
  const missed = [...(await overlooked(hbase, sound)), ...reshaped, ...ofCode, ...programs, ...models];
  const stored = { as: /** @type {const} */ ('store'), all: stores, wrong: WRONG_STORES, id: STORES };
  missed.push(...(await judgeOthers(hbase, tally, stored)), ...(await grown));
  hbase.kill();

  if (!judgeShipped(subject, wrongSetting(shipped)).differences) missed.push('a setting as shipped');
  if (!wrongField) missed.push('a field that was read back');
  if (!files.wrongFound) missed.push('a cell of a file');
  if (!wrongVectorFound) missed.push('one byte of a vector');
  if (spark && !spark.wrongFound) missed.push('a key that Spark SQL makes');
  tally.add('', { compared: { 'vectors passed': replayed.passed }, differences: replayed.failed, told: [] });
  for (const line of tally.lines()) console.log(`  ${line}`);
  const others = (spark ? 11 : 10) - (short ? 2 : 0);
  const errors = [WRONG, WRONG_LIVES, WRONG_STORES, WRONG_MODELS, WRONG_COMPACTED].reduce(
    (sum, ways) => sum + Object.keys(ways).length,
    others,
  );
  console.log(`  ${errors - missed.length} of ${errors} deliberate errors found`);
  for (const sentence of tally.shown) console.log(`  ✗ ${sentence}`);
  const found = `${tally.differences.toLocaleString('en')} differences`;
  console.log(`Oracle: seed ${SEED}, ${DESIGNS} designs, ${found}, ${since(start)}`);
  if (missed.length) throw new Told(`Deliberate errors that were not found: ${missed.join(', ')}`);
  if (tally.differences) throw new Told(`The package and HBase differ: ${found}.`);
  const splits = tally.count('splits of regions');
  if (!short && splits < SPLITS) throw new Told(`Only ${splits} regions split by themselves.`);
}

const folder = mkdtempSync(join(tmpdir(), 'rowscape-oracle-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
await program(() => main(folder));
process.exit();
