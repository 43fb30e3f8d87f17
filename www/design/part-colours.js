/** @import { Part } from '../types.d.ts' */

/** Colours there are for the parts of a row key. */
const COLOURS = 6;

/**
 * The colour of each part: parts that name no field are all alike, the others take turns.
 * @param {Part[]} parts
 * @returns {string[]}
 */
export function partColours(parts) {
  let next = 0;
  return parts.map(({ fields }) => (fields.length ? String((next++ % COLOURS) + 1) : 'fixed'));
}
