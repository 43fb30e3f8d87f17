// Gzip as tapes and copies in blocks leave it: padded with zero bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BrokenGzip, gunzip } from '../../www/worker/gunzip.js';

const text = 'phone,at\n105,2024\n'.repeat(500);
const zeros = (/** @type {number} */ count) => Buffer.alloc(count);

/** @param {Uint8Array} packed @param {number} size of a piece @param {boolean} restarts whether the source can be read again */
async function unpacked(packed, size, restarts) {
  const pieces = async function* () {
    for (let at = 0; at < packed.length; at += size) yield new Uint8Array(packed.subarray(at, at + size));
  };
  const all = [];
  for await (const bytes of gunzip(pieces(), restarts ? async () => pieces() : null)) all.push(bytes);
  return Buffer.concat(all).toString();
}

test('zeros behind a member are padding, whatever the pieces', async () => {
  for (const size of [1, 7, 100, 1 << 16]) {
    for (const [packed, wanted] of /** @type {const} */ ([
      [gzipSync(text), text],
      [Buffer.concat([gzipSync(text), zeros(700)]), text],
      [Buffer.concat([gzipSync(text), zeros(1), gzipSync('more')]), `${text}more`],
      [Buffer.concat([gzipSync(text), zeros(40_000), gzipSync(''), zeros(8), gzipSync('b')]), `${text}b`],
      [Buffer.concat([gzipSync(''), zeros(512)]), ''],
      [Buffer.concat([gzipSync(zeros(5000)), zeros(9)]), '\0'.repeat(5000)],
    ]))
      for (const restarts of [false, true])
        assert.equal(await unpacked(packed, size, restarts), wanted, `pieces of ${size}, ${restarts}`);
  }
});

test('anything else behind a member, and a member cut short, are damage', async () => {
  for (const packed of [
    Buffer.concat([gzipSync(text), Buffer.from('\0\0no gzip')]),
    gzipSync(text).subarray(0, -3),
  ])
    for (const restarts of [false, true]) await assert.rejects(unpacked(packed, 100, restarts), BrokenGzip);
});
