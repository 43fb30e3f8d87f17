// npm test: everything that must hold, from set-up to the page in a browser. Stops at the first failure.
//   node scripts/check/index.mjs [word …]      only set-up, the build, and the steps whose names hold one of the words
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from '../build/index.mjs';
import { begin, program, ROOT, run, since, Told } from '../run.mjs';
import { findChromium } from '../setup/chromium.mjs';
import { setUp } from '../setup/index.mjs';
import { WASM, wasmCargo } from '../setup/toolchain.mjs';
import { checkLicences } from './licences.mjs';
import { checkSize } from './size.mjs';
import { beginCompiling, testWasm } from './wasm-tests.mjs';

/** Runs the command of an npm package. @param {string} path below node_modules @param {string[]} args */
const bin = (path, ...args) => run(process.execPath, [join(ROOT, 'node_modules', path), ...args]);

/** Clippy for the wasm library, where the toolchain that builds it has one. */
function clippyWasm() {
  const { cargo, env } = wasmCargo();
  if (cargo !== 'cargo') return "left out: Debian's Rust for wasm comes without clippy";
  const targets = ['--lib', '--test', 'wasm_node', '--test', 'wasm_browser'];
  run(cargo, ['clippy', '--locked', ...targets, '--target', WASM, '--', '-Dwarnings'], { env });
}

/** Each lock file fits its manifest: the fuzzer's is not looked at by anything else here. */
function checkLocks() {
  for (const manifest of ['Cargo.toml', 'tests/fuzz/Cargo.toml']) {
    const args = ['metadata', '--locked', '--format-version=1', '--manifest-path', join(ROOT, manifest)];
    run('cargo', args, { quiet: true });
  }
}

/** The build links and improves one module for minutes, on one core: what is to be tested later is compiled beside it. @param {string[]} steps */
async function build(steps) {
  const rust = async () => {
    if (steps.includes(RUST)) await begin('cargo', ['test', '--locked', '--no-run'], { quiet: true });
    if (steps.includes(IN_WASM)) await beginCompiling();
  };
  await Promise.all([buildAll(), rust()]);
}

/** Laws are tried on the same inputs each time, so that what fails is the change; `cargo test` alone draws new ones. */
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

const RUST = 'cargo test';
const IN_WASM = 'wasm tests in Node and Chromium';
/** In this order, so that what is cheap fails first. What a step returns is shown beside it. @type {Record<string, (steps: string[]) => unknown>} */
const STEPS = {
  'set-up': () => setUp({ browser: true }),
  rustfmt: () => run('cargo', ['fmt', '--all', '--check']),
  biome: () => bin('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'),
  'lock files': checkLocks,
  'licences and advisories': checkLicences,
  clippy: () => run('cargo', ['clippy', '--locked', '--all-targets', '--', '-Dwarnings']),
  'clippy wasm': clippyWasm,
  // Every link in the guide of the crate leads somewhere.
  'cargo doc': () =>
    run('cargo', ['doc', '--locked', '--no-deps', '--lib'], { env: { RUSTDOCFLAGS: '-Dwarnings' } }),
  build,
  sizes: checkSize,
  'types of JavaScript': () => bin('typescript/bin/tsc'),
  [RUST]: testRust,
  [IN_WASM]: testWasm,
  'JavaScript tests in Node and Chromium': testJavaScript,
};
/** Done whichever steps are asked for: the others need them. */
const ALWAYS = ['set-up', 'build'];

async function main() {
  const words = process.argv.slice(2);
  const steps = Object.entries(STEPS).filter(
    ([name]) => !words.length || ALWAYS.includes(name) || words.some((word) => name.includes(word)),
  );
  const start = performance.now();
  /** @type {Record<string, { took: string, result: string }>} */
  const table = {};
  for (const [name, step] of steps) {
    console.log(`\n── ${name}`);
    const begun = performance.now();
    try {
      const found = await step(steps.map(([each]) => each));
      table[name] = { took: since(begun), result: typeof found === 'string' && found ? found : 'passed' };
    } catch (error) {
      table[name] = { took: since(begun), result: 'FAILED' };
      console.log();
      console.table(table);
      const said = error instanceof Told ? error.message : error instanceof Error ? error.stack : error;
      throw new Told(`npm test: ${name} failed.\n${said}\nThis step alone: npm test "${name}"`);
    }
  }
  console.log();
  console.table(table);
  console.log(`npm test passed in ${since(start)}.`);
}

program(main);
