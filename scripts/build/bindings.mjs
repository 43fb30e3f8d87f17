// The JavaScript beside a wasm module: what wasm-bindgen writes, with the loader of bindings/wasm, in one
// script.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { begin, ROOT } from '../run.mjs';
import { BINDGEN } from '../setup/toolchain.mjs';

const LOADER = join(ROOT, 'bindings', 'wasm', 'loader.js');
const NAME = 'rowscape';
/** The module that wasm imports its functions from. */
const GLUE = `${NAME}_bg.js`;

/** Declarations of the loader, after those that wasm-bindgen writes. */
const TYPES = `
/** A compiled module, where the types of WebAssembly are known: without those of the DOM they are not. */
type Compiled = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;
/** The module: its bytes, or compiled. */
export type Code = ArrayBuffer | ArrayBufferView | Compiled;
type Input = Code | string | URL | Request | Response;
type Imports = Record<string, Record<string, any>>;
/** Everything the module imports, and what is given beside. */
export function imports(beside?: Imports): Imports;
/** Starts the module; does nothing if it runs already. */
export function init(given: { module: Input | Promise<Input>; beside?: Imports }): Promise<Record<string, any>>;
/** Starts the module at once. */
export function initSync(given: { module: Code; beside?: Imports }): Record<string, any>;
`;

/**
 * From a linked module, `rowscape.js` with its declarations and `whole.wasm`.
 * @param {string} linked
 * @param {string} folder
 */
export async function bindings(linked, folder) {
  const { build } = await import('esbuild');
  const made = mkdtempSync(join(tmpdir(), 'rowscape-bindings-'));
  const at = (/** @type {string} */ name) => join(made, name);
  try {
    await begin(BINDGEN, [linked, NAME, made]);
    // Named exports: a bundler can then leave out what nothing uses.
    const module = new WebAssembly.Module(readFileSync(at(`${NAME}_bg.wasm`)));
    const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
    writeFileSync(at('package.json'), '{ "type": "module" }');
    const own = Object.keys(await import(pathToFileURL(at(GLUE)).href)).filter(
      (name) => !name.startsWith('__'),
    );
    const named = (/** @type {string[]} */ names) => `export { ${names.join(', ')} } from './${GLUE}';\n`;
    writeFileSync(at('imports.js'), named([...new Set(imported)]));
    writeFileSync(at('entry.js'), `${named(own)}export * from './loader.js';\n`);
    copyFileSync(LOADER, at('loader.js'));
    mkdirSync(folder, { recursive: true });
    await build({
      absWorkingDir: made,
      entryPoints: ['entry.js'],
      outfile: join(folder, `${NAME}.js`),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
    });
    writeFileSync(join(folder, `${NAME}.d.ts`), readFileSync(at(`${NAME}.d.ts`), 'utf8') + TYPES);
    copyFileSync(at(`${NAME}_bg.wasm`), join(folder, 'whole.wasm'));
  } finally {
    rmSync(made, { recursive: true });
  }
}
