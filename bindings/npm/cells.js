// Limits of HBase, and the size of cells.
import { call } from './error.js';
import * as wasm from './wasm/rowscape.js';

/**
 * The size of a cell, from the lengths of its parts: `KeyValue`.
 * @param {{ row: number, family: number, qualifier: number, value: number, tag?: number | null }} lengths
 * @returns {{ length: number, withoutTags: number, key: number, tags: number }} length: the whole cell; key: its key;
 *   tags: its tags without their length field
 */
export const keyValueSize = (lengths) => call(() => wasm.keyValue(lengths));

/** Limits for lengths in bytes: each function throws if HBase rejects the length. */
export const limits = {
  /** A row key. @param {number} length */
  row: (length) => call(() => wasm.checkLength('row', length, 0)),
  /** The start row of a scan. @param {number} length */
  startRow: (length) => call(() => wasm.checkLength('start', length, 0)),
  /** A split point, which is part of a row in `hbase:meta`. @param {number} length @param {number} tableNameLength */
  splitKey: (length, tableNameLength) => call(() => wasm.checkLength('split', length, tableNameLength)),
};
