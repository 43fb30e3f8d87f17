// The JavaScript entry point tested in the engines that run it, with wasm-bindgen-test: in Node, and in Chromium where its
// driver is to be had. npm run test:wasm; .ci/run alone, as it compiles the core once more.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { begin, program, ROOT, Told, timed, which } from '../run.mjs';
import { apt, canApt } from '../setup/apt.mjs';
import { WASM, wasmCargo } from '../setup/toolchain.mjs';

/** The version of wasm-bindgen, which its runner has to be of. */
function version() {
  const locked = readFileSync(join(ROOT, 'Cargo.lock'), 'utf8');
  const found = /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(locked)?.[1];
  if (!found) throw new Told('Cargo.lock has no wasm-bindgen.');
  return found;
}

/** Installs the runner for these tests alone. @returns {Promise<string>} its path */
async function runner() {
  const wanted = version();
  const root = join(ROOT, '.cache', `wasm-bindgen-test-${wanted}`);
  const path = join(root, 'bin', `wasm-bindgen-test-runner${process.platform === 'win32' ? '.exe' : ''}`);
  if (existsSync(path)) return path;
  const env = { CARGO_PROFILE_DEV_DEBUG: 'false', CARGO_INCREMENTAL: '0' };
  const what = ['wasm-bindgen-cli', '--version', wanted, '--bin', 'wasm-bindgen-test-runner'];
  const args = ['install', ...what, '--debug', '--root', root];
  await timed('wasm-bindgen-test-runner: building, once', () => begin('cargo', args, { env, quiet: true }));
  return path;
}

/** The driver of Chromium; undefined where there is none. */
function driver() {
  // The driver has to be of the version of the browser: both are Debian's.
  if (!which('chromedriver') && canApt() && which('chromium')) apt(['chromium-driver']);
  return which('chromedriver');
}

program(async () => {
  const { cargo, env } = wasmCargo();
  const test = { ...env, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: await runner() };
  const args = ['test', '--locked', '--package', 'rowscape-wasm', '--lib', '--target', WASM];
  const run = (/** @type {Record<string, string>} */ more) =>
    begin(cargo, [...args, '--profile', 'page-dev'], { env: { ...test, ...more }, quiet: true });
  await timed('in Node', () => run({}));
  const chromedriver = driver();
  if (!chromedriver) return console.log('in Chromium: skipped, there is no chromedriver');
  await timed('in Chromium', () =>
    run({ CHROMEDRIVER: chromedriver, WASM_BINDGEN_USE_BROWSER: '1', WASM_BINDGEN_TEST_TIMEOUT: '120' }),
  );
});
