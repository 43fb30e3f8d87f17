// The wasm module and its JavaScript glue, from the Rust sources of a tree.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { begin, ROOT } from './run.mjs';
import { tool, WASM, wasmCargo } from './toolchain.mjs';

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

/**
 * A module that is built: its name, what of the crate is in it, and how much is done to make it small and fast,
 * and the folder it is compiled in: two are built at a time.
 * @typedef {{ target: string, name: string, features: string[], profile: string, optimise: string }} Module
 */

/** What the page and the npm package load. @type {Module} */
const LIBRARY = {
  target: 'target',
  name: 'rowscape',
  features: ['--no-default-features', '--features', 'emit'],
  profile: 'release',
  optimise: '-O3',
};
/** The command line. @type {Module} */
export const COMMAND_LINE = {
  target: 'target/cli',
  name: 'rowscape_cli',
  features: ['--features', 'cli'],
  profile: 'cli',
  optimise: '-O1',
};

/**
 * Builds a module into a folder.
 * @param {string} out
 * @param {{ root?: string, module?: Module }} [options] root: the tree to build
 */
export async function buildWasm(out, { root = ROOT, module = LIBRARY } = {}) {
  const { cargo, env } = wasmCargo({ root });
  const target = join(root, module.target);
  const { name, features, profile, optimise } = module;
  const which = ['--profile', profile, '--lib', ...features, '--target', WASM, '--target-dir', target];
  await begin(cargo, ['build', '--locked', ...which], { cwd: root, env });
  mkdirSync(out, { recursive: true });
  const built = join(target, WASM, profile, 'rowscape.wasm');
  const wasm = join(out, `${name}_bg.wasm`);
  const binaryen = join(ROOT, 'node_modules', 'binaryen');
  // What the result follows from: when all is as it was, the result is there already.
  const made = createHash('sha256')
    .update(readFileSync(built))
    .update(readFileSync(join(binaryen, 'package.json')))
    .update(JSON.stringify([statSync(tool('bindgen')).mtimeMs, optimise, FEATURES]))
    .digest('hex');
  const stamp = join(out, `.${name}`);
  if (existsSync(wasm) && existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  rmSync(stamp, { force: true });
  const glue = ['--target', 'web', '--omit-default-module-path', '--out-name', name, '--out-dir', out];
  await begin(tool('bindgen'), [built, ...glue]);
  const enable = FEATURES.map((feature) => `--enable-${feature}`);
  const wasmOpt = join(binaryen, 'bin', 'wasm-opt');
  await begin(process.execPath, [wasmOpt, optimise, ...enable, wasm, '-o', wasm]);
  writeFileSync(stamp, made);
}
