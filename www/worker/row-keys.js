// Files of row keys: records of a design that has such keys, or the parts that are found in them. Loaded once there is such a file.
import * as core from '#core';
import { keySearch } from './packed-source.js';
import { concat, HEAD } from './source.js';

/** @import { Guess } from '../types.d.ts' */
/** @import { One } from './source.js' */

/** Places of a file at which more lines are read. */
const PLACES = 16;
const LINE_END = 10;

/**
 * The form of a file of row keys, which may be those of a table of the document.
 * @param {Guess} guess as a file of text
 * @param {KnownFile} known
 * @param {string} document
 */
export async function guessOfKeys(guess, known, document) {
  return (document && keysOf(document, known)) || (await withParts(guess, known));
}

/**
 * The form of a file of row keys with the parts that are found in their bytes, if these give the keys again.
 * @param {Guess} guess
 * @param {KnownFile} known
 */
async function withParts(guess, known) {
  const { file, header, said } = known;
  // The first keys of a table are alike in much in which others differ.
  const bytes = (file.file && (await spread(file.file, known.bytes))) || known.bytes;
  const search = await keySearch();
  const found = JSON.parse(search(bytes, file.name, said, header));
  const tried = found && keysOf(JSON.stringify(found.design), { ...known, bytes, declared: [] });
  return tried ? { ...guess, ...found } : guess;
}

/**
 * A file of which this is known.
 * @typedef {{ bytes: Uint8Array, file: One, header?: boolean, declared: readonly string[], encoding?: string, said: boolean }} KnownFile
 */

/**
 * The form of a file of row keys of a table of the document; null of other files.
 * @param {string} document
 * @param {KnownFile} known
 */
function keysOf(document, { bytes, file, ...known }) {
  const guess = /** @type {Guess} */ (
    core.guessOfDesign(bytes, JSON.stringify({ ...known, name: file.name, document }))
  );
  return guess.input.keys ? guess : null;
}

/**
 * Whole lines from all over a file of text behind its first bytes; null where there is no more, or it is compressed.
 * @param {File} file
 * @param {Uint8Array} first
 */
async function spread(file, first) {
  const stored = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (file.size <= first.length || stored[0] !== first[0] || stored[1] !== first[1]) return null;
  const found = [first.subarray(0, first.lastIndexOf(LINE_END) + 1)];
  for (let place = 1; place <= PLACES; place++) {
    const from = first.length + Math.floor(((file.size - first.length) * (place - 1)) / PLACES);
    const bytes = new Uint8Array(await file.slice(from, from + HEAD / PLACES).arrayBuffer());
    found.push(bytes.subarray(bytes.indexOf(LINE_END) + 1, bytes.lastIndexOf(LINE_END) + 1));
  }
  return concat(found);
}
