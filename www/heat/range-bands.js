/** @import { Picture } from '../types.d.ts' */

/**
 * Where a place among the regions lies among the bands, which may hold several regions each.
 * @param {Pick<Picture, 'bands' | 'edges'>} picture
 * @param {number} place
 */
export function bandOf({ bands, edges }, place) {
  let low = 0;
  let high = bands - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low + Math.min(1, (place - edges[low]) / (edges[low + 1] - edges[low] || 1));
}
