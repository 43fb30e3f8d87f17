// Split points and regions.
import { toStringBinary } from './bytes.js';
import { call, wrongKind } from './error.js';
import { keyBytes, list, json as toJson } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Key } from './given.js' */

/**
 * How a table is split, as in the `splits` member of a design: by an algorithm of `RegionSplitter`, at given points,
 * like `Admin.createTable(start, end, regions)`, or in another way that FORMAT.md describes. Keys can be bytes.
 * @typedef {{ algorithm: 'HexStringSplit' | 'DecimalStringSplit' | 'UniformSplit', regions: number, first?: Key, last?: Key }
 *   | { points: Key[] }
 *   | { between: [start: Key, end: Key], regions: number }
 *   | { [member: string]: unknown }} Splits
 */

/** As the core reads it: bytes become `\xNN` notation. @param {Splits} splits */
export const json = (splits) =>
  toJson(splits, 'splits', (_, value) => (value instanceof Uint8Array ? toStringBinary(value) : value));

/**
 * The split points in the order that HBase's algorithm produces them.
 * @param {Splits} splits
 * @returns {Uint8Array[]}
 */
export const splitPoints = (splits) => call(() => list(wasm.splitKeys(json(splits))));

/**
 * The regions of a table with these splits; split points are sorted and checked as in HBase. Start row inclusive, stop row
 * exclusive; an empty row is the beginning or end of the table.
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
 * The 0-based index of the region that holds a key in a table with these split points.
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
 * The default first and last row of an algorithm of `RegionSplitter`.
 * @param {string} algorithm
 * @returns {{ first: Uint8Array, last: Uint8Array }}
 */
export function algorithmRows(algorithm) {
  const [first, last] = call(() => list(wasm.algorithmRows(String(algorithm))));
  return { first, last };
}
