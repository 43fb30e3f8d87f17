import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  columnsOf,
  fieldsToRead,
  keyOfSplits,
  tableNamed,
  tablesOf,
  withFields,
  withTable,
} from '../../www/design/document.js';
import { borderAt, firstKeyOf } from '../../www/design/region-borders.js';
import { boxOf, cellAt, layoutOf } from '../../www/heat/layout.js';
import { colours, level } from '../../www/heat/palette.js';
import { timeTicks } from '../../www/heat/time-axis.js';
import { escaped } from '../../www/text/escaped-bytes.js';
import { bytes, duration, moment, percent } from '../../www/text/format.js';
import { sideText } from '../../www/text/measures.js';
import { say } from '../../www/text/sentences.js';
import { foldCells, groupEdges } from '../../www/worker/fold.js';
import { viewOf } from '../../www/worker/folded-view.js';

test('folding keeps the hottest cell and every row', () => {
  const columns = 97;
  const rows = 53;
  const cells = Uint32Array.from({ length: rows * columns }, (_, at) => (at * 2654435761) % 1000);
  const { peak, sum } = foldCells(cells, columns, groupEdges(rows, 7), groupEdges(columns, 11));
  assert.equal(Math.max(...peak), Math.max(...cells));
  const total = (/** @type {Uint32Array} */ all) => all.reduce((one, other) => one + other, 0);
  assert.equal(total(sum), total(cells));
});

test('groups cover all items once, in order', () => {
  for (const [count, most] of [
    [1, 10],
    [10, 3],
    [1_000_000, 1024],
    [5, 5],
  ]) {
    const edges = groupEdges(count, most);
    assert.equal(edges[0], 0);
    assert.equal(edges.at(-1), count);
    assert.ok(edges.every((edge, at) => at === 0 || edge > edges[at - 1]));
    assert.ok(edges.length - 1 <= most);
  }
});

test('more rows are never a paler colour', () => {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    const table = colours(scheme);
    const lightness = (/** @type {number} */ at) =>
      0.2126 * table[at * 3] + 0.7152 * table[at * 3 + 1] + 0.0722 * table[at * 3 + 2];
    for (let at = 1; at < 256; at++) {
      const step = lightness(at) - lightness(at - 1);
      assert.ok(scheme === 'light' ? step <= 0.5 : step >= -0.5, `${scheme} level ${at}`);
    }
  }
  assert.equal(level(0, 100), 0);
  assert.ok(level(1, 1e9) >= 1);
  assert.equal(level(100, 100), 255);
  assert.equal(level(50, 100, 4), 255);
});

test('time ticks are round, within the axis and few', () => {
  const start = Date.UTC(2013, 0, 1, 5);
  for (const span of [
    1000,
    90_000,
    7_200_000,
    86_400_000,
    14 * 86_400_000,
    365 * 86_400_000,
    4000 * 86_400_000,
  ]) {
    const ticks = timeTicks(start, start + span, 8);
    assert.ok(ticks.length >= 1 && ticks.length <= 10, `${ticks.length} ticks over ${span} ms`);
    assert.ok(ticks.every(({ at }) => at >= start && at <= start + span));
  }
  assert.deepEqual(
    timeTicks(Date.UTC(2024, 0, 1), Date.UTC(2024, 11, 31), 6).map(({ label }) => label),
    ['Jan 2024', 'Apr', 'Jul', 'Oct'],
  );
});

test('a point in a cell is found in that cell', () => {
  const layout = layoutOf(900, 600);
  const picture = { bands: 13, buckets: 29 };
  for (const cell of [
    { band: 0, bucket: 0 },
    { band: 12, bucket: 28 },
    { band: 5, bucket: 7 },
  ]) {
    const box = boxOf(layout, picture, cell);
    assert.deepEqual(cellAt(layout, picture, box.x + box.width / 2, box.y + box.height / 2), cell);
  }
  assert.equal(cellAt(layout, picture, 0, 0), null);
});

test('bytes are printed as the HBase shell prints them', () => {
  assert.equal(escaped(Uint8Array.of(0, 9, 65, 0x5c, 0x7e, 0x7f, 0xff)), '\\x00\\x09A\\x5C~\\x7F\\xFF');
});

