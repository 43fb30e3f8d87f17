// npm test: everything that must hold, from set-up to the page in a browser. Stops at the first failure.
//   node scripts/check/index.mjs [--ship] [word …]      --ship: on what ships, which takes longer to build
// Words: only set-up, the build, and the steps whose names hold one of them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll, buildForTests } from '../build/index.mjs';
import { begin, program, ROOT, run } from '../run.mjs';
import { findChromium, withSharedBrowser } from '../setup/chromium.mjs';
import { setUp } from '../setup/index.mjs';
import { setUpDeny } from '../setup/toolchain.mjs';
import { checkLicences } from './licences.mjs';
import { pageTests, testRooms, UNIT_TESTS } from './quick.mjs';
import { checkSize } from './size.mjs';
import { Steps } from './steps.mjs';
import { checkSubjects } from './words.mjs';

/** @import { Lane } from './steps.mjs' */

/** Runs the command of an npm package. @param {string} path below node_modules @param {string[]} args */
const bin = (path, ...args) =>
  begin(process.execPath, [join(ROOT, 'node_modules', path), ...args], { quiet: true });
const cargo = (/** @type {string[]} */ ...args) => begin('cargo', args, { quiet: true });

/** Each lock file fits its manifest: the fuzzer's is not looked at by anything else here. */
function checkLocks() {
  for (const manifest of ['Cargo.toml', 'tests/fuzz/Cargo.toml']) {
    const args = ['metadata', '--locked', '--format-version=1', '--manifest-path', join(ROOT, manifest)];
    run('cargo', args, { quiet: true });
  }
}

/** Checks licences, sources, wildcards, and advisories where their database can be had, with cargo-deny. */
async function checkDeny() {
  const deny = await setUpDeny();
  if (!deny) return 'left out: cargo-deny is not installed; cargo install --locked cargo-deny';
  const config = join(ROOT, '.cargo', 'deny.toml');
  const check = (/** @type {string[]} */ ...what) => {
    for (const manifest of ['Cargo.toml', 'tests/fuzz/Cargo.toml']) {
      run(deny, ['--manifest-path', join(ROOT, manifest), '--config', config, ...what], { quiet: true });
    }
  };
  check('check', 'bans', 'licenses', 'sources');
  try {
    run(deny, ['--config', config, 'fetch', 'db'], { quiet: true });
  } catch {
    return 'advisories not checked: their database is out of reach';
  }
  check('check', 'advisories');
}

/** The tests beside the sources are in `UNIT_TESTS`; these are all others but those of the documentation. */
const OTHERS = ['test', '--locked', '--test', '*'];

/**
 * Laws are tried on the same inputs each time, so that what fails is the change; `cargo test` alone draws new
 * ones.
 * @param {...string} args
 */
const testRust = (...args) =>
  begin('cargo', [...args, '--quiet'], { env: { PROPTEST_RNG_SEED: '20260101' }, quiet: true });

/** Files with tests in JavaScript, by what they need. @typedef {'node' | 'chromium' | 'program'} Need */

/** @param {string} file @returns {Need} */
function needOf(file) {
  if (readFileSync(join(ROOT, file), 'utf8').includes('/native.mjs')) return 'program';
  return /^tests.(browser|hostile.page)/.test(file) ? 'chromium' : 'node';
}

/** Tests that belong to the other tiers. */
const LATER = /^(browser.others|hostile.memory|npm.(matrix|sites))\b/;

