// The values that are tried when one thing of a design is varied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesUnder } from '../../www/design/sweeps.js';

/** @param {string} step @param {number} value */
const number = (step, value) =>
  /** @type {import('../../www/types.d.ts').Parameter} */ ({
    parameter: 'number',
    number: 0,
    step,
    value,
    text: '',
  });

test('a width is varied near itself, never to hundreds of digits', () => {
  assert.deepEqual(valuesUnder(number('decimal', 4), null), [1, 2, 3, 5, 6, 7, 8]);
  assert.deepEqual(valuesUnder(number('hex', 2), 16), [1, 3, 4, 5, 6]);
});

test('buckets are tried up to the limit on scans, and only with one', () => {
  assert.equal(valuesUnder(number('bucket', 8), null), undefined);
  assert.deepEqual(valuesUnder(number('bucket', 3), 4), [1, 2, 4]);
});
