// The wasm module computes in Node and in Chromium what plain JavaScript computes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { ROOT } from '../../../scripts/run.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { answers, byteStrings, lines, SALTS } from '../machine.mjs';

/** @typedef {ReturnType<typeof answers>} Answers */

const WORD = (1n << 64n) - 1n;

/** The finaliser of splitmix64. @param {bigint} value */
function mix(value) {
  let z = (value + 0x9e3779b97f4a7c15n) & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return z ^ (z >> 31n);
}

/** The random salt of the record that begins at this byte of the first file, with seed 0. @param {number} offset */
const saltAt = (offset) => (mix(mix(mix(BigInt(offset))) ^ mix(WORD)) * BigInt(SALTS)) >> 64n;

/** Expected answers, computed by plain means. @returns {Answers} */
function wanted() {
  const all = byteStrings().map((one) => Buffer.from(one));
  const sorted = (/** @type {Buffer[]} */ keys) =>
    keys
      .map((key, row) => ({ key, row }))
      .sort((a, b) => Buffer.compare(a.key, b.key) || a.row - b.row)
      .map(({ key, row }) => [row, key.toString('hex')]);
  const [header, ...records] = lines();
  let offset = header.length;
  const salted = all.map((one, row) => {
    const salt = String(saltAt(offset)).padStart(4, '0');
    offset += records[row].length;
    return Buffer.concat([Buffer.from(salt), one]);
  });
  return {
    plain: sorted(all),
    digests: sorted(all.map((one) => createHash('md5').update(one).digest())),
    salted: sorted(salted),
    notation: all.map((one) => one.toString('hex')),
  };
}

/** @param {Answers} found */
function compare(found) {
  for (const [name, answer] of Object.entries(wanted()))
    assert.deepEqual(found[/** @type {keyof Answers} */ (name)], answer, name);
}

test('in Node: keys sort by unsigned bytes and ties by arrival; digests, salts and the notation of the shell are exact', async () => {
  const module = await import('../../../dist/wasm/rowscape.js');
  module.initSync({ module: readFileSync(join(ROOT, 'dist', 'wasm', 'whole.wasm')) });
  compare(answers(module));
});

test('in Chromium: the same', async () => {
  const host = await serve({ root: ROOT });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage();
    await page.goto(`${host.url}www/icon.svg`);
    const found = await page.evaluate(async () => {
      const [module, machine] = await Promise.all(
        ['/dist/wasm/rowscape.js', '/tests/npm/machine.mjs'].map((path) => import(path)),
      );
      await module.init({ module: '/dist/wasm/whole.wasm' });
      return machine.answers(module);
    });
    compare(found);
  } finally {
    await browser.close();
    await host.close();
  }
});
