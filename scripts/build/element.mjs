// Builds the figure element: one script beside the wasm module, and one with the module inside.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readJson } from '../run.mjs';

const SOURCES = join(ROOT, 'bindings', 'npm', 'element');

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
  bundle: true,
  minify: true,
  write: false,
  target: 'es2022',
  // A site's own server loads the module too, and there it does nothing: lit's build for Node runs in both.
  alias: { 'lit/html.js': join(ROOT, 'node_modules', 'lit-html', 'node', 'lit-html.js') },
  loader: { '.css': 'text' },
  logLevel: 'warning',
};

/**
 * A module with another content.
 * @param {RegExp} filter the path it is imported by
 * @param {string} contents
 * @returns {import('esbuild').Plugin}
 */
export const instead = (filter, contents) => ({
  name: `instead of ${filter}`,
  setup({ onResolve, onLoad }) {
    const namespace = String(filter);
    onResolve({ filter }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /.*/, namespace }, () => ({ contents, loader: 'js' }));
  },
});

/**
 * A module that is another.
 * @param {RegExp} filter the path it is imported by
 * @param {string} path
 * @param {boolean} [external] whether it is a file of its own
 * @returns {import('esbuild').Plugin}
 */
export const other = (filter, path, external = false) => ({
  name: `other than ${filter}`,
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external })),
});

/** Sentences the module has the codes of, but figures never say. */
const ELSEWHERE =
  /^(alter|code|emit|existing|finding|guess(?=.key-)|migration|plan|settings|simulate|suggest|summary|sweep)\./;
/** Properties that take margins. */
const MARGINS = /^page\.(rest|rows-by|bytes-by)-/;

/**
 * The sentences, and their forms for one, that the modules of a bundle name: whole codes, and all that begin
 * as a code put together does.
 * @param {string[]} paths of the modules
 * @param {(code: string) => boolean} more what is said besides
 */
function sentences(paths, more) {
  const source = paths.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
  const whole = new Set(Array.from(source.matchAll(/['`]([a-z-]+\.[\w-]+)['`]/g), ([, code]) => code));
  const begun = Array.from(source.matchAll(/`([a-z-]+\.[\w-]+)\$\{/g), ([, start]) => start);
  const isNamed = (/** @type {string} */ code) =>
    whole.has(code) || more(code) || begun.some((start) => code.startsWith(start));
  const isSaid = (/** @type {string} */ code) => isNamed(code.replace(/\.detail$/, ''));
  return ['en.json', 'en.plurals.json'].map((name) => {
    const kept = Object.entries(readJson(join(ROOT, 'data', 'messages', name))).filter(([code]) =>
      isSaid(code),
    );
    const contents = `export default ${JSON.stringify(Object.fromEntries(kept))};`;
    return instead(new RegExp(`messages/${name.replaceAll('.', '\\.')}$`), contents);
  });
}

/**
 * Bundles twice: first to see which modules there are, then with the sentences they use.
 * @param {import('esbuild').BuildOptions} options
 * @param {(code: string) => boolean} [more] what is said besides
 */
async function bundled(options, more = () => false) {
  const catalogues = /messages\/en\.(plurals\.)?json$/;
  const plugins = options.plugins ?? [];
  const { build } = await import('esbuild');
  const { metafile } = await build({
    ...COMMON,
    ...options,
    minify: false,
    metafile: true,
    absWorkingDir: ROOT,
    outfile: 'out.js',
    plugins: [...plugins, instead(catalogues, 'export default {};')],
  });
  const paths = Object.keys(metafile.inputs).filter((path) => path.endsWith('.js') && !path.includes(':'));
  const own = paths.filter((path) => path.startsWith('bindings/npm/') || path.startsWith('www/'));
  const { outputFiles } = await build({
    ...COMMON,
    ...options,
    absWorkingDir: ROOT,
    outfile: options.outfile,
    plugins: [...plugins, ...sentences(own, more)],
    write: options.write ?? true,
  });
  return outputFiles?.[0]?.text ?? '';
}

/**
 * Builds `element.js` with the file it loads where a page allows no worker, and `standalone.js`.
 * @param {string} npm the folder of the package
 * @param {string} packed the wasm module of figures, for the one with it inside
 * @param {(code: string) => boolean} named whether it names a sentence: the element says it, the worker does not
 */
export async function buildElement(npm, packed, named) {
  const core = (/** @type {string} */ code) => MARGINS.test(code) || (named(code) && !ELSEWHERE.test(code));
  const entry = (/** @type {string} */ name) => [join(SOURCES, name)];
  const thread = { entryPoints: entry('thread.js'), write: false, outfile: join(npm, 'thread.js') };
  const worker = await bundled({ ...thread, format: 'iife' });
  const source = instead(/\/worker-source\.js$/, `export const source = ${JSON.stringify(worker)};`);
  const element = { entryPoints: entry('element.js') };
  const here = other(/^\.\/here\.js$/, './element-here.js', true);
  const module = { ...element, outfile: join(npm, 'element.js'), plugins: [source, here] };
  await bundled({ ...module, format: 'esm' }, core);
  await bundled({ entryPoints: entry('here.js'), format: 'esm', outfile: join(npm, 'element-here.js') });
  const inside = other(/^\.\/wasm\.js$/, join(SOURCES, 'wasm-inside.js'));
  const alone = { ...element, outfile: join(npm, 'standalone.js'), plugins: [source, inside] };
  await bundled({ ...alone, format: 'iife', define: { PACKED: packed } }, core);
  copyFileSync(join(SOURCES, 'element.d.ts'), join(npm, 'element.d.ts'));
}
