// Digests and hashes for key prefixes. Text is hashed as UTF-8.
import { call } from './error.js';
import { dataBytes, textOf, whole } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** Bytes, or text, which is encoded as UTF-8. @typedef {Uint8Array | string} Data */

/** @param {string} name */
const digest = (name) => (/** @type {Data} */ data) => {
  const bytes = dataBytes(data);
  return /** @type {Uint8Array} */ (call(() => wasm.digest(name, bytes)));
};

/** The seed of HBase's own hashes when none is given: `Hash.hash(HashKey)`. */
const SEED = -1;

/** @param {string} name */
const seeded =
  (name) =>
  (/** @type {Data} */ data, seed = SEED) => {
    const bytes = dataBytes(data);
    return /** @type {number} */ (call(() => wasm.hashNumber(name, bytes, whole(seed, 'seed'))));
  };

/** MD5: 16 bytes. */
export const md5 = digest('md5');
/** SHA-1: 20 bytes. */
export const sha1 = digest('sha1');
/** SHA-256: 32 bytes. */
export const sha256 = digest('sha256');
/** `java.util.zip.CRC32`: a number from 0 to 2³² − 1. */
export const crc32 = (/** @type {Data} */ data) => seeded('crc32')(data);
/** HBase's `MurmurHash`, a signed 32-bit number. */
export const murmur = seeded('murmur');
/** HBase's `MurmurHash3`, a signed 32-bit number. */
export const murmur3 = seeded('murmur3');
/** HBase's `JenkinsHash`, a signed 32-bit number. */
export const jenkins = seeded('jenkins');
/** `Bytes.hashCode` and `Arrays.hashCode(byte[])`, a signed 32-bit number. */
export const bytesHashCode = (/** @type {Data} */ data) => seeded('java')(data);

/**
 * Java's `String.hashCode`, a signed 32-bit number.
 * @param {string} text
 * @returns {number}
 */
export const stringHashCode = (text) =>
  call(() => {
    const units = textOf(text, 'text');
    return wasm.stringHash(Uint16Array.from({ length: units.length }, (_, at) => units.charCodeAt(at)));
  });
