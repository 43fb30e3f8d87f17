// What a visitor downloads stays small: each thing that is loaded, its size compressed, and the most it may have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SITE, sizes } from './build.mjs';
import { NPM } from './package.mjs';
import { isProgram, program, Told } from './run.mjs';

const KB = 1024;

/** What of the page is fetched only when it is opened, or comes in one with later.json. */
const LATER = /^(gallery|messages)\//;
/** The records of an example. */
const RECORDS = /\.csv$/;

/** What the page fetches until its first example is drawn, beside that example's records. */
function untilDrawn() {
  const wanted = new Set(['index.html', 'icon.svg', 'styles.css', 'main.js', 'worker.js', 'pkg/first.wasm']);
  const first = JSON.parse(readFileSync(join(SITE, 'examples', 'index.json'), 'utf8'))[0];
  for (const name of ['index.json', first.design]) wanted.add(`examples/${name}`);
  // Scripts with those that they import at once.
  for (const name of wanted) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(SITE, name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) wanted.add(imported);
  }
  return wanted;
}

/** @param {string} folder @param {(name: string) => boolean} wanted compressed size of its files */
const of = (folder, wanted) =>
  sizes(folder)
    .filter(({ name }) => wanted(name))
    .reduce((sum, { gzip }) => sum + gzip, 0);

/** An entry of the npm package with all it imports, as a bundler makes it. @param {string} entry */
async function bundled(entry) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(NPM, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['node:*'],
    write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

/** Limits follow what is there, so that growth is seen; docs/decisions/0015 has what is aimed at. */
const LIMITS = [
  { what: 'wasm module', limit: 504, size: () => of(NPM, (name) => name === 'rowscape.wasm') },
  { what: 'wasm module of the command line', limit: 636, size: () => of(NPM, (name) => name === 'cli.wasm') },
  { what: 'entry . with the module in it', limit: 547, size: () => bundled('index.js') },
  { what: 'entry ./keys with the module in it', limit: 262, size: () => bundled('keys.js') },
  { what: 'entry ./slim beside the module', limit: 40, size: () => bundled('slim.js') },
  {
    what: 'figure element beside the module',
    limit: 45,
    size: () => of(NPM, (name) => name === 'element.js'),
  },
  {
    what: 'what most figures load',
    limit: 294,
    size: () => of(NPM, (name) => ['element.js', 'rowscape-first.wasm'].includes(name)),
  },
  {
    what: 'all that figures load',
    limit: 471,
    size: () => of(NPM, (name) => /^(element\.js|rowscape-(first|rest)\.wasm)$/.test(name)),
  },
  {
    what: 'figure element with the module in it',
    limit: 469,
    size: () => of(NPM, (name) => name === 'standalone.js'),
  },
  { what: 'first part of the module', limit: 251, size: () => of(SITE, (name) => name === 'pkg/first.wasm') },
  { what: 'rest of the module', limit: 325, size: () => of(SITE, (name) => name === 'pkg/rest.wasm') },
  {
    what: 'page until its first drawing',
    limit: 393,
    size: () => {
      const wanted = untilDrawn();
      return of(SITE, (name) => wanted.has(name));
    },
  },
  {
    what: 'page all in',
    limit: 778,
    size: () => of(SITE, (name) => !LATER.test(name) && !RECORDS.test(name)),
  },
];

/** Prints the table; throws when something is above its limit. */
export async function checkSize() {
  /** @type {Record<string, { KB: number, 'at most': number }>} */
  const table = {};
  for (const { what, limit, size } of LIMITS) {
    table[what] = { KB: Math.round(((await size()) / KB) * 10) / 10, 'at most': limit };
  }
  console.table(table);
  const over = Object.entries(table).filter(([, row]) => row.KB > row['at most']);
  if (over.length) {
    throw new Told(`Too large: ${over.map(([what]) => what).join(', ')}. See which file grew: npm run build`);
  }
  const [wasm, drawn, page] = ['wasm module', 'page until its first drawing', 'page all in'].map(
    (what) => table[what].KB,
  );
  return `compressed: wasm ${wasm} KB, page ${drawn} KB until it draws, ${page} KB all in`;
}

if (isProgram(import.meta.url)) program(checkSize);
