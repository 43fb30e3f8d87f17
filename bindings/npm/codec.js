// Values as bytes. A type says what it takes; a float whose exact bits matter can be given as `{ bits }` in hexadecimal.
import { call } from './error.js';
import * as wasm from './wasm/rowscape.js';

/** A decimal number: a text as `new BigDecimal(String)` takes it, `unscaled × 10^-scale`, or a number.
 * @typedef {string | number | bigint | { unscaled: string | bigint, scale: number }} Decimal */

/** A moment: milliseconds since the epoch, a `Date`, or with the nanoseconds of its second.
 * @typedef {number | bigint | Date | { millis: number | bigint, nanos: number }} Moment */

/**
 * A value for a type: numbers for numbers (`bigint` beyond 2⁵³), texts for texts, `Uint8Array` for bytes.
 * @typedef {Decimal | Moment | { bits: string } | boolean | Uint8Array | null | undefined} Value
 */

/**
 * @param {string} family
 * @param {string} type
 * @param {Value} value
 * @param {boolean} descending
 * @returns {Uint8Array}
 */
export const encodeValue = (family, type, value, descending) =>
  call(() => wasm.encodeValue(family, String(type), descending, value));
