// Names and sizes that HBase takes, and the bytes of a cell.
import { call, wrongKind } from './error.js';
import { lengthOf } from './given.js';
import * as wasm from './wasm/rowscape.js';

/**
 * The size of a cell, from the lengths of its parts: `KeyValue`.
 * @param {{ row: number, family: number, qualifier: number, value: number, tag?: number | null }} lengths
 * @returns {{ length: number, withoutTags: number, key: number, tags: number }} length: the whole cell; key: its key;
 *   tags: its tags without their length field
 */
export function keyValueSize(lengths) {
  if (typeof lengths !== 'object' || lengths === null)
    throw wrongKind('lengths', 'an object of lengths', lengths);
  for (const [part, length] of Object.entries(lengths)) {
    if (part !== 'tag' || (length !== null && length !== undefined))
      lengthOf(/** @type {number} */ (length), part);
  }
  return call(() => wasm.keyValue(lengths));
}

/** Limits for lengths in bytes: each function throws if HBase rejects the length. */
export const limits = {
  /** Checks the length of a row key. @param {number} length */
  row: (length) => call(() => wasm.checkLength('row', lengthOf(length, 'length'), 0)),
  /** Checks the length of the row that a scan starts from. @param {number} length */
  startRow: (length) => call(() => wasm.checkLength('start', lengthOf(length, 'length'), 0)),
  /**
   * Checks the length of a split key, which is part of a row of `hbase:meta`.
   * @param {number} length
   * @param {number} tableNameLength
   */
  splitKey: (length, tableNameLength) =>
    call(() =>
      wasm.checkLength('split', lengthOf(length, 'length'), lengthOf(tableNameLength, 'tableNameLength')),
    ),
};
