// The wasm module and its JavaScript glue, from the Rust sources of a tree.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';
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
 * Builds the module into a folder.
 * @param {string} out
 * @param {{ root?: string }} [options] root: the tree to build
 */
export function buildWasm(out, { root = ROOT } = {}) {
  const { cargo, env } = wasmCargo({ root });
  const target = join(root, 'target');
  const build = ['build', '--locked', '--release', '--lib', '--target', WASM, '--target-dir', target];
  run(cargo, build, { cwd: root, env });
  mkdirSync(out, { recursive: true });
  const built = join(target, WASM, 'release', 'rowscape.wasm');
  const glue = ['--target', 'web', '--omit-default-module-path', '--out-name', 'rowscape', '--out-dir', out];
  run(tool('bindgen'), [built, ...glue]);
  const wasm = join(out, 'rowscape_bg.wasm');
  const enable = FEATURES.map((name) => `--enable-${name}`);
  const wasmOpt = join(ROOT, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
  run(process.execPath, [wasmOpt, '-O3', ...enable, wasm, '-o', wasm]);
}