/** @param {number[]} rows of each region */
function reportOf(rows) {
  return /** @type {any} */ ({
    time: { field: 't', start: 0, step: 1, buckets: 2 },
    regionCount: rows.length,
    regionsPerHeatRow: 1,
    keys: { count: rows.reduce((all, held) => all + held, 0) },
    regions: rows.map((held, index) => ({
      index,
      start: index ? `k${index}` : '',
      stop: '',
      rows: held,
      records: held,
      share: 0,
      bytes: 0,
    })),
    heat: Uint32Array.from(rows.flatMap((held) => [held, 0])),
  });
}

test('a border is drawn at the first key of a region and names the empty ones before it', () => {
  const { listed } = viewOf(reportOf([3, 0, 0, 2, 0, 1]), 6, () => 0);
  assert.deepEqual(borderAt(listed, 0), { first: 0, last: 0 });
  assert.equal(borderAt(listed, 1), null);
  assert.deepEqual(borderAt(listed, 3), { first: 1, last: 3 });
  assert.deepEqual(borderAt(listed, 5), { first: 4, last: 5 });
  assert.equal(firstKeyOf(listed, 3), 3);
  assert.equal(firstKeyOf(listed, 5), 5);
});

test('very many regions become at most 1024 bands that hold all rows', () => {
  const rows = Array.from({ length: 5000 }, (_, region) => region % 7);
  const { picture, busiestRegions } = viewOf(reportOf(rows), 1, () => 0);
  assert.ok(picture.bands <= 1024);
  assert.equal(
    picture.rows.reduce((all, held) => all + held, 0),
    rows.reduce((all, held) => all + held, 0),
  );
  assert.equal(Math.max(...picture.peak), 6);
  assert.equal(busiestRegions[0].rows, 6);
});

test('without a time all rows are one moment', () => {
  const { picture, moments } = viewOf(
    { ...reportOf([3, 0, 1]), time: null, heat: new Uint32Array(), keys: { count: 4 }, skew: { max: 3 } },
    4,
    () => 0,
  );
  assert.equal(picture.buckets, 1);
  assert.deepEqual([...picture.sum], [3, 0, 1]);
  assert.deepEqual([...moments.largestShare], [0.75]);
  assert.deepEqual([...moments.effective], [1.6]);
});

/** @type {import('../../www/types.d.ts').Design} */
const short = {
  rowscape: 1,
  name: 'a',
  fields: [{ name: 'x', type: 'text' }],
  rowkey: 'x',
  splits: { points: ['b'] },
};
/** @type {import('../../www/types.d.ts').Design} */
const long = {
  rowscape: 1,
  fields: short.fields,
  tables: [
    { name: 'one', rowkey: 'x' },
    { name: 'two', kinds: { one: { when: { field: 'x', is: ['1'] }, rowkey: 'x.reverse()' } } },
  ],
};

test('a document is changed where it says a thing, in its own form', () => {
  assert.deepEqual(withTable(short, 0, { rowkey: 'x.md5()' }), { ...short, rowkey: 'x.md5()' });
  const changed = withTable(long, 1, { rowkey: "'z'" });
  assert.equal(tablesOf(changed)[1].rowkey, "'z'");
  assert.equal(tablesOf(changed)[0].rowkey, 'x');
  assert.equal(withFields(short, [{ name: 'x', type: 'bytes' }]).fields?.[0].type, 'bytes');
});

test('a table is named after its file, as HBase takes a name', () => {
  assert.deepEqual(['access', 'access log (2)', '.hidden', '주문-2024', '--'].map(tableNamed), [
    'access',
    'access_log_2',
    'hidden',
    '주문-2024',
    '',
  ]);
});

