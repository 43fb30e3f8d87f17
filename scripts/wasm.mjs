// The wasm module and its JavaScript glue, from the Rust sources of a tree.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGlue } from './glue.mjs';
import { KEPT, linkedAgain } from './link-again.mjs';
import { reached } from './reached.mjs';
import { begin, ROOT } from './run.mjs';
import { tool, WASM, wasmCargo } from './toolchain.mjs';

const BINARYEN = join(ROOT, 'node_modules', 'binaryen');

/** What the wasm may use: what rustc emits, and simd128. */
const FEATURES = [
  'simd',
  'bulk-memory',
  'bulk-memory-opt',
  'call-indirect-overlong',
  'multivalue',
  'mutable-globals',
  'nontrapping-float-to-int',
  'reference-types',
  'sign-ext',
];

/** What `wasm-opt` is asked beside its level: a function that is called in one place alone stays one, so the first part can be without it. */
const OPTIONS = [
  '--one-caller-inline-max-function-size=0',
  ...FEATURES.map((feature) => `--enable-${feature}`),
];

/**
 * A module that is built: its name, what of the crate is in it, what rustc is asked beside, how much is done to make it small
 * and fast (if anything), and the folder it is compiled in: two are built at a time.
 * @typedef {{ target: string, name: string, features: string[], rustc: string[], profile: string, optimise?: string }} Module
 */

/**
 * What a script can reach of a module, as a module of its own: its name, which is also the condition under which `#core` is its
 * glue, the path of the script in the project, the folder it is built in, and what it is split by (scripts/parts.mjs).
 * @typedef {{ name: string, entry: string, folder: string, path?: string }} Excerpt
 */

/** What the page and the npm package load excerpts of. @type {Module} */
const LIBRARY = {
  target: 'target',
  name: 'rowscape',
  features: ['--no-default-features', '--features', 'emit'],
  rustc: KEPT,
  profile: 'wasm',
  optimise: '-O3',
};
/** The command line. @type {Module} */
export const COMMAND_LINE = {
  target: 'target/cli',
  name: 'rowscape_cli',
  features: ['--features', 'cli'],
  rustc: [],
  profile: 'cli',
  optimise: '-O1',
};

/**
 * Compiles and links a module.
 * @param {Module} module
 * @param {string} root the tree to build
 */
async function compiled({ target, features, rustc, profile }, root) {
  const { cargo, env } = wasmCargo({ root });
  const which = ['--profile', profile, '--lib', '--crate-type', 'cdylib', ...features, '--target', WASM];
  const where = ['--target-dir', target];
  await begin(cargo, ['rustc', '--locked', ...which, ...where, '--', ...rustc], { cwd: root, env });
  return join(root, target, WASM, profile, 'rowscape.wasm');
}

/**
 * Gives a linked module its glue, in a folder.
 * @param {string} linked
 * @param {string} out
 * @param {Module} module
 * @returns {Promise<() => Promise<void>>} what makes it small and fast, which takes longer
 */
async function bound(linked, out, { name, optimise }) {
  mkdirSync(out, { recursive: true });
  const wasm = join(out, `${name}_bg.wasm`);
  // What the result follows from: when all is as it was, the result is there already.
  const made = createHash('sha256')
    .update(readFileSync(linked))
    .update(readFileSync(join(BINARYEN, 'package.json')))
    .update(JSON.stringify([statSync(tool('bindgen')).mtimeMs, optimise, OPTIONS]))
    .digest('hex');
  const stamp = join(out, `.${name}`);
  if (existsSync(wasm) && existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return async () => {};
  rmSync(stamp, { force: true });
  const glue = ['--target', 'web', '--omit-default-module-path', '--out-name', name, '--out-dir', out];
  await begin(tool('bindgen'), [linked, ...glue]);
  openGlue(out, name);
  return async () => {
    if (optimise) await optimised(wasm, optimise);
    writeFileSync(stamp, made);
  };
}

/** @param {string} wasm the path of a module @param {string} level */
async function optimised(wasm, level) {
  await begin(process.execPath, [join(BINARYEN, 'bin', 'wasm-opt'), level, ...OPTIONS, wasm, '-o', wasm]);
  // binaryen is there once set-up has run.
  const { reordered } = await import('./order-functions.mjs');
  writeFileSync(wasm, reordered(readFileSync(wasm)));
}

/**
 * Builds a module into a folder; when it has excerpts, only these are made small and fast.
 * @param {string} out
 * @param {{ root?: string, module?: Module, excerpts?: Excerpt[] }} [options] root: the tree to build
 */
export async function buildWasm(out, { root = ROOT, module = LIBRARY, excerpts = [] } = {}) {
  const linked = await compiled(module, root);
  if (!excerpts.length) return (await bound(linked, out, module))();
  await (await bound(linked, out, { ...module, optimise: undefined }))();
  const whole = new WebAssembly.Module(readFileSync(join(out, `${module.name}_bg.wasm`)));
  const names = new Set(WebAssembly.Module.exports(whole).map(({ name }) => name));
  const small = [];
  for (const { name, folder, entry } of excerpts) {
    const kept = await reached(entry, names);
    const unwanted = (/** @type {string} */ one) => names.has(one) && !kept.has(one);
    small.push(await bound(await linkedAgain(root, linked, name, unwanted), folder, module));
  }
  await Promise.all(small.map((optimise) => optimise()));
}
