// The types of Phoenix.
import { encodeValue } from './codec.js';

/** @import { Value } from './codec.js' */

/**
 * The bytes Phoenix makes of a value: `PDataType.toBytes(value, sortOrder)`.
 * @param {string} type its name in SQL, `UNSIGNED_INT`, or in Java, `PUnsignedInt`
 * @param {Value} value
 * @param {{ descending?: boolean }} [options] descending: the greatest value first
 * @returns {Uint8Array}
 */
export const toBytes = (type, value, { descending = false } = {}) =>
  encodeValue('phoenix', type, value, descending);
