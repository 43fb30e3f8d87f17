// Values as bytes. Each type says what it accepts; pass `{ bits }` in hex for a float whose exact bits matter.
import { call } from './error.js';
import * as wasm from './wasm/rowscape.js';

/** A decimal number: a string as for `new BigDecimal(String)`, `unscaled × 10^-scale`, or a number.
 * @typedef {string | number | bigint | { unscaled: string | bigint, scale: number }} Decimal */

/** A point in time: milliseconds since the epoch, a `Date`, or milliseconds with the nanoseconds of the second.
 * @typedef {number | bigint | Date | { millis: number | bigint, nanos: number }} Moment */

/**
 * A value for a type: numbers for numbers (`bigint` beyond 2⁵³), strings for text, `Uint8Array` for bytes.
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
