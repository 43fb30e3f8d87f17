// npm run build: everything that ships, in dist/. The table below says what is made of what; each step is a
// function from files to files in a script of this folder.
//   dist/wasm              the bindings, the whole module, and what the page, figures and the npm package take of it
//   dist/keys, dist/cli, dist/formats
//                          the modules of rowscape/keys, of the command line and for packed files, each with its bindings
//   dist/npm               the npm package
//   dist/site              the page, for any static host
//   dist/rowscape.html     the page in one file
//   node scripts/build/index.mjs --for-tests     the same files, of one module that is compiled quickly
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isProgram, program, ROOT, since } from '../run.mjs';
import { bindings } from './bindings.mjs';
import { calledBy } from './exports.mjs';
import { COMMAND_LINE, compiled, FOR_TESTS, FORMATS, KEYS, WHOLE } from './modules.mjs';
import { buildOneFile } from './one-file.mjs';
import { optimise } from './optimise.mjs';
import { buildPackage, NPM } from './package.mjs';
import { buildPage } from './page.mjs';

const DIST = join(ROOT, 'dist');
export const SITE = join(DIST, 'site');
/** Says what the files beside it were built for. */
const PURPOSE = join(DIST, 'built-for');
/** The end of the name of a file that says what another was made of. */
const STAMP = '.made-of';
/** A wasm module without anything: the whole is in the first part. */
export const NOTHING = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Where the files of wasm modules are. @param {string} folder */
export function wasmFiles(folder) {
  const at = (/** @type {string} */ name) => join(folder, name);
  const parts = (/** @type {string} */ name) => ({
    whole: at(`wasm/${name}.wasm`),
    first: at(`wasm/${name}-first.wasm`),
    rest: at(`wasm/${name}-rest.wasm`),
  });
  return {
    bindings: at('wasm'),
    whole: at('wasm/whole.wasm'),
    npm: at('wasm/npm.wasm'),
    page: parts('page'),
    figures: parts('figures'),
    keys: at('keys'),
    cli: at('cli'),
    formats: at('formats'),
  };
}

/**
 * A step: the steps that make what it is made of, and what it does.
 * @typedef {{ after: string[], make: () => unknown }} Step
 */

/**
 * The steps that make wasm modules.
 * @param {{ root?: string, dist?: string }} [options] root: the tree that is compiled
 * @returns {Record<string, Step>}
 */
export function wasmSteps({ root = ROOT, dist = DIST } = {}) {
  const files = wasmFiles(dist);
  const linked = /** @type {Record<'whole' | 'keys' | 'cli' | 'formats', string>} */ ({});
  const compile =
    (/** @type {keyof typeof linked} */ name, /** @type {typeof WHOLE} */ module) => async () => {
      linked[name] = await compiled(module, { root, quiet: true });
    };
  // binaryen is there once set-up has run.
  const trimmed =
    (/** @type {string} */ out, /** @type {string[]} */ ...entries) =>
    async () => {
      const { trim } = await import('./trim.mjs');
      await once(out, [files.whole], await calledBy(...entries), async (called) => {
        trim(files.whole, called, out);
        await optimise(out, '-O2', out);
      });
    };
  const split = (/** @type {string} */ drive, /** @type {typeof files.page} */ out) => async () =>
    (await import('./split.mjs')).split(out.whole, drive, out);
  const bound =
    (/** @type {'keys' | 'cli' | 'formats'} */ name, /** @type {'-O1' | '-O2'} */ level) => async () => {
      const [made, out] = [join(files[name], 'whole.wasm'), join(files[name], 'rowscape.wasm')];
      await bindings(linked[name], files[name]);
      await once(
        out,
        [made],
        () => true,
        () => optimise(made, level, out),
      );
    };
  return {
    'compile: page, package, figures': { after: [], make: compile('whole', WHOLE) },
    'compile: command line': { after: [], make: compile('cli', COMMAND_LINE) },
    'compile: keys': { after: ['compile: page, package, figures'], make: compile('keys', KEYS) },
    'compile: packed files': { after: ['compile: keys'], make: compile('formats', FORMATS) },
    bindings: {
      after: ['compile: page, package, figures'],
      make: () => bindings(linked.whole, files.bindings),
    },
    'module: page': { after: ['bindings'], make: trimmed(files.page.whole, 'www/worker.js') },
    'module: figures': {
      after: ['bindings'],
      make: trimmed(files.figures.whole, 'bindings/npm/element/thread.js'),
    },
    'module: package': {
      after: ['module: page'],
      make: trimmed(files.npm, 'bindings/npm/slim.js', 'bindings/npm/rowscape-thread.js'),
    },
    'module: keys': { after: ['compile: keys'], make: bound('keys', '-O2') },
    'module: command line': { after: ['compile: command line'], make: bound('cli', '-O1') },
    'module: packed files': { after: ['compile: packed files'], make: bound('formats', '-O2') },
    'parts: page': { after: ['module: page', 'module: packed files'], make: split('page.mjs', files.page) },
    'parts: figures': { after: ['module: figures'], make: split('figures.mjs', files.figures) },
  };
}

