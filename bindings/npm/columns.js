// Conversion of records for the wasm module: the values of each field as concatenated texts.
import { RowscapeError, wrongKind } from './error.js';

/**
 * A value of a record. Strings, numbers and booleans are read as in a file. A `Date` is a point in time, whatever the
 * format of the field. A `Uint8Array` is the bytes themselves. `null` and `undefined` mean that the value is missing.
 * @typedef {string | number | bigint | boolean | Date | Uint8Array | null | undefined} FieldValue
 */

/** @typedef {{ bytes: Uint8Array, ends: Uint32Array, missing: Uint32Array, format?: string }} Column */

const LONE_SURROGATE = /\p{Surrogate}/u;
const utf8 = new TextEncoder();

/** A text as Java writes it: `?` for half a surrogate pair. @param {string} text */
const whole = (text) =>
  LONE_SURROGATE.test(text) ? text.replace(new RegExp(LONE_SURROGATE, 'gu'), '?') : text;

/** UTF-8 as Java writes it. @param {string} text */
export const encodeText = (text) => utf8.encode(whole(text));

/** Byte strings laid end to end, as they are added. */
class Arena {
  length = 0;

  /** @param {number} room bytes expected */
  constructor(room) {
    this.bytes = new Uint8Array(room);
  }

  /** @param {number} more bytes to make room for */
  #grow(more) {
    const bytes = new Uint8Array(2 * (this.length + more));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }

  /** @param {Uint8Array | string} piece */
  add(piece) {
    const text = typeof piece === 'string';
    const most = text ? 3 * piece.length : piece.length;
    if (this.length + most > this.bytes.length) this.#grow(most);
    if (!text) {
      this.bytes.set(piece, this.length);
      this.length += piece.length;
      return;
    }
    const room = this.bytes.subarray(this.length);
    let { written } = utf8.encodeInto(piece, room);
    // As many bytes as characters: all are ASCII.
    if (written !== piece.length) ({ written } = utf8.encodeInto(whole(piece), room));
    this.length += written;
  }
}

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
  const arena = new Arena(16 * values.length + 16);
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
      arena.add(text);
    }
    ends[row] = arena.length;
  }
  return { bytes: arena.bytes.subarray(0, arena.length), ends, missing: Uint32Array.from(missing), format };
}

/** @param {string} field */
function mixed(field) {
  const message = 'a column holds values of two kinds; give all as texts, all as dates, or all as bytes';
  return new RowscapeError({ code: 'value.mixed-kinds', place: { field }, args: {}, message });
}
