// The two parts of the wasm module that the page loads, first.wasm and rest.wasm beside it; and those of the module of figures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/** The names of their files. */
export const PARTS = ['first.wasm', 'rest.wasm'];

/**
 * Splits the module in a folder in two, by what a script goes through.
 * @param {string} pkg
 * @param {string} path the script beside this one
 * @param {string[]} [conditions] under which it finds the module's glue
 */
async function splitBy(pkg, path, conditions = []) {
  // binaryen is there once set-up has run.
  const { instrumented, split } = await import('./split-module.mjs');
  const whole = readFileSync(join(pkg, 'rowscape_bg.wasm'));
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-split-'));
  try {
    const driven = join(folder, 'driven.wasm');
    writeFileSync(driven, instrumented(whole));
    const through = run(process.execPath, [...conditions, join(ROOT, 'scripts', path), driven], {
      quiet: true,
    });
    const { first, rest } = split(whole, JSON.parse(through));
    for (const [at, part] of [first, rest].entries()) writeFileSync(join(pkg, PARTS[at]), part);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Splits the module for the page. @param {string} pkg */
export const splitForPage = (pkg) => splitBy(pkg, 'main-path.mjs');

/** Splits the module for figures. @param {string} figures */
export const splitForFigures = (figures) => splitBy(figures, 'figure-path.mjs', ['--conditions=figures']);
