// Records on their way into the wasm module: the values of each field as texts laid end to end.
import { RowscapeError, wrongKind } from './error.js';

/**
 * A value of a record. Texts, numbers and booleans are read as they would be in a file; a `Date` is a moment whatever
 * the field's format, a `Uint8Array` the bytes themselves; `null` and `undefined` are missing.
 * @typedef {string | number | bigint | boolean | Date | Uint8Array | null | undefined} FieldValue
 */

/** @typedef {{ bytes: Uint8Array, ends: Uint32Array, missing: Uint32Array, format?: string }} Column */

const LONE_SURROGATE = /\p{Surrogate}/gu;
const utf8 = new TextEncoder();

/** UTF-8 as Java writes it: `?` for half a surrogate pair. */
export const texts = {
  /** @param {string} text */
  encode: (text) => utf8.encode(text.replace(LONE_SURROGATE, '?')),
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A value as text, and how it is written when it is not as the field declares.
 * @param {{ name: string, type: string }} field
 * @param {FieldValue} value
 * @returns {[text: string | Uint8Array, format?: string]}
 */
function written({ name, type }, value) {
  switch (typeof value) {
    case 'string':
      return [value];
    case 'number':
    case 'bigint':
    case 'boolean':
      return [String(value)];
  }
  if (value instanceof Date && type === 'time') return [String(value.getTime()), 'epoch-millis'];
  if (value instanceof Uint8Array && type === 'text') return [value];
  if (value instanceof Uint8Array && type === 'bytes') {
    return [Array.from(value, (byte) => HEX[byte]).join(''), 'hex'];
  }
  throw wrongKind(
    name,
    `a text, a number, a boolean${type === 'time' ? ', a Date' : ', a Uint8Array'} or null`,
    value,
  );
}

/**
 * The values of a field, a record each.
 * @param {{ name: string, type: string }} field
 * @param {ArrayLike<FieldValue>} values
 * @returns {Column}
 */
export function column(field, values) {
  const ends = new Uint32Array(values.length);
  const missing = [];
  let bytes = new Uint8Array(16 * values.length + 16);
  let length = 0;
  /** @type {string | undefined} */
  let format;
  let first = true;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) missing.push(row);
    else {
      const [text, itsFormat] = written(field, value);
      if (!first && itsFormat !== format) throw mixed(field.name);
      [first, format] = [false, itsFormat];
      const piece = typeof text === 'string' ? texts.encode(text) : text;
      if (length + piece.length > bytes.length) {
        const larger = new Uint8Array(2 * (length + piece.length));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(piece, length);
      length += piece.length;
    }
    ends[row] = length;
  }
  return { bytes: bytes.subarray(0, length), ends, missing: Uint32Array.from(missing), format };
}

/** @param {string} field */
function mixed(field) {
  const message = 'a column holds values of two kinds; give all as texts, all as dates, or all as bytes';
  return new RowscapeError({ code: 'value.mixed-kinds', place: { field }, args: {}, message });
}
