// Coverage-guided fuzzing with libFuzzer, on stable Rust: docs/fuzzing.md.
//   npm run fuzz -- [--seconds 60] [--target NAME] [--keep] [--large]
// --seconds: for all targets together. --keep: inputs that reach something new go into tests/fuzz/corpus. --large: inputs of over 64 KiB.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ask, program, ROOT, readJson, run, since, Told, timed, which } from '../run.mjs';

const CORPUS = join(ROOT, 'tests', 'fuzz', 'corpus');
/** Output folder: the program, new inputs and failing inputs. */
const MADE = join(ROOT, 'target', 'fuzz');
const FAILED = join(MADE, 'failed');

/** Counters at every edge and at every comparison; these flags need no nightly compiler. */
const FLAGS = [
  '-Cpasses=sancov-module',
  '-Cllvm-args=-sanitizer-coverage-level=4',
  '-Cllvm-args=-sanitizer-coverage-inline-8bit-counters',
  '-Cllvm-args=-sanitizer-coverage-pc-table',
  '-Cllvm-args=-sanitizer-coverage-trace-compares',
];
/** Seconds and MiB an input may take. */
const LIMITS = ['-timeout=10', '-rss_limit_mb=2048'];
/**
 * Bytes an input may have: 4 KiB reach what formulas and documents have, but files are longer.
 * @type {Record<string, number>}
 */
const LONGEST = { command: 1 << 20, formats: 1 << 16, guess: 1 << 18, ingest: 1 << 18, observe: 1 << 16 };
const SHORT = 4096;
/** Bytes at the front of an input that say what is done with the rest. @type {Record<string, number>} */
const FRONT = { command: 1, ingest: 2 };
/** Bytes of an input made large: mutations shorten some of them. */
const LARGE = 96 << 10;
/** KiB of stack: as much as the wasm module has. */
const STACK = 1024;

/** Builds the fuzzer. @returns {string} its path */
function build() {
  const host = /^host: (.+)$/m.exec(ask('rustc', ['-vV']) ?? '')?.[1];
  if (!host) throw new Told('Rust is missing; install it: https://rustup.rs');
  const manifest = join(ROOT, 'tests', 'fuzz', 'Cargo.toml');
  // With --target the flags are not those of build scripts.
  const args = ['build', '--release', '--locked', '--manifest-path', manifest, '--target', host];
  run('cargo', [...args, '--target-dir', MADE], { env: { CARGO_ENCODED_RUSTFLAGS: FLAGS.join('\x1f') } });
  return join(MADE, host, 'release', 'rowscape-fuzz');
}

/** The words of formulas and documents, for libFuzzer to try. @returns {string} the path of the list */
function dictionary() {
  const messages = Object.keys(readJson(join(ROOT, 'data', 'messages', 'en.json')));
  const steps = messages.filter((code) => code.startsWith('help.')).map((code) => `${code.slice(5)}(`);
  /** @type {Set<string>} */
  const members = new Set();
  JSON.stringify(readJson(join(ROOT, 'data', 'schema', 'design-1.schema.json')), (name, value) => {
    if (name === 'properties') for (const member of Object.keys(value)) members.add(`"${member}":`);
    return value;
  });
  const words = [...steps, ...members].map((word) => `"${word.replaceAll('"', '\\"')}"`);
  const path = join(MADE, 'words.dict');
  writeFileSync(path, `${words.join('\n')}\n`);
  return path;
}

/**
 * Runs the fuzzer on a target; what it prints goes to a file beside what it makes.
 * @param {string} fuzzer @param {string} target @param {string[]} args
 */
function fuzz(fuzzer, target, args) {
  const limited = [
    '-c',
    `ulimit -s ${STACK} && exec "$0" "$@"`,
    fuzzer,
    ...LIMITS,
    `-max_len=${LONGEST[target] ?? SHORT}`,
    ...args,
  ];
  const env = { ...process.env, ROWSCAPE_FUZZ: target };
  const { status, signal, stderr } = spawnSync('sh', limited, { env, encoding: 'utf8', maxBuffer: 1 << 30 });
  const log = join(MADE, `${target}.log`);
  writeFileSync(log, stderr);
  if (status === 0) return stderr;
  const shown = stderr.split('\n').slice(-40).join('\n');
  throw new Told(
    `${shown}\n${target} failed (${signal ?? status}). The input is in ${FAILED}, the output in ${log}.`,
  );
}

/**
 * The inputs of the corpus, repeated until they are large.
 * @param {string} target
 * @returns {string} their folder
 */
function enlarged(target) {
  const folder = join(MADE, 'large', target);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(join(CORPUS, target))) {
    const input = readFileSync(join(CORPUS, target, name));
    const front = FRONT[target] ?? 0;
    const rest = input.subarray(front);
    if (!rest.length) continue;
    const times = Math.ceil(LARGE / rest.length);
    writeFileSync(join(folder, name), Buffer.concat([input.subarray(0, front), ...Array(times).fill(rest)]));
  }
  return folder;
}

/** @param {{ seconds: number, target?: string, keep?: boolean, large?: boolean }} options */
async function main({ seconds, target: only, keep, large }) {
  const compiler = process.env.CXX ?? 'c++';
  if (process.platform !== 'linux' || !which(compiler)) {
    console.log('fuzzing is skipped: it needs Linux and a C++ compiler (Debian: apt-get install g++)');
    return;
  }
  const known = readdirSync(CORPUS).filter((name) => !large || name in LONGEST);
  const targets = known.filter((name) => !only || name === only);
  if (!targets.length) throw new Told(`Unknown target ${only}; known targets: ${known.join(', ')}.`);
  const fuzzer = await timed('Building the fuzzer', build);
  mkdirSync(FAILED, { recursive: true });
  const words = dictionary();
  const start = performance.now();
  /** @type {Record<string, { inputs: number, large: number, edges: number }>} */
  const table = {};
  for (const target of targets) {
    const kept = large ? enlarged(target) : join(CORPUS, target);
    const found = join(MADE, large ? 'found-large' : 'found', target);
    mkdirSync(found, { recursive: true });
    const time = `-max_total_time=${Math.max(1, Math.round(seconds / targets.length))}`;
    const said = fuzz(fuzzer, target, [
      time,
      `-dict=${words}`,
      `-artifact_prefix=${join(FAILED, `${target}-`)}`,
      '-print_final_stats=1',
      ...(large ? ['-len_control=0'] : []),
      found,
      kept,
    ]);
    const figure = (/** @type {RegExp} */ pattern) => Number([...said.matchAll(pattern)].at(-1)?.[1] ?? 0);
    table[target] = {
      inputs: figure(/number_of_executed_units: (\d+)/g),
      large: figure(/large inputs: (\d+)/g),
      edges: figure(/ cov: (\d+)/g),
    };
    if (keep && !large) fuzz(fuzzer, target, ['-merge=1', kept, found]);
  }
  console.table(table);
  console.log(`Nothing found in ${since(start)}.`);
}

program(() => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      target: { type: 'string' },
      keep: { type: 'boolean' },
      large: { type: 'boolean' },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Told(`--seconds must be a number above 0, not ${values.seconds}`);
  return main({ ...values, seconds });
});
