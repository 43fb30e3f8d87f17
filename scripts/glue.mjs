// The glue of a wasm module, opened: a module in two parts is handed more than wasm-bindgen knows of.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Told } from './run.mjs';

/** Where the glue says what it hands the module, and what is added: more of that, to be filled before the module starts. */
const imports = (/** @type {string} */ name) => `"./${name}_bg.js": import0,\n`;
const MORE = '        ...beside,\n';
const EXPORTS = `
export const beside = {};
export { __wbg_get_imports as imports };
`;
const TYPES = `
/** Imports beside those of the glue, by module. */
export const beside: WebAssembly.Imports;
/** All that the module imports. */
export function imports(): WebAssembly.Imports;
`;

/**
 * @param {string} pkg folder of a module and its glue
 * @param {string} name the module's
 */
export function openGlue(pkg, name) {
  const [glue, types] = [`${name}.js`, `${name}.d.ts`].map((file) => join(pkg, file));
  const parts = readFileSync(glue, 'utf8').split(imports(name));
  if (parts.length !== 2) throw new Told(`${glue}: wasm-bindgen writes its imports otherwise`);
  writeFileSync(glue, parts.join(imports(name) + MORE) + EXPORTS);
  writeFileSync(types, readFileSync(types, 'utf8') + TYPES);
}
