// Modules of wasm as binaryen reads them: what the build does with functions.
import binaryen from 'binaryen';

/** @typedef {InstanceType<typeof binaryen.Module>} Module */
/** @typedef {ReturnType<typeof binaryen.getFunctionInfo>} FunctionInfo */

/** Features of wasm that a module may use; optimise.mjs names the same to wasm-opt. */
const FEATURES =
  binaryen.Features.BulkMemory |
  binaryen.Features.BulkMemoryOpt |
  binaryen.Features.CallIndirectOverlong |
  binaryen.Features.Multivalue |
  binaryen.Features.MutableGlobals |
  binaryen.Features.NontrappingFPToInt |
  binaryen.Features.ReferenceTypes |
  binaryen.Features.SIMD128 |
  binaryen.Features.SignExt;

/** @param {Uint8Array} bytes */
export function read(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  return module;
}

/** @param {Module} module */
export function written(module) {
  if (!module.validate()) throw new Error('the transformed wasm module is invalid');
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

/** @template T @param {number} count @param {(at: number) => T} get */
export const list = (count, get) => Array.from({ length: count }, (_, at) => get(at));

/** @param {Module} module */
export const functions = (module) =>
  list(module.getNumFunctions(), (at) => binaryen.getFunctionInfo(module.getFunctionByIndex(at)));

/** Those with a body. Their order is the same however often the module is read. @param {Module} module */
export const defined = (module) => functions(module).filter(({ base }) => !base);

/**
 * Gives a function another body, and the last place.
 * @param {Module} module
 * @param {FunctionInfo} one
 * @param {number} body
 */
export function replace(module, { name, params, results, vars }, body) {
  module.removeFunction(name);
  module.addFunction(name, params, results, vars, body);
}
