// npm run check: format, lint, types, rooms, words and fast unit tests, in a minute, for use while a change
// is written. Types need what `npm run build` made once.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { begin, isProgram, program, ROOT, since, Told } from '../run.mjs';
import { checkSubjects } from './words.mjs';

/** Tests of the page's pure scripts; those left out build or pack something. */
export const pageTests = () =>
  readdirSync(join(ROOT, 'tests', 'page'))
    .filter((name) => name.endsWith('.test.mjs') && !/^(release|golden)/.test(name))
    .map((name) => join('tests', 'page', name));

const node = (/** @type {string[]} */ ...args) => begin(process.execPath, args, { quiet: true });
const bin = (/** @type {string} */ path, /** @type {string[]} */ ...args) =>
  node(join(ROOT, 'node_modules', path), ...args);
const cargo = (/** @type {string[]} */ ...args) => begin('cargo', args, { quiet: true });

/**
 * The test reads sources and needs no crate: compiled alone it takes a second, with the others of its program
 * a minute.
 */
export async function testRooms() {
  mkdirSync(join(ROOT, 'target'), { recursive: true });
  const test = join(ROOT, 'target', process.platform === 'win32' ? 'rooms.exe' : 'rooms');
  const source = join(ROOT, 'tests', 'core', 'rooms.rs');
  const env = { CARGO_MANIFEST_DIR: ROOT };
  await begin('rustc', ['--edition', '2024', '--test', source, '-o', test], { env, quiet: true });
  await begin(test, [], { env, quiet: true });
}

/** They run in seconds however they are compiled: without optimization that takes a third of the time. */
export const UNIT_TESTS = ['test', '--locked', '--lib', '--profile', 'dev'];

/** Side by side, each in this order. @type {Record<string, () => unknown>[]} */
const LANES = [
  {
    rustfmt: () => cargo('fmt', '--all', '--check'),
    clippy: () => cargo('clippy', '--locked', '--all-targets', '--', '-Dwarnings'),
    'rooms of src': testRooms,
    'unit tests of src': () => cargo(...UNIT_TESTS),
  },
  {
    'commit subjects': checkSubjects,
    biome: () => bin('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'),
    types: () =>
      existsSync(join(ROOT, 'dist', 'npm', 'index.d.ts'))
        ? bin('typescript/bin/tsc')
        : console.log('types: skipped until npm run build has run once'),
    'rooms, words and tests of www': () => node('--test', ...pageTests()),
  },
];

/** Goes on after a failure: all that is wrong is told at once. */
async function main() {
  const start = performance.now();
  /** @type {string[]} */
  const failed = [];
  await Promise.all(
    LANES.map(async (lane) => {
      for (const [name, step] of Object.entries(lane)) {
        const begun = performance.now();
        try {
          await step();
          console.log(`${since(begun).padStart(8)}  ${name}`);
        } catch (error) {
          failed.push(name);
          console.log(
            `${since(begun).padStart(8)}  ${name} FAILED\n${error instanceof Error ? error.message : error}`,
          );
        }
      }
    }),
  );
  if (failed.length) throw new Told(`npm run check: ${failed.join(', ')} failed.`);
  console.log(`npm run check passed in ${since(start)}; everything: npm test`);
}

if (isProgram(import.meta.url)) program(main);
