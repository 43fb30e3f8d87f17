// Texts of emitted code in the data of a wasm module. A module that emits none is without them; of one in two parts the rest brings
// them, as all functions that emit are there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';

/** The id of the section of data, the last but for those of tools. */
const DATA = 11;
/** The instructions of an offset: i32.const, end. */
const [CONST, END] = [0x41, 0x0b];
const FOLDER = join(ROOT, 'src', 'emit', 'languages');

/** @typedef {{ from: number, to: number, address: number }} Stretch bytes of a module, and where they are in memory */

/** Reads a module from the front. @param {Uint8Array} bytes @param {number} at */
function reader(bytes, at) {
  const number = (/** @type {boolean} */ signed) => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return signed && shift < 32 && byte & 0x40 ? value | (-1 << shift) : value >>> 0;
  };
  return {
    number,
    at: () => at,
    skip: (/** @type {number} */ count) => (at += count),
    byte: () => bytes[at++],
  };
}

/** The stretches of data of a module. @param {Uint8Array} bytes @returns {Stretch[]} */
function dataOf(bytes) {
  const sections = reader(bytes, 8);
  while (sections.at() < bytes.length) {
    const id = sections.byte();
    const length = sections.number(false);
    if (id !== DATA) {
      sections.skip(length);
      continue;
    }
    const data = reader(bytes, sections.at());
    return Array.from({ length: data.number(false) }, () => {
      const [kind, instruction] = [data.byte(), data.byte()];
      const address = data.number(true);
      if (kind !== 0 || instruction !== CONST || data.byte() !== END)
        throw new Error('data of the module has no constant place');
      const size = data.number(false);
      const from = data.at();
      data.skip(size);
      return { from, to: from + size, address };
    });
  }
  return [];
}

/** The texts of emitted code in a module. @param {Uint8Array} bytes @returns {Stretch[]} */
export function textsOf(bytes) {
  const module = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const data = dataOf(bytes);
  return readdirSync(FOLDER).flatMap((name) => {
    const text = readFileSync(join(FOLDER, name));
    const from = module.indexOf(text);
    const to = from + text.length;
    const held = data.find((one) => one.from <= from && to <= one.to);
    return held ? [{ from, to, address: held.address + from - held.from }] : [];
  });
}

/** The module with zeros in place of these texts. @param {Uint8Array} bytes @param {Stretch[]} texts */
export function without(bytes, texts) {
  const blank = Uint8Array.from(bytes);
  for (const { from, to } of texts) blank.fill(0, from, to);
  return blank;
}

/** A number as wasm has it. @param {number} value @param {boolean} signed */
function written(value, signed) {
  const bytes = [];
  for (;;) {
    const byte = value & 0x7f;
    value = signed ? value >> 7 : value >>> 7;
    const last = signed ? (value === 0 && !(byte & 0x40)) || (value === -1 && byte & 0x40) : value === 0;
    bytes.push(last ? byte : byte | 0x80);
    if (last) return bytes;
  }
}

/**
 * A module without data, with these texts of another one of the same memory.
 * @param {Uint8Array} bytes
 * @param {Uint8Array} whole
 * @param {Stretch[]} texts
 */
export function bringing(bytes, whole, texts) {
  if (dataOf(bytes).length) throw new Error('the module has data of its own');
  const segments = texts.flatMap(({ from, to, address }) => [
    Uint8Array.of(0, CONST, ...written(address, true), END, ...written(to - from, false)),
    whole.subarray(from, to),
  ]);
  const body = Buffer.concat([Uint8Array.from(written(texts.length, false)), ...segments]);
  return Buffer.concat([bytes, Uint8Array.of(DATA, ...written(body.length, false)), body]);
}
