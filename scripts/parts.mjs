// The two parts of the wasm module that the page loads: dist/pkg/first.wasm and dist/pkg/rest.wasm; and those of figures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reached } from './reached.mjs';
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
 * Both parts of a module, by what a script goes through.
 * @param {Uint8Array} whole
 * @param {string} path the script beside this one
 */
async function partsBy(whole, path) {
  const { instrumented, split } = await import('./split-module.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-split-'));
  try {
    const driven = join(folder, 'driven.wasm');
    writeFileSync(driven, instrumented(whole));
    return split(
      whole,
      JSON.parse(run(process.execPath, [join(ROOT, 'scripts', path), driven], { quiet: true })),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Splits the module in a folder for the page.
 * @param {string} pkg
 */
export async function splitWasm(pkg) {
  openGlue(pkg);
  const { first, rest } = await partsBy(readFileSync(join(pkg, 'rowscape_bg.wasm')), 'main-path.mjs');
  for (const [at, part] of [first, rest].entries()) writeFileSync(join(pkg, PARTS[at]), part);
}

/**
 * What figures need of the module in a folder, whole and in its two parts.
 * @param {string} pkg
 */
export async function splitFigures(pkg) {
  // binaryen is there once set-up has run.
  const { trimmed } = await import('./split-module.mjs');
  const bytes = readFileSync(join(pkg, 'rowscape_bg.wasm'));
  const names = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name);
  const whole = trimmed(bytes, await reached(names));
  return { whole, ...(await partsBy(whole, 'figure-path.mjs')) };
}
