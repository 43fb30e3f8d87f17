// Answers of the module about byte strings on the current machine: vectors are simd128 there, and pointers have 32 bits.

const FIELDS = [{ name: 'b', type: 'bytes', format: 'hex' }];
export const SALTS = 1000;

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Byte strings of many lengths with bytes of every value, some of them twice; the same every time. */
export function byteStrings() {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  const once = Array.from({ length: 2_000 }, (_, at) => Uint8Array.from({ length: 1 + (at % 131) }, next));
  return [...once, ...once.slice(0, 500)];
}

/** A file with a byte string per line. */
export const lines = () => ['b', ...byteStrings().map(hex)].map((line) => `${line}\n`);

/**
 * Row keys in HBase's order with the rows they are of, for three formulas; and the notation of the shell, read back.
 * @param {typeof import('../../dist/wasm/rowscape.js')} module
 */
export function answers(module) {
  const keysOf = (/** @type {string} */ rowkey) => {
    const records = new module.Records({ format: 'csv', fields: FIELDS });
    records.push(new TextEncoder().encode(lines().join('')));
    records.finish();
    const document = JSON.stringify({ rowscape: 1, fields: FIELDS, rowkey });
    const { bytes, ends, rows } = new module.Analysis(records, document).keys(0, byteStrings().length);
    return Array.from(rows, (row, at) => [row, hex(bytes.subarray(at ? ends[at - 1] : 0, ends[at]))]);
  };
  const readBack = (/** @type {Uint8Array} */ one) => module.toBytesBinary(module.toStringBinary(one), false);
  return {
    plain: keysOf('b'),
    digests: keysOf('b.md5()'),
    salted: keysOf(`salt(${SALTS}).decimal(4) + b`),
    notation: byteStrings().map((one) => hex(readBack(one))),
  };
}
