// The two parts of the wasm module that the page loads: dist/pkg/first.wasm and dist/pkg/rest.wasm.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run, Told } from './run.mjs';

/** The names of their files. */
export const PARTS = ['first.wasm', 'rest.wasm'];

/** Where the glue says what it hands the module, and what is added: more of that, to be filled before the module starts. */
const IMPORTS = '"./rowscape_bg.js": import0,\n';
const MORE = `${IMPORTS}        ...beside,\n`;
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

/** @param {string} pkg folder of the module and its glue */
function openGlue(pkg) {
  const [glue, types] = ['rowscape.js', 'rowscape.d.ts'].map((name) => join(pkg, name));
  const text = readFileSync(glue, 'utf8');
  if (text.includes(MORE)) return;
  if (text.split(IMPORTS).length !== 2) throw new Told(`${glue}: wasm-bindgen writes its imports otherwise`);
  writeFileSync(glue, text.replace(IMPORTS, MORE) + EXPORTS);
  writeFileSync(types, readFileSync(types, 'utf8') + TYPES);
}

/**
 * Splits the module in a folder by what the main path goes through.
 * @param {string} pkg
 */
export async function splitWasm(pkg) {
  // binaryen is there once set-up has run.
  const { instrumented, split } = await import('./split-module.mjs');
  openGlue(pkg);
  const whole = readFileSync(join(pkg, 'rowscape_bg.wasm'));
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-split-'));
  try {
    const driven = join(folder, 'driven.wasm');
    writeFileSync(driven, instrumented(whole));
    const said = run(process.execPath, [join(ROOT, 'scripts', 'main-path.mjs'), driven], { quiet: true });
    const { first, rest } = split(whole, JSON.parse(said));
    for (const [at, part] of [first, rest].entries()) writeFileSync(join(pkg, PARTS[at]), part);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
