// HBase's `OrderedBytes`: bytes that sort like the values they encode.
import { encodeValue } from './codec.js';

/** @import { Value } from './codec.js' */

/** @typedef {'null' | 'numeric' | 'int8' | 'int16' | 'int32' | 'int64' | 'float32' | 'float64' | 'string' | 'blobVar' | 'blobCopy'} OrderedType */

/**
 * Encodes a value like `OrderedBytes`: `encodeNumeric`, `encodeInt8` …
 * @param {OrderedType} type
 * @param {Value} value
 * @param {{ descending?: boolean }} [options] descending: true if the largest value sorts first
 * @returns {Uint8Array}
 */
export const encode = (type, value, { descending = false } = {}) =>
  encodeValue('ordered', type, value, descending);
