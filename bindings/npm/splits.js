// Split points and regions.
import { toStringBinary } from './bytes.js';
import { call, wrongKind } from './error.js';
import { keyBytes, list, json as toJson } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Key } from './given.js' */

/**
 * How a table is split, as in the `splits` member of a design: by an algorithm of `RegionSplitter`, at listed points,
 * as `Admin.createTable(start, end, regions)` does, or in another way of FORMAT.md. Keys may be bytes.
 * @typedef {{ algorithm: 'HexStringSplit' | 'DecimalStringSplit' | 'UniformSplit', regions: number, first?: Key, last?: Key }
 *   | { points: Key[] }
 *   | { between: [start: Key, end: Key], regions: number }
 *   | { [member: string]: unknown }} Splits
 */

/** As the core reads it: bytes become `\xNN` notation. @param {Splits} splits */
export const json = (splits) =>
  toJson(splits, 'splits', (_, value) => (value instanceof Uint8Array ? toStringBinary(value) : value));

/**
 * The split keys as HBase's algorithm makes them, in its order.
 * @param {Splits} splits
 * @returns {Uint8Array[]}
 */
export const splitPoints = (splits) => call(() => list(wasm.splitKeys(json(splits))));

/**
 * The regions of a table that is made so: split keys sorted and checked as HBase does. Start row inclusive, stop row
 * exclusive; an empty row is the table's beginning or end.
 * @param {Splits} splits
 * @returns {{ start: Uint8Array, stop: Uint8Array }[]}
 */
export function regions(splits) {
  return call(() => {
    const handle = wasm.Regions.of(json(splits));
    try {
      const points = list(handle.points());
      const none = new Uint8Array();
      return [none, ...points].map((start, index) => ({ start, stop: points[index] ?? none }));
    } finally {
      handle.free();
    }
  });
}

/**
 * The region, counted from 0, that holds a key in a table with these split points.
 * @param {readonly Key[]} points in any order
 * @param {Key} key
 * @returns {number}
 */
export function regionOf(points, key) {
  if (!Array.isArray(points)) throw wrongKind('points', 'a list of keys', points);
  const wanted = keyBytes(key);
  const keys = points.map((point, index) => keyBytes(point, `points[${index}]`));
  let end = 0;
  const ends = Uint32Array.from(keys, ({ length }) => (end += length));
  const bytes = new Uint8Array(end);
  for (const [index, point] of keys.entries()) bytes.set(point, index ? ends[index - 1] : 0);
  return call(() => {
    const handle = new wasm.Regions(bytes, ends);
    try {
      return handle.regionOf(wanted);
    } finally {
      handle.free();
    }
  });
}

/**
 * The rows between which an algorithm of `RegionSplitter` splits unless others are asked for.
 * @param {string} algorithm
 * @returns {{ first: Uint8Array, last: Uint8Array }}
 */
export function algorithmRows(algorithm) {
  const [first, last] = call(() => list(wasm.algorithmRows(String(algorithm))));
  return { first, last };
}
