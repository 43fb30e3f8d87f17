// Designs compared, varied and followed by others; tables as they are: through the npm package, as it is built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  compare,
  existingTables,
  migration,
  parameters,
  parseDesign,
  RowscapeError,
  reshape,
  sweep,
} from '../../../dist/npm/index.js';

/** @param {number} buckets */
const design = (buckets) =>
  parseDesign({
    rowscape: 1,
    fields: [{ name: 'id', type: 'integer' }],
    rowkey: `bucket(id, ${buckets}).decimal(2) + '_' + id.decimal(6)`,
    splits: { salts: buckets, digits: 2 },
    queries: [
      { name: 'one', where: { id: 17 } },
      { name: 'some', where: { id: { from: 10, to: 20 } } },
    ],
  });

const columns = { id: Array.from({ length: 1000 }, (_, index) => index) };

/** @param {{ code: string, values: (number | null)[] }[]} lines @param {string} code */
const values = (lines, code) => lines.find((line) => line.code === code)?.values;

test('two designs stand side by side with every figure and the rows that move', () => {
  const found = compare([design(4), design(8)], columns);
  assert.equal(found.rows, 1000);
  assert.deepEqual(values(found.lines, 'measure.regions'), [4, 8]);
  assert.deepEqual(values(found.lines, 'measure.key-bytes'), [9, 9]);
  assert.deepEqual(values(found.queries[1].lines, 'measure.ranges'), [4, 8]);
  assert.equal(found.designs[0].moves, null);
  const { moves } = found.designs[1];
  assert.ok(moves && moves.rows === 1000 && moves.rewritten > 400 && moves.rewritten < 600);
  assert.ok(found.designs[1].worse.includes('measure.ranges'));
  assert.throws(
    () => compare([design(4)], columns),
    (error) => error instanceof RowscapeError && error.code === 'compare.too-few',
  );
});

test('a parameter of a design is varied', () => {
  const known = parameters(design(4));
  const salts = known.find(({ step }) => step === 'bucket');
  assert.deepEqual(salts, {
    parameter: 'number',
    number: 0,
    step: 'bucket',
    value: 4,
    text: 'bucket(id, 4)',
  });
  const found = sweep(design(4), columns, { parameter: 'number', number: 0, values: [2, 16] });
  assert.deepEqual(
    found.variants.map(({ setting, problem }) => [setting, problem]),
    [
      [null, null],
      [2, null],
      [16, null],
    ],
  );
  // Ten ids are asked for one by one where there are more buckets.
  assert.deepEqual(values(found.queries[1].lines, 'measure.ranges'), [4, 2, 10]);
  assert.deepEqual([found.sampled, found.shareError], [1000, 0]);
});

test('the way from one design to another is told with and without records', () => {
  const bare = migration(design(4), design(8));
  assert.deepEqual([bare.way, bare.moves], ['in-place', null]);
  const found = migration(design(4), design(8), columns);
  assert.equal(found.moves?.rows, 1000);
  assert.match(found.clients[0].message, /clients lose \d+ of 1,000 rows/);
  assert.equal(found.reshape.length, 4);
});

test('a table in use is judged by server, with commands that even out its load', () => {
  const columns = [29, 58, 10, 10, 5, 5, 10];
  const line = (/** @type {string[]} */ ...cells) =>
    ` ${cells.map((cell, index) => cell.padStart(columns[index])).join(' | ')} |`;
  const region = (/** @type {string} */ server, start = '', stop = '', requests = 0) =>
    line(
      `${server},16020,1795236`,
      `m,${start},1795236285894.${'abcd'.charAt(['', 'b', 'm', 'q'].indexOf(start)).repeat(32)}.`,
      start,
      stop,
      '10',
      String(requests),
      '0.0',
    );
  const text = [
    "hbase:002:0> list_regions 'm'",
    line('SERVER_NAME', 'REGION_NAME', 'START_KEY', 'END_KEY', 'SIZE', 'REQ', 'LOCALITY'),
    line(...columns.map((width) => '-'.repeat(width))),
    region('rs1', '', 'b', 9400),
    region('rs2', 'b', 'm', 300),
    region('rs3', 'm', 'q', 100),
    region('rs1', 'q', '', 8000),
    ' 4 rows',
  ].join('\n');
  const [{ judgement }] = existingTables(text).tables;
  assert.ok(judgement?.hot);
  assert.match(judgement.verdict.message, /^2 regions on rs1 take 97\.8% of the requests$/i);
  assert.deepEqual(judgement.acts[0], { action: 'move', region: 3, to: 'rs3,16020,1795236' });
  assert.match(judgement.commands, /^(# .*\n)+move .*, 'rs3,16020,1795236'\n# .*\nsplit /);
});

test('tables are read from what the shell prints, and turned into those that are wanted', () => {
  const text = readFileSync(new URL('../../data/existing/meta.txt', import.meta.url), 'utf8');
  const { tables, forms, problems } = existingTables(text);
  assert.ok(forms.includes('list_regions') && forms.includes('meta'));
  assert.deepEqual(problems, []);
  const table = tables.find(({ name }) => name === 'm');
  assert.ok(table);
  assert.deepEqual(table.points, ['\\x00\\x01', 'm', '\\xFF']);
  assert.equal(table.regions[0].megabytes, 0);
  assert.deepEqual(
    reshape({ points: table.points }, { points: ['m', 'q'] }).map(({ action, at }) => [action, at]),
    [
      ['split', ['q']],
      ['merge', ['\\x00\\x01']],
      ['merge', ['\\xFF']],
    ],
  );
  assert.deepEqual(existingTables('b\na\n').forms, ['keys']);
  assert.equal(existingTables('a\nb\n').tables[0].judgement, null);
  assert.equal(existingTables('').problems[0].code, 'existing.nothing');
});
