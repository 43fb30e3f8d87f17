// The wasm module as JavaScript sees it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as rowscape from '#core';
import { CLUSTER, SERVERS, SPLIT_POLICIES, SPLIT_POLICY } from '../../../www/design/outlook-defaults.js';
import { GIB, MIB } from '../../../www/text/units.js';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../../${path}`, import.meta.url));
await rowscape.init({ module: read('dist/wasm/whole.wasm') });

const FIELDS = [
  { name: 'phone', type: 'text' },
  { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm' },
];
const INPUT = { format: 'csv', fields: FIELDS };
const design = (/** @type {object} */ more = {}) =>
  JSON.stringify({
    rowscape: 1,
    name: 'Calls',
    fields: FIELDS,
    arrival: 'at',
    rowkey: "phone.reverse() + '_' + at.format('yyyyMMdd')",
    splits: { points: ['3', '6'] },
    ...more,
  });

/** @param {string} text @param {number} [chunk] bytes pushed at once */
function records(text, chunk = Number.POSITIVE_INFINITY) {
  const bytes = new TextEncoder().encode(text);
  const reading = new rowscape.Records(INPUT);
  for (let at = 0; at < bytes.length; at += chunk) reading.push(bytes.subarray(at, at + chunk));
  reading.finish();
  return reading;
}

const CALLS =
  'phone,at\n101,2024-05-01 10:00\n202,2024-05-01 11:00\n105,2024-05-02 12:00\n909,2024-05-02 13:00\n';

test('the version is that of the package', () => {
  assert.equal(rowscape.version(), JSON.parse(String(read('package.json'))).version);
});

test('keys come sorted, with their regions counted', () => {
  const analysis = new rowscape.Analysis(records(CALLS), design());
  const { bytes, ends } = analysis.keys(0, 10);
  const keys = Array.from(ends, (end, at) => String(Buffer.from(bytes.subarray(at ? ends[at - 1] : 0, end))));
  assert.deepEqual(keys, ['101_20240501', '202_20240501', '501_20240502', '909_20240502']);
  const { rows, regions, heat } = analysis.report({});
  assert.equal(rows, 4);
  assert.deepEqual(
    regions.map((/** @type {{ rows: number }} */ region) => region.rows),
    [2, 1, 1],
  );
  assert.ok(heat instanceof Uint32Array);
  assert.equal(
    heat.reduce((sum, count) => sum + count, 0),
    4,
  );
  assert.equal(analysis.rank('5'), 2);
});

test('a file cut into chunks anywhere reads the same', () => {
  for (const chunk of [1, 2, 3, 7, 16]) {
    const [whole, cut] = [records(CALLS), records(CALLS, chunk)];
    assert.equal(cut.rows, whole.rows);
    for (let row = 0; row < whole.rows; row++) assert.deepEqual(cut.row(row), whole.row(row));
  }
});

test('other split points need no new analysis', () => {
  const analysis = new rowscape.Analysis(records(CALLS), design());
  const splits = JSON.stringify({ points: ['2', '5', '9'] });
  const { regions } = analysis.report({ splits });
  assert.deepEqual(
    regions.map((/** @type {{ rows: number }} */ region) => region.rows),
    [1, 1, 1, 1],
  );
});

test('a design with an error is refused with its code and place', () => {
  const { design: normal, problems } = rowscape.checkDesign(design({ rowkey: 'phone.reverse(' }));
  assert.equal(normal, null);
  assert.match(problems[0].code, /^[a-z]+\.[a-z-]+$/);
  assert.equal(typeof problems[0].message, 'string');
  assert.throws(
    () => new rowscape.Analysis(records(CALLS), '{'),
    (/** @type {any} */ error) =>
      error instanceof Error && typeof (/** @type {any} */ (error).code) === 'string',
  );
});

test('what is not the right shape is an error, not a trap', () => {
  const wrong = /** @type {any[]} */ ([undefined, null, 7, 'csv', [], {}, { format: 'xml', fields: [] }]);
  for (const input of wrong) {
    assert.throws(
      () => new rowscape.Records(input),
      (error) => !(error instanceof WebAssembly.RuntimeError),
    );
  }
  const junk = Uint8Array.from({ length: 5000 }, (_, at) => (at * 2654435761) >>> 13);
  for (const head of [junk, new Uint8Array(), new Uint8Array(100)]) rowscape.guess(head, 'junk.bin');
  for (const text of ['', '[]', 'null', '{"rowscape":2}', '"']) {
    assert.equal(rowscape.checkDesign(text).design, null);
    assert.ok(rowscape.checkDesign(text).problems.length > 0);
  }
});

test('the page has the defaults of the core for a cluster', () => {
  const spec = { days: 365, bytesPerDay: GIB, arrivals: 'spread', servers: 3, ttlDays: 100 };
  const life = (/** @type {object} */ more) => JSON.stringify(rowscape.simulate({ ...spec, ...more }));
  const { maxRegionGB, flushMB, majorCompactionDays } = CLUSTER;
  const figures = {
    policy: SPLIT_POLICY,
    maxRegion: maxRegionGB * GIB,
    flush: flushMB * MIB,
    compactionDays: majorCompactionDays,
  };
  assert.equal(life(figures), life({}));
  // Each of them changes something, so that a wrong one would be seen.
  for (const other of [
    { policy: 'Disabled' },
    { maxRegion: 11 * GIB },
    { flush: 120 * MIB },
    { compactionDays: 6 },
  ])
    assert.notEqual(life(other), life({}), Object.keys(other)[0]);
  const schema = JSON.parse(String(read('data/schema/design-1.schema.json')));
  assert.deepEqual(schema.properties.cluster.properties.splitPolicy.enum, SPLIT_POLICIES);
  const [, servers] = /ASSUMED_SERVERS: u32 = (\d+)/.exec(String(read('src/design/outlook.rs'))) ?? [];
  assert.equal(SERVERS, Number(servers));
});
