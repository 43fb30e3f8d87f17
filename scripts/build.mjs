// Builds dist/pkg (the wasm module and its glue), dist/page, dist/figures, dist/package and dist/keys (the same of what each can
// reach), dist/npm (the npm package), dist/site (the page, for any static host) and dist/rowscape.html (the
// page in one file).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildOneFile } from './one-file.mjs';
import { buildPackage } from './package.mjs';
import { PARTS, splitWasm } from './parts.mjs';
import { isProgram, program, ROOT, timed } from './run.mjs';
import { buildWasm, COMMAND_LINE } from './wasm.mjs';

export const PKG = join(ROOT, 'dist', 'pkg');
/** Modules of what a script can reach of it. */
export const EXCERPTS = [
  { name: 'page', entry: 'www/worker.js', folder: join(ROOT, 'dist', 'page'), path: 'main-path.mjs' },
  {
    name: 'figures',
    entry: 'bindings/npm/element/thread.js',
    folder: join(ROOT, 'dist', 'figures'),
    path: 'figure-path.mjs',
  },
  { name: 'package', entry: 'bindings/npm/slim.js', folder: join(ROOT, 'dist', 'package') },
  { name: 'keys', entry: 'bindings/npm/keys.js', folder: join(ROOT, 'dist', 'keys') },
];
const [PAGE, FIGURES, PACKAGE, KEYS] = EXCERPTS.map(({ folder }) => folder);
/** The wasm module of the command line. */
export const CLI = join(ROOT, 'dist', 'cli');
export const SITE = join(ROOT, 'dist', 'site');
const WWW = join(ROOT, 'www');
/** What is opened later, in one file. */
const LATER = 'later.json';

/** Bundles the page. */
async function buildPage() {
  const { build } = await import('esbuild');
  rmSync(SITE, { recursive: true, force: true });
  mkdirSync(join(SITE, 'pkg'), { recursive: true });
  /** @param {string[]} names @param {boolean} splitting views that are opened later are files of their own, beside those that import them */
  const bundle = (names, splitting) =>
    build({
      entryPoints: names.map((name) => join(WWW, name)),
      outdir: SITE,
      bundle: true,
      format: 'esm',
      splitting,
      chunkNames: '[name]-[hash]',
      target: 'es2022',
      conditions: ['page'],
      minify: true,
      logLevel: 'warning',
    });
  await bundle(['main.js', 'styles.css'], true);
  // A worker is started from a copy that is at hand: no file lies beside it.
  await bundle(['worker.js'], false);
  for (const name of ['index.html', 'icon.svg', 'examples']) {
    cpSync(join(WWW, name), join(SITE, name), { recursive: true });
  }
  buildGallery();
  buildLater();
  for (const name of PARTS) cpSync(join(PAGE, name), join(SITE, 'pkg', name));
}

/** The gallery and the glossary, fetched when they are opened. The list of entries says what is needed to show it. */
function buildGallery() {
  const [from, to] = [join(ROOT, 'gallery'), join(SITE, 'gallery')];
  cpSync(from, to, { recursive: true });
  const json = (/** @type {string} */ name) => JSON.parse(readFileSync(join(from, name), 'utf8'));
  const entries = json('index.json').map((/** @type {any} */ { cases, ...entry }) => {
    const { name, tables, generate } = json(`${entry.slug}.json`);
    const section = cases[0][0].toLowerCase();
    return { ...entry, name, section, tables: tables?.length ?? 1, generated: Boolean(generate) };
  });
  writeFileSync(join(to, 'index.json'), JSON.stringify(entries));
  const messages = join(ROOT, 'messages');
  mkdirSync(join(SITE, 'messages'), { recursive: true });
  for (const name of readdirSync(messages)) {
    const [of, language] = name.split('.');
    if (of === 'glossary' || (of !== 'en' && language === 'json'))
      cpSync(join(messages, name), join(SITE, 'messages', name));
    if (of === 'gallery') cpSync(join(messages, name), join(to, `${language}.json`));
  }
}

/** What is opened later, in one file: it is fetched once the first picture is drawn. */
function buildLater() {
  const later = /^(examples\/.*\.json|gallery\/.*|messages\/glossary\.en\.json)$/;
  const names = readdirSync(SITE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(SITE, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((name) => later.test(name) && !/\/(zh|ko)\.json$/.test(name))
    .sort();
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(SITE, name), 'utf8')]));
  writeFileSync(join(SITE, LATER), JSON.stringify(texts));
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

/** Builds everything and prints the sizes; with `--page` the wasm module stays as it was built last. */
export async function buildAll() {
  const modules = [PKG, ...EXCERPTS.map(({ folder }) => folder)].map((folder) =>
    join(folder, 'rowscape_bg.wasm'),
  );
  const built = process.argv.includes('--page') && modules.every((wasm) => existsSync(wasm));
  if (!built) {
    // Each is linked on one core.
    await Promise.all([
      timed('Building the wasm modules', () => buildWasm(PKG, { excerpts: EXCERPTS })),
      timed('Building the command line', () => buildWasm(CLI, { module: COMMAND_LINE })),
    ]);
  }
  await timed('Splitting them', async () => {
    for (const excerpt of EXCERPTS) await splitWasm(excerpt);
  });
  await timed('Building the npm package', () =>
    buildPackage({ pkg: PACKAGE, figures: FIGURES, keys: KEYS, cli: CLI }),
  );
  if (!existsSync(join(WWW, 'index.html'))) return;
  await timed('Building the page', buildPage);
  await timed('Building the page in one file', () => buildOneFile(SITE, PAGE));
  const shown = sizes(SITE).filter(({ name }) => !name.startsWith('gallery/'));
  console.table(Object.fromEntries(shown.map(({ name, raw, gzip }) => [name, { bytes: raw, gzip }])));
}

if (isProgram(import.meta.url)) program(buildAll);