/**
 * The step that makes one module for tests: compiled once and left whole, in the place of each module that ships.
 * @returns {Record<string, Step>}
 */
function testSteps() {
  const { bindings: folder, whole, npm, page, figures, ...others } = wasmFiles(DIST);
  const module = async () => {
    await bindings(await compiled(FOR_TESTS, { quiet: true }), folder);
    const at = (/** @type {string} */ name) => join(folder, name);
    for (const other of Object.values(others)) {
      mkdirSync(other, { recursive: true });
      copyFileSync(whole, join(other, 'rowscape.wasm'));
      for (const name of ['rowscape.js', 'rowscape.d.ts']) copyFileSync(at(name), join(other, name));
    }
    for (const out of [npm, page.whole, page.first, figures.whole, figures.first]) copyFileSync(whole, out);
    for (const out of [page.rest, figures.rest]) writeFileSync(out, NOTHING);
    for (const out of readdirSync(DIST, { recursive: true }).map(String))
      if (out.endsWith(STAMP)) rmSync(join(DIST, out));
  };
  return { 'one module for tests': { after: [], make: module } };
}

/**
 * The steps that put modules into what ships.
 * @param {{ page: string[], npm: string[] }} after what they wait for
 * @returns {Record<string, Step>}
 */
function placed({ page, npm }) {
  const files = wasmFiles(DIST);
  return {
    'npm package': { after: npm, make: () => buildPackage(files) },
    // The page gives away the files of figures.
    page: { after: [...page, 'npm package'], make: () => buildPage(SITE, files.page, files.formats) },
    'page in one file': {
      after: ['page'],
      make: () => buildOneFile(SITE, files.page.whole, join(files.formats, 'rowscape.wasm')),
    },
  };
}

/**
 * Makes a file unless it was made of the same before.
 * @param {string} out
 * @param {string[]} from files it is made of
 * @param {(name: string) => boolean} called exports that are kept
 * @param {(called: (name: string) => boolean) => Promise<void>} make
 */
async function once(out, from, called, make) {
  const digest = createHash('sha256');
  const scripts = ['trim.mjs', 'optimise.mjs', 'binaryen.mjs', 'texts.mjs'].map((name) =>
    join(ROOT, 'scripts', 'build', name),
  );
  for (const file of [...from, ...scripts, join(ROOT, 'package-lock.json')])
    digest.update(readFileSync(file));
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(from[0])));
  digest.update(
    exports
      .map(({ name }) => name)
      .filter(called)
      .join(),
  );
  const [stamp, made] = [`${out}${STAMP}`, digest.digest('hex')];
  if (existsSync(out) && existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  mkdirSync(dirname(out), { recursive: true });
  rmSync(stamp, { force: true });
  await make(called);
  writeFileSync(stamp, made);
}

/**
 * Does each step as soon as those are done that it comes after, and says how long it took.
 * @param {Record<string, Step>} table
 */
export async function make(table) {
  /** @type {Record<string, Promise<void>>} */
  const done = {};
  for (const [name, { after, make: step }] of Object.entries(table)) {
    done[name] = (async () => {
      await Promise.all(after.map((before) => done[before]));
      const start = performance.now();
      await step();
      console.log(`${since(start).padStart(8)}  ${name}`);
    })();
  }
  await Promise.all(Object.values(done));
}

/**
 * The files below a folder with their bytes, also compressed.
 * @param {string} folder
 */
export function sizes(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const bytes = readFileSync(path);
      return {
        name: relative(folder, path).replaceAll('\\', '/'),
        raw: bytes.length,
        gzip: gzipSync(bytes, { level: 9 }).length,
      };
    })
    .sort((a, b) => b.gzip - a.gzip);
}

/** @param {Record<string, Step>} steps @param {'ship' | 'tests'} purpose */
async function built(steps, purpose) {
  const start = performance.now();
  rmSync(PURPOSE, { force: true });
  await make(steps);
  writeFileSync(PURPOSE, purpose);
  console.log(
    `Built in ${since(start)}: ${[SITE, NPM].map((path) => relative(ROOT, path)).join(', ')}, dist/rowscape.html`,
  );
}

/** Builds everything that ships. */
export const buildAll = () =>
  built(
    {
      ...wasmSteps(),
      ...placed({
        page: ['parts: page'],
        npm: [
          'module: package',
          'module: keys',
          'module: command line',
          'module: packed files',
          'parts: figures',
        ],
      }),
    },
    'ship',
  );

/** Builds the same files for tests: quickly, and too large to ship. */
export const buildForTests = () => {
  const steps = testSteps();
  const after = Object.keys(steps);
  return built({ ...steps, ...placed({ page: after, npm: after }) }, 'tests');
};

/** True if what was built last ships. */
export const ships = () => existsSync(PURPOSE) && readFileSync(PURPOSE, 'utf8') === 'ship';

if (isProgram(import.meta.url)) program(process.argv.includes('--for-tests') ? buildForTests : buildAll);
