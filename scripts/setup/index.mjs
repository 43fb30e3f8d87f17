// Everything a fresh clone needs beside Rust and Node; says what it does and is quick when there is nothing
// to do.
//   node scripts/setup/index.mjs [--tests]     --tests: also what only tests need: a Chromium, Python packages
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, beginNpm, isProgram, program, ROOT, since, Told, timed } from '../run.mjs';
import { setUpChromium } from './chromium.mjs';
import { setUpFormats } from './python.mjs';
import { setUpBindgen, setUpWasmTarget } from './toolchain.mjs';

const NODE = 20;

/**
 * Makes the project ready to build.
 * @param {{ tests?: boolean }} [options] tests: also what only they need
 */
export async function setUp({ tests = false } = {}) {
  const start = performance.now();
  checkTools();
  await setUpPackages();
  await setUpWasmTarget();
  await setUpBindgen();
  if (tests) {
    await setUpChromium();
    await setUpFormats();
  }
  console.log(`Set up: ${since(start)}`);
}

/** Throws when Node or Rust is missing or too old. */
export function checkTools() {
  if (Number.parseInt(process.versions.node, 10) < NODE) {
    throw new Told(
      `Rowscape needs Node ${NODE} or later; this is ${process.version}. See https://nodejs.org`,
    );
  }
  if (!ask('cargo', ['--version']))
    throw new Told('Rust is missing (no cargo on PATH). Install it: https://rustup.rs');
}

/** Installs the npm packages when they are not those of the lock file. */
export async function setUpPackages() {
  const modules = join(ROOT, 'node_modules');
  // A link leads to the packages of another tree: npm would delete them there first.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.log('npm packages: node_modules is a link and stays unchanged');
    return;
  }
  const stamp = join(ROOT, '.cache', 'npm');
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(modules) && existsSync(stamp) && readFileSync(stamp, 'utf8');
  if (installed === wanted) return;
  await timed('npm packages', () =>
    beginNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true }),
  );
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(stamp, wanted);
}

if (isProgram(import.meta.url)) program(() => setUp({ tests: process.argv.includes('--tests') }));
