import { Pyramid } from './pyramid.js';
import { Sums, sumsOf } from './sums.js';

/** @import { Picture } from '../types.d.ts' */

/** @type {WeakMap<Picture, { pyramid: Pyramid, sums: Sums }>} */
const known = new WeakMap();

/** Values computed once per picture. @param {Picture} picture */
export function workedOut(picture) {
  const before = known.get(picture);
  if (before) return before;
  const { bands, buckets, codes, sum, parts, edges } = picture;
  const sums = new Sums(picture.sums ?? sumsOf(sum, bands, buckets), buckets);
  const pyramid = parts
    ? new Pyramid(
        codes,
        (parts.to - parts.from) * parts.slots,
        buckets,
        parts.from / edges[bands],
        parts.to / edges[bands],
      )
    : new Pyramid(codes, bands, buckets);
  const made = { pyramid, sums };
  known.set(picture, made);
  return made;
}
