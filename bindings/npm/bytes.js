// Bytes as HBase's `Bytes` class writes, reads and divides them.
import { encodeValue } from './codec.js';
import { call, wrongKind } from './error.js';
import { bytesOf, keyBytes, list, textOf, whole } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Value } from './codec.js' */
/** @import { Key } from './given.js' */

/**
 * Bytes in the notation of the HBase shell, `Bytes.toStringBinary`: printable ASCII except the backslash as it is,
 * other bytes as `\xNN`.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export const toStringBinary = (bytes) => call(() => wasm.toStringBinary(bytesOf(bytes, 'bytes')));

/**
 * Reads the notation of {@link toStringBinary}. Rejects what HBase would silently misread: lowercase
 * `\xff`, `\x4`, non-ASCII characters.
 * @param {string} text
 * @returns {Uint8Array}
 */
export const toBytesBinary = (text) => call(() => wasm.toBytesBinary(textOf(text, 'text'), false));

/**
 * Reads a text exactly like `Bytes.toBytesBinary`, including its surprises: lowercase `\xff` loses only its backslash, and
 * characters above `ff` keep only their low byte.
 * @param {string} text
 * @returns {Uint8Array}
 */
export const toBytesBinaryLenient = (text) => call(() => wasm.toBytesBinary(textOf(text, 'text'), true));

/**
 * The bytes of a value of a Java type: `Bytes.toBytes`. Negative numbers sort after positive ones.
 * @param {'boolean' | 'short' | 'int' | 'long' | 'float' | 'double' | 'BigDecimal' | 'String'} type
 * @param {Value} value
 * @returns {Uint8Array}
 */
export const toBytes = (type, value) => encodeValue('java', type, value, false);

/**
 * The stop row of a scan over all rows that start with `prefix`. Empty (the end of the table) if no row sorts above them all.
 * `ClientUtil.calculateTheClosestNextRowKeyForPrefix`.
 * @param {Key} prefix
 * @returns {Uint8Array}
 */
export const prefixStop = (prefix) => call(() => wasm.prefixStop(keyBytes(prefix, 'prefix')));

/**
 * The start and stop row of `Scan.setStartStopRowForPrefixScan`; without a prefix, the whole table.
 * @param {Key | null} prefix
 */
export function prefixScan(prefix) {
  const startRow = prefix === null ? new Uint8Array() : keyBytes(prefix, 'prefix');
  return { startRow, includeStartRow: true, stopRow: prefixStop(startRow), includeStopRow: false };
}

/**
 * `Bytes.split`: `start`, `num` evenly spaced keys, `end`.
 * @param {Key} start
 * @param {Key} end
 * @param {number} num
 * @param {{ inclusive?: boolean }} [options] inclusive: true if the range includes `end`
 * @returns {Uint8Array[]}
 */
export function split(start, end, num, { inclusive = false } = {}) {
  const ends = [keyBytes(start, 'start'), keyBytes(end, 'end')];
  return call(() => list(wasm.splitBytes(ends[0], ends[1], inclusive, whole(num, 'num'))));
}

/**
 * Compares two keys in HBase's order, for `Array.sort`: negative, 0 or positive.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {number}
 */
export function compare(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}

/**
 * Bytes as lowercase hex digits.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export const toHex = (bytes) =>
  Array.from(bytesOf(bytes, 'bytes'), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The bytes of a string of hex digits.
 * @param {string} digits
 * @returns {Uint8Array}
 */
export function fromHex(digits) {
  if (typeof digits !== 'string' || !/^([0-9a-f]{2})*$/i.test(digits))
    throw wrongKind('digits', 'an even number of hexadecimal digits', digits);
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
