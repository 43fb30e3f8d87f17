// Estimates in words, and regions in parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandAt, bandOf, lastRegionOf, partOf, placeOf, regionOf } from '../../www/heat/bands.js';
import { figureText, largestOf, rounded, rowsOf, shareOf } from '../../www/text/estimate.js';
import { pictureOf } from '../../www/worker/picture.js';
import { beginsOf, inParts } from '../../www/worker/region-parts.js';
import { scaled } from '../../www/worker/scaled.js';

/** @param {number} value */
const tenThousandths = (value) => Math.round(value * 10_000) / 10_000;

test('a share of a sample lies in the interval that the tables of Wilson have', () => {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29, at 95%.
  for (const [have, of, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ]) {
    const found = shareOf(have, of);
    assert.deepEqual([tenThousandths(found.low), tenThousandths(found.high)], [low, high]);
  }
});

test('an estimate says no more digits than its interval knows, and its interval is never narrower', () => {
  assert.deepEqual(rounded({ value: 12_313, low: 12_107, high: 12_519 }), {
    value: 12_300,
    low: 12_100,
    high: 12_600,
  });
  assert.equal(figureText({ value: 12_313, low: 12_313, high: 12_313 }), '12,313');
  assert.equal(
    figureText({ value: 12_313, low: 12_107, high: 12_499 }),
    'about 12,300 (between 12,100 and 12,500)',
  );
  const all = rowsOf(300_000, { rows: 200_000, of: 300_000 });
  assert.ok(all.low < 300_000 && all.high > 299_999.99 && all.low > 299_990);
});

/** Sorted texts as the core orders keys. @param {string[]} keys */
const orderedOf = (keys) => ({
  keyCount: keys.length,
  rank: (/** @type {string} */ key) => keys.filter((one) => one < key).length,
  keys: (/** @type {number} */ first, /** @type {number} */ count) => {
    const found = keys.slice(first, first + count).map((key) => new TextEncoder().encode(key));
    const ends = found.map((_, at) => found.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0));
    return { bytes: Uint8Array.from(found.flatMap((key) => [...key])), ends: Uint32Array.from(ends) };
  },
});

// Region 1 has a key that half of its rows share, region 2 has no row.
const keys = [
  ...Array.from({ length: 40 }, (_, at) => `a${String(at).padStart(2, '0')}`),
  ...Array.from({ length: 20 }, () => 'k-busy'),
  ...Array.from({ length: 20 }, (_, at) => `m${String(at).padStart(2, '0')}`),
  ...Array.from({ length: 3 }, (_, at) => `z${at}`),
];
const starts = ['', 'k', 'n', 'z'];
const regions = /** @type {any} */ (starts.map((start, index) => ({ index, start, rows: 0 })));
const wanted = { from: 0, to: 4, slots: 8 };

test('a region is cut into parts of as many rows, and a busy key is in one of them', () => {
  const begins = beginsOf(orderedOf(keys), regions, wanted);
  const held = begins.map(({ rank }, at) => (begins[at + 1]?.rank ?? keys.length) - rank);
  assert.equal(
    held.reduce((sum, rows) => sum + rows, 0),
    keys.length,
  );
  const of = (/** @type {number} */ region) => held.filter((_, at) => begins[at].region === region);
  assert.deepEqual(of(0), Array(8).fill(5));
  assert.ok(of(1)[0] >= 20, 'the busy key is not shared out');
  assert.deepEqual(of(2), [0]);
  assert.deepEqual(of(3), [1, 1, 1]);
  // As short as tells a key from the one before.
  assert.deepEqual(
    begins.slice(0, 3).map(({ start }) => start),
    ['', 'a05', 'a1'],
  );
  assert.ok(begins.every(({ start }, at) => at === 0 || begins[at - 1].start < start));
});

test('only the regions that are looked at are cut', () => {
  const begins = beginsOf(orderedOf(keys), regions, { from: 1, to: 2, slots: 4 });
  assert.deepEqual(
    begins.filter(({ region }) => region !== 1).map(({ start }) => start),
    ['', 'n', 'z'],
  );
});

