// The module for packed files, started once such a file is read.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{
 *   initSync: (wasm: { module: Uint8Array }) => void,
 *   PackedFile: { open(head: Uint8Array, size?: number): object | undefined },
 * }} Formats
 */

/** @type {Formats} */
const { initSync, PackedFile } = await import(new URL('../wasm/formats-bindings.js', import.meta.url).href);

/**
 * A file that begins so on its way to text.
 * @param {Uint8Array} head
 * @param {number | undefined} size
 */
export function unpacker(head, size) {
  initSync({ module: readFileSync(new URL('../formats.wasm', import.meta.url)) });
  return PackedFile.open(head, size);
}
