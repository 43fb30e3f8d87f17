// HBase's `OrderedBytes`: values that sort as bytes the way they sort themselves.
import { encodeValue } from './codec.js';

/** @import { Value } from './codec.js' */

/** @typedef {'null' | 'numeric' | 'int8' | 'int16' | 'int32' | 'int64' | 'float32' | 'float64' | 'string' | 'blobVar' | 'blobCopy'} OrderedType */

/**
 * The bytes `OrderedBytes` makes of a value: `encodeNumeric`, `encodeInt8` …
 * @param {OrderedType} type
 * @param {Value} value
 * @param {{ descending?: boolean }} [options] descending: the greatest value first
 * @returns {Uint8Array}
 */
export const encode = (type, value, { descending = false } = {}) =>
  encodeValue('ordered', type, value, descending);
