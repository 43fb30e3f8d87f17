// Makes a module small and fast by binaryen's wasm-opt, in a process of its own.
import { join } from 'node:path';
import { begin, ROOT } from '../run.mjs';

const WASM_OPT = join(ROOT, 'node_modules', 'binaryen', 'bin', 'wasm-opt');

/** Features of wasm that rustc uses, and simd128; binaryen.mjs names the same to its API. */
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

/** A function called in one place stays a function: the first part of a module can then be without it. */
const OPTIONS = [
  '--one-caller-inline-max-function-size=0',
  ...FEATURES.map((feature) => `--enable-${feature}`),
];

/**
 * @param {string} module
 * @param {'-O1' | '-O2'} level
 * @param {string} out
 */
export const optimise = (module, level, out) =>
  begin(process.execPath, [WASM_OPT, level, ...OPTIONS, module, '-o', out]);