test('of very many regions those that are not looked at are one band before and one behind', () => {
  const numbers = Array.from({ length: 3000 }, (_, at) => String(at).padStart(4, '0'));
  const many = /** @type {any} */ (
    numbers.map((start, index) => ({ index, start: index ? start : '', rows: 1 }))
  );
  const begins = beginsOf(orderedOf(numbers.flatMap((key) => [`${key}a`, `${key}b`])), many, {
    from: 1500,
    to: 1503,
    slots: 4,
  });
  assert.deepEqual(
    begins.map(({ region, slot }) => [region, slot]),
    [
      [0, 0],
      [1500, 0],
      [1500, 2],
      [1501, 0],
      [1501, 2],
      [1502, 0],
      [1502, 2],
      [1503, 0],
    ],
  );
});

test('parts lie within their region, each place has its part, and no cell is paler than its part', () => {
  const begins = beginsOf(orderedOf(keys), regions, wanted);
  const buckets = 3;
  const heat = Uint32Array.from({ length: begins.length * buckets }, (_, at) => (at * 7) % 23);
  const report = /** @type {any} */ ({
    regions: begins.map(({ start }, index) => ({ index, start, rows: 1 })),
    regionCount: begins.length,
    regionsPerHeatRow: 1,
    heat,
  });
  const whole = pictureOf(report, 'rows', heat, begins.length);
  const picture = inParts(whole, begins, 4, wanted, null);
  for (let band = 0; band < picture.bands; band++) {
    assert.equal(regionOf(picture, band), begins[band].region);
    assert.equal(lastRegionOf(picture, band), begins[band].region);
    const middle = (placeOf(picture, band) + placeOf(picture, band + 1)) / 2;
    assert.equal(bandAt(picture, middle), band);
    const row = Math.floor(middle * 4 * wanted.slots);
    const cells = whole.codes.subarray(band * buckets, (band + 1) * buckets);
    assert.deepEqual(picture.codes.subarray(row * buckets, (row + 1) * buckets), cells);
  }
  assert.equal(placeOf(picture, 0), 0);
  assert.equal(placeOf(picture, picture.bands), 1);
  assert.deepEqual(partOf(picture, 2), { part: 3, parts: 8 });
  assert.equal(bandOf(picture, 0.25), 2);
});

test('what a sample implies for all rows keeps shares and the average', () => {
  const report = /** @type {any} */ ({
    rows: 10,
    keys: { count: 9, bytes: 90 },
    refused: { count: 1, reasons: [], first: [] },
    skew: { mean: 4.5, median: 4.5, max: 6, maxOverMean: 1.33 },
    moments: {
      rows: Uint32Array.of(5, 4),
      largestShare: Float64Array.of(0.6),
      effective: Float64Array.of(2),
    },
    regions: [{ index: 0, rows: 6, records: 6, share: 0.6, bytes: 60 }],
    heat: Uint32Array.of(1, 2),
    servers: null,
    time: null,
  });
  const found = scaled(report, 2.5);
  assert.deepEqual([found.rows, found.keys.count, found.refused.count], [25, 23, 3]);
  assert.deepEqual([found.skew.mean, found.skew.max, found.skew.maxOverMean], [11.25, 15, 1.33]);
  assert.deepEqual([...found.heat, ...found.moments.rows], [3, 5, 13, 10]);
  assert.deepEqual(found.regions[0], { index: 0, rows: 15, records: 15, share: 0.6, bytes: 150 });
});

test('of 200 samples the interval of the largest share holds the truth at least 180 times', () => {
  // Sixteen regions, all but even: chance decides which is the largest of a sample.
  const shares = Array.from({ length: 16 }, (_, at) => (at ? 0.0625 : 0.0626));
  const [runs, sampled] = [200, 4000];
  let seed = 7;
  const chance = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  let held = 0;
  for (let run = 0; run < runs; run++) {
    const rows = new Uint32Array(shares.length);
    for (let row = 0; row < sampled; row++) rows[Math.min(15, Math.floor(chance() * 16))]++;
    const { low, high } = largestOf(Math.max(...rows), sampled, rows.length);
    if (low <= shares[0] && shares[0] <= high) held++;
    assert.ok(high - low < 0.05, `${low} to ${high}`);
  }
  assert.ok(held >= 180, `${held} of ${runs}`);
});
