// What of the wasm module a script can reach: the exports that are named in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** The glue of any module. */
const GLUE = /[\\/]rowscape\.js$/;

/** The glue as esbuild can leave out the classes that nothing uses: what it does with each at once has no other effect. @type {import('esbuild').Plugin} */
export const leanGlue = {
  name: 'lean glue',
  setup: ({ onLoad }) =>
    onLoad({ filter: GLUE }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^if \(Symbol\.dispose\) .*$/gm, '')
        .replaceAll(': new FinalizationRegistry', ': /* @__PURE__ */ new FinalizationRegistry'),
      loader: 'js',
    })),
};

/** How sources name the glue of a module. */
const NAMED = /^(#core|\.\/wasm\/rowscape\.js)$/;
const WHOLE = join(ROOT, 'dist', 'pkg', 'rowscape.js');

/**
 * A script with all it imports, with or without the glue.
 * @param {string} entry its path in the project
 * @param {boolean} glue
 */
async function text(entry, glue) {
  const { build } = await import('esbuild');
  /** @type {import('esbuild').Plugin} */
  const core = {
    name: 'core',
    setup: ({ onResolve }) => onResolve({ filter: NAMED }, () => ({ path: WHOLE, external: !glue })),
  };
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    // Words of sentences are no names.
    loader: { '.json': 'empty' },
    external: ['./wasm/gunzip.js', './wasm/inlined.js', './wasm/sentences.js'],
    plugins: [core, leanGlue],
  });
  return outputFiles[0].text;
}

/**
 * A function is reached when the bundled glue still names it; a method, when the script's own parts also name a member so.
 * @param {string} entry a script of the project
 * @param {Iterable<string>} exports of the module
 */
export async function reached(entry, exports) {
  const glue = await text(entry, true);
  const own = await text(entry, false);
  const named = (/** @type {string} */ source, /** @type {RegExp} */ pattern) =>
    new Set(Array.from(source.matchAll(pattern), ([, name]) => name));
  const called = named(glue, /\bwasm\d*\.(\w+)/g);
  const members = named(own, /\.(\w+)/g);
  const classes = named(glue, /^(?:var|let|const) (\w+) = class\b/gm);
  const method = new RegExp(`^(?:${[...classes].map((name) => name.toLowerCase()).join('|')})_(\\w+)$`);
  return new Set(
    Array.from(exports).filter((name) => {
      if (name === 'memory' || /^__(?!wbg_)/.test(name)) return true;
      const member = method.exec(name)?.[1];
      return called.has(name) && (!member || member === 'new' || members.has(member));
    }),
  );
}
