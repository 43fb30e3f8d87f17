import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODES, codesOf } from '../../www/heat/cell-codes.js';
import { levelOfChange, pairOf } from '../../www/heat/difference.js';
import { groupsOf, paintServers } from '../../www/heat/key-axis.js';
import { layoutOf, scalesOf } from '../../www/heat/layout.js';
import { colours, coloursOfCodes, divergingColours, partsOf, pixelsOf } from '../../www/heat/palette.js';
import { Pyramid } from '../../www/heat/pyramid.js';
import { Sums, sumsOf } from '../../www/heat/sums.js';
import { moved, showing, WHOLE, within, zoomed } from '../../www/heat/viewport.js';

/** Numbers that look random but are the same each time. @param {number} length @param {number} below */
const noise = (length, below) => Uint32Array.from({ length }, (_, at) => ((at + 1) * 2654435761) % below);

test('without a time the plot has the room of what is told of moments', () => {
  const [timed, untimed] = [true, false].map((one) => layoutOf(900, 600, one));
  assert.deepEqual([untimed.byTime.height, untimed.share.height], [0, 0]);
  const gained = timed.byTime.height + timed.share.height;
  assert.ok(untimed.plot.height >= timed.plot.height + gained);
  assert.ok(untimed.axisY < untimed.height, 'the axis stays on the picture');
});

test('the busiest cell of every block is on every level of the pyramid', () => {
  const [bands, buckets] = [37, 53];
  const codes = Uint16Array.from(noise(bands * buckets, 60_000));
  const pyramid = new Pyramid(codes, bands, buckets);
  for (const [up, across] of [
    [0, 1],
    [1, 0],
    [2, 3],
    [6, 6],
  ]) {
    const { codes: folded, wide, high } = pyramid.level(up, across);
    assert.deepEqual([wide, high], [Math.ceil(buckets / 2 ** across), Math.ceil(bands / 2 ** up)]);
    const expected = new Uint16Array(wide * high);
    codes.forEach((code, at) => {
      const block = (Math.floor(at / buckets) >> up) * wide + ((at % buckets) >> across);
      expected[block] = Math.max(expected[block], code);
    });
    assert.deepEqual(folded, expected);
  }
});

test('the sum of any rectangle is what its cells add up to', () => {
  const [rows, columns] = [11, 17];
  const cells = noise(rows * columns, 1000);
  const sums = new Sums(sumsOf(cells, rows, columns), columns);
  for (const [top, bottom, left, right] of [
    [0, rows, 0, columns],
    [3, 4, 5, 6],
    [2, 9, 0, 17],
    [4, 4, 1, 8],
    [10, 11, 16, 17],
  ]) {
    let sum = 0;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) sum += cells[row * columns + column];
    }
    assert.equal(sums.of(top, bottom, left, right), sum);
  }
});

test('zooming keeps what is under the pointer, stays within the picture and ends at a cell', () => {
  const picture = { bands: 100, buckets: 250 };
  let span = WHOLE;
  for (let step = 0; step < 40; step++) {
    const before = (0.3 - span.x0) / (span.x1 - span.x0);
    span = within(zoomed(span, 1.3, 0.3, 0.7), picture);
    if (step < 5) assert.ok(Math.abs((0.3 - span.x0) / (span.x1 - span.x0) - before) < 1e-9);
    assert.ok(span.x0 >= 0 && span.x1 <= 1 && span.y0 >= 0 && span.y1 <= 1);
  }
  assert.ok(Math.abs(span.y1 - span.y0 - 1 / 100) < 1e-9);
  assert.ok(Math.abs(span.x1 - span.x0 - 2 / 250) < 1e-9);
  for (let step = 0; step < 40; step++) span = within(zoomed(span, 0.7, 0.9, 0.1), picture);
  assert.deepEqual(span, WHOLE);
});

