// Limits of HBase, and bytes of a cell.
import { call } from './error.js';
import * as wasm from './wasm/rowscape.js';

/**
 * The bytes of a cell from those of its parts: `KeyValue`.
 * @param {{ row: number, family: number, qualifier: number, value: number, tag?: number | null }} lengths
 * @returns {{ length: number, withoutTags: number, key: number, tags: number }} length: the whole cell; key: its key;
 *   tags: its tags without their own length
 */
export const keyValueSize = (lengths) => call(() => wasm.keyValue(lengths));

/** Lengths in bytes: each function throws when HBase refuses the length. */
export const limits = {
  /** Of a row key. @param {number} length */
  row: (length) => call(() => wasm.checkLength('row', length, 0)),
  /** Of the row a scan starts from. @param {number} length */
  startRow: (length) => call(() => wasm.checkLength('start', length, 0)),
  /** Of a split key: it is part of a row of `hbase:meta`. @param {number} length @param {number} tableNameLength */
  splitKey: (length, tableNameLength) => call(() => wasm.checkLength('split', length, tableNameLength)),
};
