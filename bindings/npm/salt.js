// Salt prefixes: bytes before a key that spread keys over buckets.
import { call } from './error.js';
import { between, bytesOf, keyBytes, list, whole } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Key } from './given.js' */

/** Most bytes of the salt of OpenTSDB: `tsd.storage.salt.width`. */
const WIDEST = 8;

/** @param {...(Uint8Array | number[])} parts */
function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/**
 * The salt byte that Phoenix prepends to a key for SALT_BUCKETS: `SaltingUtil.getSaltingByte`.
 * @param {Key} key
 * @param {number} buckets
 * @returns {number}
 */
export function phoenixByte(key, buckets) {
  const bytes = keyBytes(key);
  return call(() => wasm.phoenixSalt(bytes, whole(buckets, 'buckets')));
}

/**
 * A key with Phoenix's salt byte: `SaltingUtil.getSaltedKey`.
 * @param {Key} key
 * @param {number} buckets
 * @returns {Uint8Array}
 */
export const phoenixKey = (key, buckets) => joined([phoenixByte(key, buckets)], keyBytes(key));

/**
 * The split points of a salted Phoenix table: `SaltingUtil.getSalteByteSplitPoints`.
 * @param {number} buckets
 * @returns {Uint8Array[]}
 */
export const phoenixSplitPoints = (buckets) =>
  call(() => list(wasm.phoenixSaltPoints(whole(buckets, 'buckets'))));

/**
 * A key with the prefix of HBaseWD's `OneByteSimpleHash`, including its bug for a hash of −2³¹.
 * @param {Key} key
 * @param {number} buckets 1 to 256
 * @returns {Uint8Array}
 */
export function hbasewdKey(key, buckets) {
  const bytes = keyBytes(key);
  return joined([call(() => wasm.hbasewdPrefix(bytes, whole(buckets, 'buckets')))], bytes);
}

/**
 * A row key of OpenTSDB: salt, metric, base time, tags.
 * @param {{ metric: Uint8Array, timestamp: number, tags: Uint8Array, buckets: number, width: number }} row
 *   metric: ID of 3 bytes; timestamp: in seconds, of 32 bits; tags: pairs of IDs; width: bytes of the salt, at most 8
 * @returns {Uint8Array}
 */
export function opentsdbKey({ metric, timestamp, tags, buckets, width }) {
  const series = joined(bytesOf(metric, 'metric'), bytesOf(tags, 'tags'));
  between(timestamp, 'timestamp', [-(2 ** 31), 2 ** 32 - 1]);
  between(width, 'width', [0, WIDEST]);
  const salt = call(() => wasm.opentsdbSalt(series, whole(buckets, 'buckets'), width));
  const time = [24, 16, 8, 0].map((shift) => (timestamp >>> shift) & 0xff);
  return joined(salt, metric, time, tags);
}