test('a picture moves no further than its edge, and as little as shows a cell', () => {
  const span = { x0: 0.2, x1: 0.4, y0: 0.5, y1: 0.75 };
  assert.deepEqual(moved(span, -1, 1), { x0: 0, x1: 0.2, y0: 0.75, y1: 1 });
  const shown = showing(span, { bands: 4, buckets: 10 }, { band: 2, bucket: 5 });
  assert.ok(Math.abs(shown.x1 - 0.6) < 1e-9 && shown.y0 === 0.5);
});

test('more is never a smaller code, nothing is none, and the most is the last', () => {
  const cells = [0, 1, 2, 3, 10, 1000, 1_000_000];
  const codes = codesOf(cells, 1_000_000, 1);
  assert.equal(codes[0], 0);
  assert.ok(codes[1] > 0);
  assert.equal(codes.at(-1), CODES - 1);
  assert.ok(codes.every((code, at) => at === 0 || code > codes[at - 1]));
  const shares = codesOf([0, 0.001, 0.5, 1], 1, 1000);
  assert.ok(shares[1] > 0 && shares[1] < shares[2] && shares[2] < shares[3]);
});

test('linear colours are darker than logarithmic ones below the most, and brightness lifts both', () => {
  const picture = { top: 10_000, one: 1 };
  const [code] = codesOf([500], 10_000, 1);
  const levels = pixelsOf(colours('dark'));
  const at = (/** @type {{ gain: number, linear: boolean }} */ brightness) =>
    levels.indexOf(coloursOfCodes(picture, 'dark', brightness)[code]);
  const [log, linear] = [at({ gain: 1, linear: false }), at({ gain: 1, linear: true })];
  // log1p(500) / log1p(10000) and 500 / 10000 of 255 levels.
  assert.ok(Math.abs(log - 172) <= 1, String(log));
  assert.ok(Math.abs(linear - 13) <= 1, String(linear));
  assert.ok(at({ gain: 4, linear: false }) > log && at({ gain: 4, linear: true }) > linear);
});

test('an even share has the same pale color among few regions and many, and all of them in one the strongest', () => {
  const parts = [4, 8].map((top) => partsOf({ metric: 'even', top, one: 16 }, { gain: 1, linear: true }));
  assert.deepEqual(
    parts.map((part) => part(1)),
    [1 / 8, 1 / 8],
  );
  assert.deepEqual([parts[0](4), parts[1](8)], [1, 1]);
  assert.ok(parts[0](2) > parts[1](2));
});

test('neighbouring keys that begin alike are named together, in bytes', () => {
  const starts = ['', 'user|a1', 'user|a5', 'user|a9', 'user|b1', 'user|b4', 'user|b8', 'user|c1', 'user|c4'];
  assert.deepEqual(
    groupsOf(starts, 1, 9, 2).map(({ name, first, last }) => [name, first, last]),
    [
      ['user|a', 1, 3],
      ['user|b', 4, 6],
      ['user|c', 7, 8],
    ],
  );
  const salted = ['\\x00a', '\\x00m', '\\x01a', '\\x01m'];
  assert.deepEqual(
    groupsOf(salted, 0, 4, 1).map(({ name }) => name),
    ['\\x00', '\\x01'],
  );
  assert.deepEqual(groupsOf(['', 'a', 'b', 'c'], 0, 4, 1), [], 'a group for each key says nothing');
});

/** @param {number} bands @param {number[]} peak */
const sheet = (bands, peak) =>
  /** @type {any} */ ({ picture: { bands, buckets: peak.length / bands, peak }, time: null });

test('designs of other numbers of regions are laid on the same lines', () => {
  const { lines, one, other, most } = pairOf(sheet(2, [1, 2, 3, 4]), sheet(3, [5, 0, 0, 0, 0, 9]));
  assert.equal(lines, 6);
  assert.equal(most, 9);
  assert.deepEqual([...one], [1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4]);
  assert.deepEqual([...other], [5, 0, 5, 0, 0, 0, 0, 0, 0, 9, 0, 9]);
  assert.deepEqual([levelOfChange(0, 9), levelOfChange(9, 9), levelOfChange(-9, 9)], [128, 255, 1]);
  assert.ok(levelOfChange(1, 1e9) > 128 && levelOfChange(-1, 1e9) < 128);
});

