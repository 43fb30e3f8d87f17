// The two parts of a wasm module: first.wasm, which a page begins with, and rest.wasm, beside the whole.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/** @import { Excerpt } from './wasm.mjs' */

/** The names of their files. */
export const PARTS = ['first.wasm', 'rest.wasm'];

/** Splits a module by what its script goes through. @param {Excerpt} excerpt */
export async function splitWasm({ name, folder, path }) {
  if (!path) return;
  // binaryen is there once set-up has run.
  const { instrumented, split } = await import('./split-module.mjs');
  const { reordered } = await import('./order-functions.mjs');
  const whole = readFileSync(join(folder, 'rowscape_bg.wasm'));
  const temporary = mkdtempSync(join(tmpdir(), 'rowscape-split-'));
  try {
    const driven = join(temporary, 'driven.wasm');
    writeFileSync(driven, instrumented(whole));
    const script = [`--conditions=${name}`, join(ROOT, 'scripts', path), driven];
    const { first, rest } = split(whole, JSON.parse(run(process.execPath, script, { quiet: true })));
    for (const [at, part] of [first, rest].entries()) writeFileSync(join(folder, PARTS[at]), reordered(part));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
