// Everything a fresh clone needs beside Rust and Node; says what it does and is quick when there is nothing to do.
//   node scripts/setup.mjs [--browser]     --browser: also a Chromium, for the tests
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUpChromium } from './chromium.mjs';
import { ask, isProgram, npm, program, ROOT, since, Told, timed } from './run.mjs';
import { setUpBindgen, setUpWasmTarget } from './toolchain.mjs';

const NODE = 20;

/** Makes the project ready to build. @param {{ browser?: boolean }} [options] browser: also a Chromium, for the tests */
export async function setUp({ browser = false } = {}) {
  const start = performance.now();
  if (Number.parseInt(process.versions.node, 10) < NODE) {
    throw new Told(
      `Rowscape needs Node ${NODE} or later; this is ${process.version}. See https://nodejs.org`,
    );
  }
  if (!ask('cargo', ['--version']))
    throw new Told('Rust is missing (no cargo on PATH). Install it: https://rustup.rs');
  await setUpPackages();
  await setUpWasmTarget();
  await setUpBindgen();
  if (browser) await setUpChromium();
  console.log(`Set up: ${since(start)}`);
}

/** Installs the npm packages when they are not those of the lock file. */
async function setUpPackages() {
  const stamp = join(ROOT, '.cache', 'npm');
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const installed =
    existsSync(join(ROOT, 'node_modules')) && existsSync(stamp) && readFileSync(stamp, 'utf8');
  if (installed === wanted) return;
  await timed('npm packages', () => npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']));
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(stamp, wanted);
}

if (isProgram(import.meta.url)) program(() => setUp({ browser: process.argv.includes('--browser') }));
