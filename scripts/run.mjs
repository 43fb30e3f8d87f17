// Running programs and saying so, for the scripts beside this one. Uses nothing that has to be installed
// first.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the project. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const WINDOWS = process.platform === 'win32';

/** True if the module with this `import.meta.url` is the started program. @param {string} url */
export const isProgram = (url) =>
  process.argv[1] !== undefined && fileURLToPath(url) === realpathSync(process.argv[1]);

/** A refusal that needs no stack trace: what is missing and what to do. */
export class Told extends Error {}

/**
 * Runs a program in the project and waits for it; throws when it fails.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: its output is returned, not shown
 */
export function run(program, args, { cwd = ROOT, env, quiet = false } = {}) {
  const result = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.error) throw new Told(`${program} can't be run: ${result.error.message}`);
  if (result.status !== 0) {
    const said = quiet ? `\n${result.stdout}${result.stderr}` : '';
    throw new Told(`failed (${result.signal ?? result.status}): ${[program, ...args].join(' ')}${said}`);
  }
  return quiet ? result.stdout : '';
}

/** Programs that run beside others. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * The same beside others: resolves when it is done.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: its output is shown when it fails
 */
export async function begin(program, args, { cwd = ROOT, env, quiet = false } = {}) {
  const output = quiet ? 'pipe' : 'inherit';
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  running.add(child.once('close', () => running.delete(child)));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const [code, signal] = await once(child, 'close').catch((error) => {
    throw new Told(`${program} can't be run: ${error.message}`);
  });
  if (code !== 0)
    throw new Told(`failed (${signal ?? code}): ${[program, ...args].join(' ')}\n${said}`.trim());
}

/**
 * Output of a program; undefined if it is missing or fails.
 * @param {string} program
 * @param {string[]} args
 */
export function ask(program, args) {
  const result = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/**
 * npm, whose launcher on Windows is no program, with these arguments.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
function npmWith(args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return [process.execPath, [cli, ...args]];
  return WINDOWS ? ['cmd', ['/c', 'npm', ...args]] : ['npm', args];
}

/** Runs npm. @param {string[]} args @param {{ quiet?: boolean }} [options] */
export const npm = (args, options) => run(...npmWith(args), options);

/** Runs npm beside others. @param {string[]} args @param {{ quiet?: boolean }} [options] */
export const beginNpm = (args, options) => begin(...npmWith(args), options);

/** The path of a program on PATH, or undefined. @param {string} name */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, WINDOWS ? `${name}.exe` : name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
}

/** Seconds since `start`, to one decimal. @param {number} start */
export const since = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/**
 * Does one step, and says how long it took.
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} step
 */
export async function timed(what, step) {
  const start = performance.now();
  console.log(`${what} …`);
  const result = await step();
  console.log(`${what}: ${since(start)}`);
  return result;
}

/** Runs a script's main function; a refusal is printed without its stack. @param {() => unknown} main */
export async function program(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Told ? `\n${error.message}` : error);
    process.exitCode = 1;
    for (const child of running) child.kill();
  }
}

/** The JSON in a file, or undefined when there is none. @param {string} path */
export const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);
