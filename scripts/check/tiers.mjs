// The second tier of .ci/run, after `npm test`: slow checks, side by side.
//   node scripts/check/tiers.mjs [word …]      only the steps whose names hold one of the words
import { join } from 'node:path';
import { begin, beginNpm, program, ROOT } from '../run.mjs';
import { Steps } from './steps.mjs';

/** @import { Lane } from './steps.mjs' */

const script = (/** @type {string} */ name, /** @type {string[]} */ ...args) =>
  begin(process.execPath, [join(ROOT, 'scripts', 'check', name), ...args], { quiet: true });
const npm = (/** @type {string[]} */ ...args) => beginNpm(['run', ...args], { quiet: true });

/** @type {Lane[]} */
const LANES = [
  // HBase waits most of the time: all else runs beside it.
  { oracle: () => npm('test:oracle', '--', '--short') },
  {
    'clippy for wasm': () => script('clippy-wasm.mjs'),
    'the module in its engines': () => npm('test:wasm'),
    'oldest Rust': () => script('oldest-rust.mjs'),
    'memory of the program': () =>
      begin(process.execPath, ['--test', 'tests/hostile/memory.test.mjs'], { quiet: true }),
    // More of the designs and records made by chance than the ordinary test has.
    'judged cases': () =>
      begin('cargo', ['test', '--locked', '--test', 'core', 'what_is_said_is_true'], {
        env: { ROWSCAPE_CASES: '150' },
        quiet: true,
      }),
    fuzz: () => npm('fuzz', '--', '--seconds', '60'),
  },
  {
    'reproducible modules': () => script('reproducible.mjs', '--keys'),
    // Shows that the bench runs, and that the results of its main job agree.
    bench: () => npm('bench', '--', '--check', '--only', 'Node'),
    matrix: () => npm('test:matrix'),
    sites: () => npm('test:sites'),
    'other browsers': () => npm('test:browsers'),
    python: () => npm('test:python'),
  },
];

program(async () => {
  const words = process.argv.slice(2);
  const wanted = (/** @type {Lane} */ lane) =>
    Object.fromEntries(
      Object.entries(lane).filter(([name]) => !words.length || words.some((word) => name.includes(word))),
    );
  const steps = new Steps();
  await steps.lanes(...LANES.map(wanted));
  steps.show();
});
