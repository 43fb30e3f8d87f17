// The pure parts of the review: queries as forms, cells, figures as people write them, places among bands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tablesOf, withLayout, withOutlook } from '../../www/design/document.js';
import {
  qualifierOf,
  qualifierText,
  renamed,
  valueText,
  withAnother,
  withCell,
  without,
  withValue,
} from '../../www/design/family-cells.js';
import { formOf, queryOf, summaryOf } from '../../www/design/queries.js';
import { bandOf } from '../../www/heat/bands.js';
import { figureIn } from '../../www/text/format.js';

/** @type {import('../../www/types.d.ts').Field[]} */
const FIELDS = [
  { name: 'phone', type: 'text' },
  { name: 'call time', type: 'time', format: 'yyyy-MM-dd' },
  { name: 'seconds', type: 'integer' },
  { name: 'roaming', type: 'boolean' },
];

test('a query read into a form and back is the same query', () => {
  /** @type {import('../../www/types.d.ts').Query[]} */
  const queries = [
    { name: 'all' },
    { name: 'one', where: { phone: '134', seconds: 9, roaming: true }, rate: 0.5, limit: 20 },
    { name: 'some', where: { phone: { in: ['1', '2, 3', ''] }, seconds: { from: -5 } } },
    {
      name: 'begin',
      where: { phone: { prefix: '' }, 'call time': { from: '2024-01-01', to: '2024-02-01' } },
    },
    { name: 'order', order: { field: 'call time', direction: 'descending' } },
    { name: 'scan', scan: ['a', 'b\\x00'] },
  ];
  for (const query of queries) assert.deepEqual(queryOf(formOf(query), FIELDS), query);
});

test('short forms of conditions are taken for what they are short for', () => {
  const query = {
    name: 'q',
    where: { 'call time': ['2024-01-01', '2024-02-01'], phone: { eq: '1' } },
    order: 'phone',
  };
  assert.deepEqual(queryOf(formOf(/** @type {any} */ (query)), FIELDS), {
    name: 'q',
    where: { 'call time': { from: '2024-01-01', to: '2024-02-01' }, phone: '1' },
    order: { field: 'phone', direction: 'ascending' },
  });
  assert.equal(summaryOf(/** @type {any} */ (query)), '2024-01-01 ≤ call time < 2024-02-01, phone = 1');
});

test('a value that is none of its type stays as it was typed, for the core to refuse', () => {
  const form = formOf({ name: 'q', where: { seconds: 1, roaming: true }, limit: 5 });
  const [seconds, roaming] = form.asked;
  const asked = [
    { ...seconds, first: '9007199254740993' },
    { ...roaming, first: 'perhaps' },
  ];
  assert.deepEqual(queryOf({ ...form, asked, limit: 'few' }, FIELDS), {
    name: 'q',
    where: { seconds: '9007199254740993', roaming: 'perhaps' },
    limit: 'few',
  });
});

test('figures are read as people write them', () => {
  for (const [text, figure] of /** @type {const} */ ([
    ['1,000,000', 1_000_000],
    ['1e6', 1_000_000],
    ['2.5M', 2_500_000],
    ['3 k', 3000],
    ['1G', 1_000_000_000],
    ['0', 0],
  ])) {
    assert.equal(figureIn(text), figure, text);
  }
  for (const text of ['', 'many', '-1', '1x', '1.2.3']) assert.equal(figureIn(text), text);
});

test('cells are added, changed and taken away, and the rest of a family stays', () => {
  const families = [{ name: 'd', ttl: 60, cells: [{ qualifier: 'q', bytes: 8 }] }];
  const more = withAnother(families);
  assert.deepEqual(
    more[0].cells?.map(({ qualifier }) => qualifier),
    ['q', 'r'],
  );
  assert.equal(withCell(more, 0, 1, { qualifier: 'r', bytes: 4 })[0].cells?.[1].bytes, 4);
  assert.equal(renamed(more, 0, 'e')[0].ttl, 60);
  assert.deepEqual(without(more, 0, 1), families);
  assert.deepEqual(without(families, 0, 0), []);
  assert.deepEqual(withAnother([]), [{ name: 'd', cells: [{ qualifier: 'q', bytes: 8 }] }]);
});

test('a qualifier or a value behind = is a formula', () => {
  const formula = { formula: 'n.decimal()' };
  assert.deepEqual(qualifierOf(' = n.decimal()'), formula);
  assert.equal(qualifierOf('q'), 'q');
  assert.equal(qualifierText(formula), '=n.decimal()');
  const cell = withValue({ qualifier: formula, bytes: 8 }, '=n.decimal()');
  assert.deepEqual(cell, { qualifier: formula, value: formula });
  assert.equal(valueText(cell), '=n.decimal()');
  assert.deepEqual(withValue(cell, '1k'), { qualifier: formula, bytes: 1000 });
});

test('families and servers stand where the form of the document has them', () => {
  const families = [{ name: 'd', ttl: 60 }];
  const short = withLayout({ rowscape: 1, rowkey: 'a' }, 0, { families, servers: 3 });
  assert.deepEqual(short, { rowscape: 1, rowkey: 'a', table: { families }, servers: 3 });
  const normal = withLayout({ rowscape: 1, tables: [{ name: 'a' }, { name: 'b' }] }, 1, { families });
  assert.deepEqual(normal.tables, [{ name: 'a' }, { name: 'b', families }]);
  for (const design of [short, normal]) assert.deepEqual(tablesOf(design).at(-1)?.families, families);
  assert.deepEqual(withOutlook({ rowscape: 1, queries: [{ name: 'q' }] }, { queries: [] }), { rowscape: 1 });
});

test('a place among regions is found among bands of several', () => {
  const picture = { bands: 3, edges: Uint32Array.of(0, 4, 8, 10) };
  for (const [place, band] of [
    [0, 0],
    [2, 0.5],
    [4, 1],
    [9, 2.5],
    [10, 3],
  ]) {
    assert.equal(bandOf(picture, place), band);
  }
});