/** Runs the tests written in JavaScript that need just this. @param {Need} need */
async function testJavaScript(need) {
  const files = readdirSync(join(ROOT, 'tests'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.test.mjs') && !LATER.test(name))
    .map((name) => join('tests', name))
    .filter((file) => needOf(file) === need);
  const env = { CHROMIUM: await findChromium() };
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-tests-'));
  const told = join(folder, 'told.tap');
  // A browser and a worker keep two cores busy: more files at a time would only wait for each other.
  const run = (
    /** @type {Record<string, string>} */ shared,
    /** @type {string[]} */ some = files,
    atATime = 2,
  ) => {
    const to = ['stdout', told].flatMap((place) => [
      '--test-reporter=tap',
      `--test-reporter-destination=${place}`,
    ]);
    return begin(process.execPath, ['--test', `--test-concurrency=${atATime}`, ...to, ...some], {
      env: { ...env, ...shared },
    });
  };
  const runAndTryAgain = async (/** @type {Record<string, string>} */ shared) => {
    try {
      await run(shared);
    } catch (error) {
      const failed = failedIn(readFileSync(told, 'utf8'));
      if (!failed.length || failed.length > AGAIN) throw error;
      console.log(`Failed beside others, so once more alone: ${failed.join(', ')}`);
      await run(shared, [...new Set(failed.map((place) => place.replace(/(:\d+)+$/, '')))], 1);
    }
  };
  try {
    await (need === 'chromium' ? withSharedBrowser(runAndTryAgain) : run({}));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Most tests in a browser that are tried again: more are no accident of a busy machine. */
const AGAIN = 5;

/** The places of the tests that failed themselves. @param {string} tap */
function failedIn(tap) {
  const failed = tap.matchAll(/^ *not ok .*\n(?: .*\n)*? +location: '(.*)'\n +failureType: '(.*)'/gm);
  return [...failed].filter(([, , type]) => type !== 'subtestsFailed').map(([, place]) => place);
}

/** In this order, so that what is cheap fails first. @type {Lane} */
const FIRST = {
  'commit subjects': checkSubjects,
  rustfmt: () => run('cargo', ['fmt', '--all', '--check']),
  'rooms of src': testRooms,
  'set-up': () => setUp({ tests: true }),
  biome: () => bin('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'),
  'rooms and words of www': () => run(process.execPath, ['--test', ...pageTests()], { quiet: true }),
  'lock files': checkLocks,
  'licences and advisories': checkLicences,
  'cargo deny': checkDeny,
};

/** The step that makes the program which tests run. */
const PROGRAM = 'compile: cargo test';

/**
 * Two lanes beside each other, each in this order.
 * @param {boolean} ship
 * @param {Steps} steps
 * @returns {Lane[]}
 */
const lanes = (ship, steps) => [
  {
    // Cargo lets only one of these into its folder.
    clippy: () => cargo('clippy', '--locked', '--all-targets', '--', '-Dwarnings'),
    // Every link in the guide of the crate leads somewhere.
    'cargo doc': () =>
      begin('cargo', ['doc', '--locked', '--no-deps', '--lib'], {
        env: { RUSTDOCFLAGS: '-Dwarnings' },
        quiet: true,
      }),
    [PROGRAM]: () => cargo(...OTHERS, '--no-run'),
    'unit tests of src': () => testRust(...UNIT_TESTS),
    'cargo test': () => testRust(...OTHERS),
    'cargo test --doc': () => testRust('test', '--locked', '--doc'),
  },
  {
    build: ship ? buildAll : buildForTests,
    sizes: () => (ship ? checkSize() : 'left out: only --ship builds what ships'),
    'types of JavaScript': () => bin('typescript/bin/tsc'),
    'tests in Node': () => testJavaScript('node'),
    'tests in Chromium': () => testJavaScript('chromium'),
    'tests beside the program': async () => {
      await steps.passed(PROGRAM);
      await testJavaScript('program');
    },
  },
];
/** Done whichever steps are asked for: the others need them. */
const ALWAYS = ['set-up', 'build'];

async function main() {
  // Incremental state takes a sixth of the compilation, and serves only edits.
  process.env.CARGO_INCREMENTAL ??= existsSync(join(ROOT, 'target', 'debug', 'incremental')) ? '1' : '0';
  const ship = process.argv.includes('--ship');
  const words = process.argv.slice(2).filter((word) => word !== '--ship');
  const wanted = (/** @type {Lane} */ lane) =>
    Object.fromEntries(
      Object.entries(lane).filter(
        ([name]) => !words.length || ALWAYS.includes(name) || words.some((word) => name.includes(word)),
      ),
    );
  const steps = new Steps();
  await steps.lanes(wanted(FIRST));
  await steps.lanes(...lanes(ship, steps).map(wanted));
  steps.show();
  console.log('npm test passed.');
}

program(main);
