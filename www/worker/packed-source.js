// Packed files of a source, with the module for them: fetched once the first is opened.
import { guessKeys, init, Observer, PackedFile, phoenixDesign } from '#formats';
import { bytesOfBlob, isPacked, MAGIC_BYTES, PackedText } from './packed.js';

/** @import { Design, Problem } from '../types.d.ts' */
/** @import { One } from './source.js' */

/** Where the module is. */
let address = '';

/** @param {string} where the module is */
export function packedAt(where) {
  address = where;
}

/** The reader of HBase's own files. */
export async function observer() {
  await init({ module: fetch(address) });
  return Observer;
}

/**
 * The design that statements of Phoenix come to, if they create a table, and what of them is left out; null of a text that is no SQL.
 * @param {string} text
 * @returns {Promise<{ design: Design | null, problems: Problem[] } | null>}
 */
export async function designOfSql(text) {
  await init({ module: fetch(address) });
  return JSON.parse(phoenixDesign(text));
}

/** The search for the parts of row keys. */
export async function keySearch() {
  await init({ module: fetch(address) });
  return guessKeys;
}

/**
 * A file on its way to text; null of files that are no packed ones.
 * @param {One} source
 */
export async function openPacked({ file }) {
  if (!file) return null;
  const head = new Uint8Array(await file.slice(0, MAGIC_BYTES).arrayBuffer());
  if (!isPacked(head)) return null;
  await init({ module: fetch(address) });
  return PackedText.open(PackedFile, head, bytesOfBlob(file));
}
