// The types of Phoenix.
import { encodeValue } from './codec.js';

/** @import { Value } from './codec.js' */

/**
 * Encodes a value like Phoenix: `PDataType.toBytes(value, sortOrder)`.
 * @param {string} type name in SQL, such as `UNSIGNED_INT`, or in Java, such as `PUnsignedInt`
 * @param {Value} value
 * @param {{ descending?: boolean }} [options] descending: true if the largest value sorts first
 * @returns {Uint8Array}
 */
export const toBytes = (type, value, { descending = false } = {}) =>
  encodeValue('phoenix', type, value, descending);
