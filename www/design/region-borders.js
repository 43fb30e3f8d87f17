/** @import { Listed } from '../types.d.ts' */

/**
 * How many of the ascending numbers are below `limit`.
 * @param {Float64Array | Uint32Array} ascending
 * @param {number} limit
 */
function below(ascending, limit) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Index of the first key of a region, or of the first listed one after it.
 * @param {Listed} listed
 * @param {number} region
 */
export function firstKeyOf({ indices, before }, region) {
  const at = below(indices, region);
  return at < before.length ? before[at] : (before.at(-1) ?? 0);
}

/**
 * The region whose first key this is, with the empty regions right before it; null when no region begins
 * here.
 * @param {Listed} listed
 * @param {number} key index of a key
 * @returns {{ first: number, last: number } | null}
 */
export function borderAt({ indices, rows, before, complete }, key) {
  const from = below(before, key);
  let to = from;
  while (before[to] === key && rows[to] === 0) to++;
  if (before[to] !== key) return null;
  return { first: indices[complete ? from : to], last: indices[to] };
}
