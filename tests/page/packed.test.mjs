// Bytes of a packed file that come in pieces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfPieces } from '../../www/worker/packed.js';

const MIB = 1 << 20;
const all = Uint8Array.from({ length: 5 * MIB }, (_, at) => (at * 31) ^ (at >> 8));

/** @param {number} size of a piece */
async function source(size) {
  const pieces = (async function* () {
    for (let at = 8; at < all.length; at += size) yield all.subarray(at, at + size);
  })();
  return bytesOfPieces(pieces, all.subarray(0, 8));
}

/** @param {Uint8Array} found @param {number} from @param {number} to */
const assertBytes = (found, from, to) =>
  assert.ok(Buffer.from(found).equals(Buffer.from(all.subarray(from, to))), `${from} to ${to}`);

test('pieces give the bytes that are asked for, in order, a little back, and behind what is passed over', async () => {
  for (const size of [1000, 70_000, 3 * MIB]) {
    const bytes = await source(size);
    for (const [from, to] of [
      [0, 9],
      [4, 5000],
      [4000, 300_000],
      [250_000, 2 * MIB],
      [2 * MIB, 2 * MIB + 1],
      [4 * MIB, 4 * MIB + 70],
      [4 * MIB - 100_000, 4 * MIB],
      [5 * MIB - 10, 5 * MIB + 10],
      [5 * MIB, 5 * MIB + 10],
    ])
      assertBytes(await bytes.read(from, to), from, to);
  }
});

test('bytes that are gone are not given as others', async () => {
  const bytes = await source(70_000);
  await bytes.read(4 * MIB, 4 * MIB + 10);
  assert.equal((await bytes.read(0, 100)).length, 0);
});
