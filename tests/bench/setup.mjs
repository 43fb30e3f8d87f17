// Prepares the bench: data, packages, builds. Each thing is made once and kept.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { make, wasmFiles, wasmSteps } from '../../scripts/build/index.mjs';
import { optimise } from '../../scripts/build/optimise.mjs';
import { ROOT } from '../../scripts/run.mjs';
import { setUpChromium } from '../../scripts/setup/chromium.mjs';
import { setUp } from '../../scripts/setup/index.mjs';
import { messageOf, say } from './race.mjs';

const DATA = 'tests/bench/data';
const OUT = 'tests/bench/out';
/** The steps of the build that make the whole module. */
const BOUND = ['compile: page, package, figures', 'bindings'];
const PEERS_JS = 'tests/bench/peers/js';
/** How the SHA-256 of the generated files begins. */
const KNOWN = /** @type {Record<string, string>} */ ({
  1000000: '43e9cd34af7d8384',
  4000000: 'bb293473951de1f1',
});

/** A design of the call records. */
export const CALLS = {
  rowscape: 1,
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'call_time', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: 'Z' },
    { name: 'duration', type: 'integer' },
    { name: 'cell_id', type: 'text' },
  ],
  arrival: 'call_time',
  rowkey: "phone.md5().hex(8) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')",
  splits: { algorithm: 'HexStringSplit', regions: 16 },
};

/** @param {string} program @param {string[]} args */
const quietly = (program, args, options = {}) =>
  execFileSync(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });

/**
 * The file, made by `script` unless it is there.
 * @param {string} file
 * @param {string} script
 * @param {string[]} args
 */
function once(file, script, args) {
  if (existsSync(file)) return file;
  mkdirSync(DATA, { recursive: true });
  say(`making ${file}`);
  quietly('node', [script, ...args, `${file}.part`]);
  renameSync(`${file}.part`, file);
  return file;
}

/** Path of the call records, made when missing. @param {number} rows */
export function callRecords(rows) {
  const file = once(join(DATA, `calls-${rows}.csv`), 'tests/bench/peers/gen.mjs', [String(rows)]);
  const known = KNOWN[rows];
  if (known && !createHash('sha256').update(readFileSync(file)).digest('hex').startsWith(known))
    throw new Error(
      `${file} is not the file the known check line belongs to: delete it and run the bench again`,
    );
  return file;
}

/** Path of the same records under other names, in another order and in quotes. @param {number} rows */
export const requotedRecords = (rows) =>
  once(join(DATA, `requoted-${rows}.csv`), 'tests/bench/peers/requote.mjs', [callRecords(rows)]);

/** @param {string} file @param {string} than */
const newer = (file, than) => existsSync(file) && statSync(file).mtimeMs >= statSync(than).mtimeMs;

/** The program of a native bench, built. @param {string} name */
function nativeBench(name) {
  const args = ['bench', '--bench', name, '--no-run', '--message-format=json'];
  // A benchmark unwinds; when the program beside it doesn't, two builds of the library race for one file name.
  const env = { ...process.env, CARGO_PROFILE_RELEASE_PANIC: 'unwind' };
  const messages = quietly('cargo', args, { env });
  const built = messages
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .find((message) => message.executable && message.target?.name === name);
  return built.executable;
}

/**
 * Each gives the path that commands need; throws when it can't be had.
 * @type {Record<string, () => string | Promise<string>>}
 */
const STEPS = {
  npm() {
    const lock = join(PEERS_JS, 'package-lock.json');
    const done = join(PEERS_JS, 'node_modules/.package-lock.json');
    if (!newer(done, lock)) quietly('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PEERS_JS });
    return PEERS_JS;
  },
  chromium: () => setUpChromium(),
  async wasm() {
    await setUp();
    const { bindings, whole } = wasmFiles(join(ROOT, 'dist'));
    const wanted = Object.entries(wasmSteps()).filter(([name]) => BOUND.includes(name));
    await make(Object.fromEntries(wanted));
    await optimise(whole, '-O2', join(bindings, 'bench.wasm'));
    return bindings;
  },
  native: () => nativeBench('native'),
  suggest: () => nativeBench('suggest'),
  python() {
    const python = join(OUT, 'venv/bin/python');
    const wanted = 'tests/bench/peers/py/requirements.txt';
    const installed = join(OUT, 'venv/installed');
    if (newer(installed, wanted)) return python;
    quietly('python3', ['-m', 'venv', join(OUT, 'venv')]);
    quietly(python, ['-m', 'pip', 'install', '-q', '-r', wanted]);
    copyFileSync(wanted, installed);
    return python;
  },
  java() {
    const [folder, source] = [join(OUT, 'jvm'), 'tests/bench/peers/jvm/Main.java'];
    if (!newer(join(folder, 'Main.class'), source)) quietly('javac', ['-d', folder, source]);
    return folder;
  },
};

/**
 * Sets up everything named; what fails is told, not thrown.
 * @param {string[]} names
 * @returns {Promise<{ tools: Record<string, string>, failed: Record<string, string> }>}
 */
export async function prepare(names) {
  mkdirSync(OUT, { recursive: true });
  const tools = /** @type {Record<string, string>} */ ({});
  const failed = /** @type {Record<string, string>} */ ({});
  for (const name of names) {
    say(`setting up ${name}`);
    try {
      tools[name] = await STEPS[name]();
    } catch (error) {
      const { stderr } = /** @type {{ stderr?: string }} */ (error);
      failed[name] = (stderr || messageOf(error)).trim().split('\n').slice(-3).join(' ');
    }
  }
  return { tools, failed };
}