test('of a file are read the fields guessed, as declared, and those put together of its columns', () => {
  const guessed = /** @type {const} */ ([
    { name: 'date', type: 'time', format: 'yyyy-MM-dd' },
    { name: 'time', type: 'text' },
  ]);
  const date = /** @type {const} */ ({ name: 'date', type: 'text' });
  /** @type {import('../../www/types.d.ts').Field} */
  const at = { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', from: ['date', 'time'] };
  const elsewhere = /** @type {const} */ ({ name: 'phone', type: 'text' });
  assert.deepEqual(fieldsToRead([...guessed], [date, at, elsewhere]), [date, guessed[1], at]);
  assert.deepEqual(columnsOf(at), ['date', 'time']);
  assert.deepEqual(columnsOf(date), ['date']);
});

test('each type a field can have is called by a word', async () => {
  const schema = JSON.parse(
    await readFile(new URL('../../data/schema/design-1.schema.json', import.meta.url), 'utf8'),
  );
  const words = JSON.parse(await readFile(new URL('../../data/messages/en.json', import.meta.url), 'utf8'));
  const types = schema.$defs.field.properties.type.enum;
  assert.ok(types.length > 3);
  for (const type of types) assert.ok(words[`page.type-${type}`], type);
});

test('figures are short and say no more than is known', () => {
  assert.equal(percent(0.0004), '<0.1%');
  assert.equal(percent(143 / 2000), '7.2%', 'as sentences of the core round it');
  assert.equal(percent(1), '100%');
  assert.equal(duration(90_000), '1.5 min');
  assert.equal(moment(Date.UTC(2013, 0, 2, 3, 4), 3_600_000), '2013-01-02 03:04');
});

test('sizes are binary and their unit says so', () => {
  assert.deepEqual(
    [17, 1023, 1024, 1536, 250_000, 1_048_575, 10 * 2 ** 30].map((size) =>
      bytes(size).replace('\u00a0', ' '),
    ),
    ['17 B', '1,023 B', '1.0 KiB', '1.5 KiB', '244 KiB', '1.0 MiB', '10.0 GiB'],
  );
});

test('every way a compared figure can stand has a word, and what matters most leads', async () => {
  for (const change of ['better', 'worse', 'other', 'unknown'])
    assert.ok(!say(`page.compare-${change}`).startsWith('page.'), change);
  const share = { code: 'measure.hottest-share', unit: /** @type {const} */ ('share') };
  const cost = { code: 'measure.rows-read', unit: /** @type {const} */ ('rows') };
  const side = {
    ...{ name: 'b', rowkey: 'x', findings: [], better: [], worse: [] },
    leading: [
      { ...share, query: null, before: 1, now: 0.0625 },
      { ...cost, query: 'a day', before: 10, now: 1200 },
    ],
    moves: { rows: 10, rewritten: 10, moved: 9, leastMoved: 8 },
  };
  assert.equal(
    sideText(side, 'fixed', 'hot', true),
    '“fixed” compared with “hot”: write share of one region at any one time 6.3% instead of 100%; ' +
      '“a day” rows read 1,200 instead of 10. 10 of 10 rows get another key.',
  );
  assert.match(
    sideText({ ...side, leading: [] }, 'fixed', 'hot', false),
    /are equal in .* at least 8 move to another region/,
  );
});

test('splits made of the records follow another key, and points of a person are said to be stale', () => {
  const fields = [{ name: 'id', type: /** @type {const} */ ('integer') }];
  const first = { rowscape: 1, name: 'ids', fields, rowkey: 'id.decimal()', splits: { sample: 16 } };
  const other = { ...first, rowkey: 'id.int64()' };
  assert.equal(keyOfSplits(other, 0, [first]), null);
  const points = { splits: { points: ['4', '8'] } };
  const set = { ...first, ...points };
  assert.equal(keyOfSplits(set, 0, [first]), null);
  const changed = { ...other, ...points };
  assert.equal(keyOfSplits(changed, 0, [first, set]), first.rowkey);
  assert.equal(keyOfSplits({ ...changed, rowkey: 'id.uint32()' }, 0, [first, set, changed]), first.rowkey);
  // Set again under the new key, and gone back to the old one.
  const again = { ...changed, splits: { points: ['5'] } };
  assert.equal(keyOfSplits(again, 0, [first, set, changed]), null);
  assert.equal(keyOfSplits(set, 0, [first, set, changed]), null);
  assert.equal(keyOfSplits(changed, 0, [null, { ...set, name: 'others' }]), null);
});
