// Conversion of arguments to bytes.
import { encodeText } from './columns.js';
import { call, RowscapeError, wrongKind } from './error.js';
import * as wasm from './wasm/rowscape.js';

/** Row keys: bytes, or text in `\xNN` notation. @typedef {Uint8Array | string} Key */

/**
 * The bytes of a key.
 * @param {Key} key
 * @param {string} [name] of the argument
 * @returns {Uint8Array}
 */
export function keyBytes(key, name = 'key') {
  if (typeof key === 'string') return call(() => wasm.toBytesBinary(key, false));
  return bytesOf(key, name);
}

/**
 * @param {unknown} value
 * @param {string} name of the argument
 * @returns {Uint8Array}
 */
export function bytesOf(value, name) {
  if (value instanceof Uint8Array) return value;
  throw wrongKind(name, 'a Uint8Array', value);
}

/**
 * A value as JSON.
 * @param {unknown} value
 * @param {string} name of the argument
 * @param {(key: string, value: unknown) => unknown} [replacer]
 * @returns {string}
 */
export function json(value, name, replacer = (_, member) => member) {
  let text;
  const checked = (/** @type {string} */ key, /** @type {unknown} */ member) => {
    // JSON has neither; it would silently say null in their place.
    if (typeof member === 'bigint' || (typeof member === 'number' && !Number.isFinite(member)))
      throw wrongKind(key || name, 'a value that JSON can represent', member);
    return replacer(key, member);
  };
  try {
    text = JSON.stringify(value, checked);
  } catch (error) {
    if (error instanceof RowscapeError) throw error;
  }
  if (typeof text === 'string') return text;
  throw wrongKind(name, 'a value that JSON can represent', value);
}

/**
 * A document as JSON text.
 * @param {string | object} document JSON text, or the parsed object
 * @param {string} name of the argument
 * @returns {string}
 */
export function documentText(document, name) {
  if (document === null || !['string', 'object'].includes(typeof document))
    throw wrongKind(name, 'a design as JSON text or as an object', document);
  return typeof document === 'string' ? document : json(document, name);
}

/**
 * @param {string} text
 * @param {string} name of the argument
 */
export function textOf(text, name) {
  if (typeof text === 'string') return text;
  throw wrongKind(name, 'a text', text);
}

/**
 * @param {number} value
 * @param {string} name of the argument
 */
export function whole(value, name) {
  if (Number.isInteger(value) && (value | 0) === value) return value;
  throw wrongKind(name, 'a 32-bit whole number', value);
}

/**
 * @param {number} value
 * @param {string} name of the argument
 * @param {[least: number, most: number]} bounds
 */
export function between(value, name, [least, most]) {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw wrongKind(name, `a whole number from ${least} to ${most}`, value);
}

/**
 * @param {number} value
 * @param {string} name of the argument
 */
export function lengthOf(value, name) {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw wrongKind(name, 'a whole number from 0 on', value);
}

/**
 * Bytes laid end to end, one by one.
 * @param {{ bytes: Uint8Array, ends: Uint32Array }} columns
 * @returns {Uint8Array[]}
 */
export const list = ({ bytes, ends }) =>
  Array.from(ends, (end, index) => bytes.slice(index ? ends[index - 1] : 0, end));

/**
 * Bytes as they are, or a text as Java writes it in UTF-8.
 * @param {Uint8Array | string} data
 * @returns {Uint8Array}
 */
export const dataBytes = (data) => (typeof data === 'string' ? encodeText(data) : bytesOf(data, 'data'));
