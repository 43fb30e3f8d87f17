// The page as files for any static host: scripts and styles bundled, with its gallery, languages and
// examples.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, run } from '../run.mjs';
import { NPM } from './package.mjs';

const WWW = join(ROOT, 'www');
const MESSAGES = join(ROOT, 'data', 'messages');
/** Published practice, and row keys of known products. */
const GALLERIES = ['gallery', 'products'].map((name) => join(ROOT, 'data', name));
/** Texts that are opened later, in one file. */
const LATER = 'later.json';
/** Files of the figure element, for those who take a figure of the page along. */
const FIGURE_PARTS = ['element.js', 'element-here.js', 'rowscape-first.wasm', 'rowscape-rest.wasm'];
/** The wasm module in two parts, below `pkg/`. */
export const PARTS = { first: 'first.wasm', rest: 'rest.wasm' };
/** The module for packed files beside it. */
export const FORMATS = 'formats.wasm';

/** Sentences that only parts which are opened later say, by the beginning of their codes. */
export const LATER_SENTENCES =
  /^(alter|code|emit|existing|figure|gallery(?!.not-loaded)|guess(?=.(?:no-)?key-)|help|measure(?!.(?:largest-share|ranges|written-at-once))|migration|observe|plan|settings|simulate|sql|suggest|sweep)\.|^page\.(alter|arrivals|ask|between|by|byte|cells?|compare(?!-(?:applied|before|now|unfixed))|duplicates?|even|existing|export(?=-hint)|family|filter|fix|growth|identity|java|layouts?|link(?=-(?:cop|in|too))|live|maps|migrate|observe|plan|points|policy|property|query|reads|record|requests|reshape|review|salt|same|servers?|share(?=-)|sizing|skew|sort|split|storage(?!-full)|sweep|take|writes|yes)\b/;

/**
 * Divides the sentences, and their forms for one: those of later parts go with `www/text/later-sentences.js`.
 * @type {import('esbuild').Plugin}
 */
const sentences = {
  name: 'sentences',
  setup(bundle) {
    bundle.onResolve({ filter: /messages\/en\.(plurals\.)?json$/ }, ({ path, resolveDir, importer }) => ({
      path: join(resolveDir, path),
      suffix: importer.endsWith('later-sentences.js') ? '?later' : '',
    }));
    bundle.onLoad({ filter: /messages.en\.(plurals\.)?json$/ }, ({ path, suffix }) => {
      const all = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
      const wanted = all.filter(([code]) => LATER_SENTENCES.test(code) === (suffix === '?later'));
      return { contents: JSON.stringify(Object.fromEntries(wanted)), loader: 'json', watchFiles: [path] };
    });
  },
};

/**
 * How esbuild bundles the page's scripts and styles.
 * @param {string} site
 * @returns {import('esbuild').BuildOptions[]}
 */
export function bundles(site) {
  const common = /** @type {const} */ ({
    outdir: site,
    bundle: true,
    format: 'esm',
    chunkNames: '[name]-[hash]',
    target: 'es2022',
    logLevel: 'warning',
    plugins: /** @type {import('esbuild').Plugin[]} */ ([sentences]),
  });
  const entries = (/** @type {string[]} */ names) => names.map((name) => join(WWW, name));
  return [
    // Views that are opened later are files of their own.
    { ...common, entryPoints: entries(['main.js', 'styles.css', 'later.css']), splitting: true },
    // A worker is started from a copy that is at hand: no file lies beside it.
    { ...common, entryPoints: entries(['worker.js']) },
  ];
}

/**
 * Copies what is no script: the document, examples, the gallery, languages.
 * @param {string} site
 * @param {Record<string, object>} [previews] of the examples, by id; a page in development goes without
 */
export function copyFiles(site, previews = {}) {
  for (const name of ['index.html', 'icon.svg', 'examples'])
    cpSync(join(WWW, name), join(site, name), { recursive: true });
  const list = join(site, 'examples', 'index.json');
  const examples = JSON.parse(readFileSync(list, 'utf8'));
  const shown = examples.map((/** @type {{ id: string }} */ one) => ({ ...one, preview: previews[one.id] }));
  writeFileSync(list, JSON.stringify(shown));
  copyGallery(site);
  writeLater(site);
}

/**
 * The gallery and the glossary, fetched when they are opened. The list of entries says what is needed to show
 * it.
 * @param {string} site
 */
function copyGallery(site) {
  const to = join(site, 'gallery');
  const entries = GALLERIES.flatMap((gallery) => {
    cpSync(gallery, to, { recursive: true });
    const json = (/** @type {string} */ name) => JSON.parse(readFileSync(join(gallery, name), 'utf8'));
    return json('index.json').map((/** @type {any} */ { cases: _, ...entry }) => {
      const { name, tables, generate } = json(`${entry.slug}.json`);
      return { ...entry, name, tables: tables?.length ?? 1, generated: Boolean(generate) };
    });
  });
  writeFileSync(join(to, 'index.json'), JSON.stringify(entries));
  mkdirSync(join(site, 'messages'), { recursive: true });
  for (const name of readdirSync(MESSAGES)) {
    const [of, language] = name.split('.');
    if (of === 'glossary' || (of !== 'en' && language === 'json'))
      cpSync(join(MESSAGES, name), join(site, 'messages', name));
    if (of === 'gallery') cpSync(join(MESSAGES, name), join(to, `${language}.json`));
  }
}

/**
 * Writes the texts that are opened later into one file, which is fetched once the first picture is drawn.
 * @param {string} site
 */
function writeLater(site) {
  const later = /^(examples\/(?!index).*\.json|gallery\/.*|messages\/glossary\.en\.json)$/;
  const names = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(site, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((name) => later.test(name) && !/\/(zh|ko)\.json$/.test(name))
    .sort();
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  writeFileSync(join(site, LATER), JSON.stringify(texts));
}

/**
 * Verdicts and pictures of the examples, which are on show before the module is there. A process of its own makes
 * them: the bindings run one module at a time.
 * @param {string} whole path of the wasm module
 * @returns {Record<string, object>}
 */
function previewsOf(whole) {
  const drive = join(ROOT, 'scripts', 'build', 'drive', 'previews.mjs');
  return JSON.parse(run(process.execPath, [drive, whole], { quiet: true }));
}

/**
 * Builds the page.
 * @param {string} site
 * @param {{ whole: string, first: string, rest: string }} module paths of the wasm module and its parts
 * @param {string} formats folder of the module for packed files
 * @param {string} [npm] the built package
 */
export async function buildPage(site, { whole, first, rest }, formats, npm = NPM) {
  const { build } = await import('esbuild');
  rmSync(site, { recursive: true, force: true });
  mkdirSync(join(site, 'pkg'), { recursive: true });
  for (const bundle of bundles(site)) await build({ ...bundle, minify: true });
  copyFiles(site, previewsOf(whole));
  cpSync(first, join(site, 'pkg', PARTS.first));
  cpSync(rest, join(site, 'pkg', PARTS.rest));
  cpSync(join(formats, 'rowscape.wasm'), join(site, 'pkg', FORMATS));
  for (const name of FIGURE_PARTS) cpSync(join(npm, name), join(site, 'rowscape', name));
}
