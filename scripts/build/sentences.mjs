// Which sentences a wasm module can ask for: their codes are texts in it.
import { readFileSync } from 'node:fs';

/** @param {string} wasm its path @returns {(code: string) => boolean} */
export function namedIn(wasm) {
  const texts = readFileSync(wasm, 'latin1');
  return (code) => texts.includes(code);
}
