/** @import { Picture } from '../types.d.ts' */

/**
 * The parts of a picture that determine the places of bands.
 * @typedef {Pick<Picture, 'bands' | 'places'>} Bands
 */

/**
 * Where a band begins among all keys, from 0 to 1. All are as high as each other, but for those that are
 * parts of a region.
 * @param {Bands} picture
 * @param {number} band
 */
export const placeOf = ({ bands, places }, band) => (places ? places[band] : band / bands);

/** The band at a place among all keys. @param {Bands} picture @param {number} place */
export function bandAt({ bands, places }, place) {
  let low = places ? 0 : Math.floor(place * bands);
  for (let high = bands; places && high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (places[middle] <= place) low = middle;
    else high = middle;
  }
  return Math.max(0, Math.min(bands - 1, low));
}

/** The region of a band, or the first of several. @param {Picture} picture @param {number} band */
export const regionOf = ({ edges }, band) => Math.floor(edges[band]);

/** The last region of a band. @param {Picture} picture @param {number} band */
export const lastRegionOf = ({ edges }, band) => Math.ceil(edges[band + 1]) - 1;

/**
 * Which part of its region a band is, from 1, and of how many.
 * @param {Picture} picture
 * @param {number} band
 */
export function partOf(picture, band) {
  const region = regionOf(picture, band);
  const same = (/** @type {number} */ other) =>
    other >= 0 && other < picture.bands && regionOf(picture, other) === region;
  let [first, last] = [band, band];
  while (same(first - 1)) first--;
  while (same(last + 1)) last++;
  return { part: band - first + 1, parts: last - first + 1 };
}

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
