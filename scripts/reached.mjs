// What of the wasm module the figure element can reach: the exports that are named in its scripts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** What the sources name `#core`. */
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

/** @param {string} entry a script of the element @param {Partial<import('esbuild').BuildOptions>} options */
async function text(entry, options) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'package', 'element', entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    // Words of sentences are no names.
    loader: { '.json': 'empty' },
    ...options,
  });
  return outputFiles?.[0].text ?? '';
}

/**
 * A function is reached when the bundled glue still names it; a method, when the element's own scripts also name a member so.
 * @param {Iterable<string>} exports of the module
 */
export async function reached(exports) {
  const glue = await text('thread.js', { plugins: [leanGlue] });
  const own = await text('thread.js', { external: ['#core'] });
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
