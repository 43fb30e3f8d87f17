// Which exports of the wasm module a script can call: those it names.
import { join } from 'node:path';
import { ROOT } from '../run.mjs';
import { other } from './element.mjs';

/** How sources name the bindings of the module. */
const BINDINGS = ['#core', '#formats', './wasm/rowscape.js'];
/** A script of the page that the package has, too. */
const SLICES = /^\.\/wasm\/slices\.js$/;
/** Files of the npm package that the build makes. */
const MADE = ['formats', 'gunzip', 'inlined', 'observe-files', 'packed', 'sentences', 'sql'].map(
  (name) => `./wasm/${name}.js`,
);

/** A script with all it imports but the bindings. @param {string} entry its path in the project */
async function text(entry) {
  const { build } = await import('esbuild');
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
    external: [...BINDINGS, ...MADE, 'node:worker_threads'],
    plugins: [other(SLICES, join(ROOT, 'www', 'worker', 'slices.js'))],
  });
  return outputFiles[0].text;
}

/** @param {string} source @param {RegExp} pattern with one group */
const named = (source, pattern) => new Set(Array.from(source.matchAll(pattern), ([, name]) => name));

/**
 * A function is called when it is named as a member of the bindings; a method, when its class is named so,
 * and a member like it anywhere. wasm-bindgen calls the export of a method `class_method`.
 * @param {...string} entries scripts of the project
 * @returns {Promise<(name: string) => boolean>} whether an export is called
 */
export async function calledBy(...entries) {
  const source = (await Promise.all(entries.map(text))).join('\n');
  const spaces = [...named(source, /^import \* as (\w+) from "[^"]+";$/gm)];
  const own = named(source, new RegExp(`\\b(?:${spaces.join('|')})\\.(\\w+)`, 'g'));
  const classes = new Set(Array.from(own, (name) => name.toLowerCase()));
  const members = named(source, /\.(\w+)/g);
  return (name) => {
    const [, freed, owner, member] = /^__wbg_([a-z]+)_free$|^([a-z]+)_(\w+)$/.exec(name) ?? [];
    if (freed) return classes.has(freed);
    if (owner) return classes.has(owner) && (member === 'new' || members.has(member));
    return name === 'memory' || name.startsWith('__') || own.has(name);
  };
}
