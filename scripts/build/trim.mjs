// Makes a module for one use: without the exports that use never calls, and what only they need.
import { readFileSync, writeFileSync } from 'node:fs';
import binaryen from 'binaryen';
import { list, read, written } from './binaryen.mjs';
import { textsOf, without } from './texts.mjs';

/** Exports that emit code. */
const EMITS = /_emit/;

/**
 * @param {string} whole
 * @param {(name: string) => boolean} called
 * @param {string} out
 */
export function trim(whole, called, out) {
  const module = read(readFileSync(whole));
  const exports = list(module.getNumExports(), (at) => binaryen.getExportInfo(module.getExportByIndex(at)));
  for (const { name } of exports) if (!called(name)) module.removeExport(name);
  module.runPasses(['remove-unused-module-elements']);
  const bytes = written(module);
  writeFileSync(
    out,
    exports.some(({ name }) => EMITS.test(name) && called(name)) ? bytes : without(bytes, textsOf(bytes)),
  );
}
