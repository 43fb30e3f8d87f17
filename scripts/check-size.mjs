// What a visitor downloads stays small.
import { join } from 'node:path';
import { PKG, SITE, sizes } from './build.mjs';
import { NPM } from './package.mjs';
import { isProgram, program, Told } from './run.mjs';

const KB = 1024;
const WASM_LIMIT = 760 * KB;
/** The page with everything its first view loads, the real example too. */
const PAGE_LIMIT = 1030 * KB;

/** The figure element beside its wasm module. */
const ELEMENT_LIMIT = 45 * KB;

/** What is fetched only when it is opened. */
const LATER = /^(gallery|messages)\//;

/** @param {number} bytes */
const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;

/** Throws when the compressed wasm module or page is above its limit. */
export function checkSize() {
  const total = (/** @type {{ gzip: number }[]} */ files) => files.reduce((sum, { gzip }) => sum + gzip, 0);
  const wasm = total(sizes(PKG).filter(({ name }) => name.endsWith('.wasm')));
  const page = total(sizes(join(SITE)).filter(({ name }) => !LATER.test(name)));
  const element = total(sizes(NPM).filter(({ name }) => name === 'element.js'));
  const found = `wasm ${kb(wasm)} of ${kb(WASM_LIMIT)}, whole page ${kb(page)} of ${kb(PAGE_LIMIT)}, figure element ${kb(element)} of ${kb(ELEMENT_LIMIT)}, compressed`;
  if (wasm > WASM_LIMIT || page > PAGE_LIMIT || element > ELEMENT_LIMIT)
    throw new Told(`Too large: ${found}. See which file grew: npm run build`);
  return found;
}

if (isProgram(import.meta.url)) program(() => console.log(checkSize()));
