// Digests and hashes that keys begin with. Text is taken as UTF-8.
import { call } from './error.js';
import { dataBytes, textOf, whole } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** Bytes, or a text taken as UTF-8. @typedef {Uint8Array | string} Data */

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

/** 16 bytes. */
export const md5 = digest('md5');
/** 20 bytes. */
export const sha1 = digest('sha1');
/** 32 bytes. */
export const sha256 = digest('sha256');
/** From 0 to 2³² − 1, as `java.util.zip.CRC32`. */
export const crc32 = (/** @type {Data} */ data) => seeded('crc32')(data);
/** HBase's `MurmurHash`, a signed number of 32 bits. */
export const murmur = seeded('murmur');
/** HBase's `MurmurHash3`, a signed number of 32 bits. */
export const murmur3 = seeded('murmur3');
/** HBase's `JenkinsHash`, a signed number of 32 bits. */
export const jenkins = seeded('jenkins');
/** `Bytes.hashCode` and `Arrays.hashCode(byte[])`, a signed number of 32 bits. */
export const bytesHashCode = (/** @type {Data} */ data) => seeded('java')(data);

/**
 * Java's `String.hashCode`, a signed number of 32 bits.
 * @param {string} text
 * @returns {number}
 */
export const stringHashCode = (text) =>
  call(() => {
    const units = textOf(text, 'text');
    return wasm.stringHash(Uint16Array.from({ length: units.length }, (_, at) => units.charCodeAt(at)));
  });
