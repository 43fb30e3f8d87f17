// npm test: everything that must hold, from set-up to the page in a browser. Stops at the first failure.
//   node scripts/check/index.mjs [word …]      only set-up, the build, and the steps whose names hold one of the words
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from '../build/index.mjs';
import { begin, program, ROOT, run, since, Told } from '../run.mjs';
import { findChromium } from '../setup/chromium.mjs';
import { setUp } from '../setup/index.mjs';
import { setUpDeny } from '../setup/toolchain.mjs';
import { checkLicences } from './licences.mjs';
import { checkSize } from './size.mjs';
import { checkSubjects } from './words.mjs';

/** Runs the command of an npm package. @param {string} path below node_modules @param {string[]} args */
const bin = (path, ...args) => run(process.execPath, [join(ROOT, 'node_modules', path), ...args]);
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

/**
 * Laws are tried on the same inputs each time, so that what fails is the change; `cargo test` alone draws new
 * ones.
 */
function testRust() {
  run('cargo', ['test', '--locked'], { env: { PROPTEST_RNG_SEED: '20260101' } });
}

/** The tests written in JavaScript, also those that drive Chromium. */
async function testJavaScript() {
  const files = readdirSync(join(ROOT, 'tests'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.test.mjs') && !/^(browser.others|npm.(matrix|sites))\b/.test(name))
    .map((name) => join('tests', name));
  const env = { CHROMIUM: await findChromium() };
  // A browser and a worker keep two cores busy: more files at a time would only wait for each other.
  run(process.execPath, ['--test', '--test-concurrency=2', ...files], { env });
}

/** @typedef {() => unknown} Step what it returns is shown beside it */

/**
 * Compiling for tests and looking at the sources, one after the other: cargo lets only one into its folder.
 * @type {Record<string, Step>}
 */
const BESIDE = {
  clippy: () => cargo('clippy', '--locked', '--all-targets', '--', '-Dwarnings'),
  // Every link in the guide of the crate leads somewhere.
  'cargo doc': () =>
    begin('cargo', ['doc', '--locked', '--no-deps', '--lib'], {
      env: { RUSTDOCFLAGS: '-Dwarnings' },
      quiet: true,
    }),
  'compile: cargo test': () => cargo('test', '--locked', '--no-run'),
};

/** In this order, so that what is cheap fails first. @type {Record<string, Step>} */
const STEPS = {
  'set-up': () => setUp({ tests: true }),
  rustfmt: () => run('cargo', ['fmt', '--all', '--check']),
  biome: () => bin('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'),
  'commit subjects': checkSubjects,
  'lock files': checkLocks,
  'licences and advisories': checkLicences,
  'cargo deny': checkDeny,
  build: buildAll,
  sizes: checkSize,
  'types of JavaScript': () => bin('typescript/bin/tsc'),
  'cargo test': testRust,
  'JavaScript tests in Node and Chromium': testJavaScript,
};
/** Done whichever steps are asked for: the others need them. */
const ALWAYS = ['set-up', 'build'];

/** Seconds of processor time that programs took which have ended; Linux tells. */
function processor() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** @type {Record<string, { took: string, processor: string, result: string }>} */
const table = {};

/** Does a step and adds it to the table. @param {string} name @param {Step} step */
async function done(name, step) {
  console.log(`── ${name}`);
  const [start, before] = [performance.now(), processor()];
  const told = (/** @type {string} */ result) => {
    const spent = processor() - before;
    table[name] = {
      took: since(start),
      processor: Number.isNaN(spent) ? '' : `${spent.toFixed(0)} s`,
      result,
    };
  };
  try {
    const found = await step();
    told(typeof found === 'string' && found ? found : 'passed');
  } catch (error) {
    told('FAILED');
    console.log();
    console.table(table);
    const said = error instanceof Told ? error.message : error instanceof Error ? error.stack : error;
    throw new Told(`npm test: ${name} failed.\n${said}\nThis step alone: npm test "${name}"`);
  }
}

async function main() {
  // Incremental state takes a sixth of the compilation, and serves only edits.
  process.env.CARGO_INCREMENTAL ??= existsSync(join(ROOT, 'target', 'debug', 'incremental')) ? '1' : '0';
  const words = process.argv.slice(2);
  const wanted = (/** @type {Record<string, Step>} */ steps) =>
    Object.entries(steps).filter(
      ([name]) => !words.length || ALWAYS.includes(name) || words.some((word) => name.includes(word)),
    );
  const start = performance.now();
  for (const [name, step] of wanted(STEPS)) {
    if (name !== 'build') await done(name, step);
    else {
      // Linking a module keeps one core busy for a minute.
      const beside = async () => {
        for (const [name, step] of wanted(BESIDE)) await done(name, step);
      };
      await Promise.all([done(name, step), beside()]);
    }
  }
  console.log();
  console.table(table);
  console.log(
    `npm test passed in ${since(start)}. Processor time of steps that run side by side counts for both.`,
  );
}

program(main);
