// Estimates from a sample are shown with their margin of error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveOf } from '../../www/text/estimate.js';

/** Numbers from 0 to 1, the same in each run (mulberry32). @param {number} seed */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Rows of each region, when `rows` fall into regions of these shares. @param {number[]} shares @param {number} rows @param {() => number} next */
function drawn(shares, rows, next) {
  const found = shares.map(() => 0);
  for (let row = 0; row < rows; row++) {
    let left = next();
    const at = shares.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    found[at < 0 ? shares.length - 1 : at]++;
  }
  return found;
}

/** The report of an interval with these rows per region. @param {number[]} counts */
function momentOf(counts) {
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const squares = counts.reduce((sum, count) => sum + count * count, 0);
  return { rows, effective: (rows * rows) / squares, largestShare: Math.max(...counts) / rows };
}

test('of 200 samples the interval of the regions written at once holds the truth in at least 180', () => {
  for (const [regions, rows] of [
    [4, 30],
    [16, 200],
    [64, 100],
    [64, 2000],
    [1000, 500],
  ]) {
    for (const skew of [0, 0.5, 1.2]) {
      const weights = Array.from({ length: regions }, (_, at) => 1 / (at + 1) ** skew);
      const all = weights.reduce((sum, weight) => sum + weight, 0);
      const shares = weights.map((weight) => weight / all);
      const truth = 1 / shares.reduce((sum, share) => sum + share * share, 0);
      let held = 0;
      let width = 0;
      for (let run = 1; run <= 200; run++) {
        const { value, low, high } = effectiveOf(momentOf(drawn(shares, rows, random(run * 7919))), regions);
        assert.ok(low <= value && value <= high, `${low} ${value} ${high}`);
        if (low <= truth + 1e-9 && truth <= high + 1e-9) held++;
        width += (high - low) / truth / 200;
      }
      assert.ok(held >= 180, `${regions} regions, ${rows} rows, skew ${skew}: ${held} of 200 hold ${truth}`);
      if (rows >= 20 * regions) assert.ok(width < 1, `no interval so wide: ${width}`);
    }
  }
});