/**
 * How a colour looks to those who lack a kind of cone: Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
 * @type {Record<string, number[][]>}
 */
const BLINDNESS = {
  none: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** A colour in CIELAB as it looks. @param {number[]} rgb from 0 to 255 @param {number[][]} seen */
function lab(rgb, seen) {
  const linear = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = seen.map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        row.reduce((sum, factor, at) => sum + factor * linear[at], 0),
      ),
    ),
  );
  const f = (/** @type {number} */ t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

for (const scheme of /** @type {const} */ (['light', 'dark'])) {
  for (const [kind, seen] of Object.entries(BLINDNESS)) {
    const at = (/** @type {Uint8ClampedArray} */ table, /** @type {number} */ level) =>
      lab([...table.subarray(level * 3, level * 3 + 3)], seen);
    const apart = (/** @type {number[]} */ one, /** @type {number[]} */ other) =>
      Math.hypot(...one.map((part, index) => part - other[index]));

    test(`${scheme}, ${kind}: more rows always look lighter or always darker, and steps are told apart`, () => {
      const table = colours(scheme);
      const sign = scheme === 'dark' ? 1 : -1;
      for (let level = 17; level < 256; level += 16) {
        const [low, high] = [at(table, level - 16), at(table, level)];
        assert.ok(sign * (high[0] - low[0]) > -0.5, `lightness at ${level}`);
        assert.ok(apart(low, high) > 4, `${apart(low, high)} at ${level}`);
      }
      assert.ok(apart(at(table, 0), at(table, 1)) > 4, 'one row is not no row');
    });

    test(`${scheme}, ${kind}: fewer and more look different, as far as they are from none`, () => {
      const table = divergingColours(scheme);
      for (const far of [32, 64, 96, 127]) {
        const [fewer, more] = [at(table, 128 - far), at(table, 128 + far)];
        assert.ok(apart(fewer, more) > 20, `${apart(fewer, more)} at ${far}`);
        assert.ok(apart(fewer, at(table, 128)) > 10 && apart(more, at(table, 128)) > 10);
      }
    });
  }
}

test('regions are dealt out to servers in turn, each server a shade of its own', () => {
  /** @type {string[]} */
  const boxes = [];
  const pen = /** @type {any} */ ({
    globalAlpha: 1,
    fillRect: () => boxes.push(`${pen.fillStyle} ${pen.globalAlpha.toFixed(1)}`),
  });
  for (const name of ['save', 'restore', 'beginPath', 'rect', 'clip', 'fillText']) pen[name] = () => {};
  const layout = layoutOf(800, 400, true, true);
  assert.ok(layout.plot.width < layoutOf(800, 400).plot.width, 'their room is the plot’s without them');
  const scene = /** @type {any} */ ({
    ...scalesOf(layout, WHOLE),
    layout,
    span: WHOLE,
    view: { regionCount: 6 },
    sheet: { picture: { bands: 6, edges: Uint32Array.of(0, 1, 2, 3, 4, 5, 6) } },
    servers: 3,
    look: { bar: 'bar', accent: 'accent' },
    firstBand: 0,
    lastBand: 6,
  });
  paintServers(pen, scene, null);
  assert.deepEqual(
    boxes,
    [0, 1, 2, 0, 1, 2].map((server) => `bar ${(0.2 + 0.3 * server).toFixed(1)}`),
  );
  boxes.length = 0;
  paintServers(pen, scene, 1);
  assert.deepEqual(
    boxes.map((box) => box.startsWith('accent')),
    [0, 1, 2, 0, 1, 2].map((server) => server === 1),
  );
});
