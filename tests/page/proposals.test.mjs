// Questions proposed for the records.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposalsOf, textOf, timeIn } from '../../www/design/proposals.js';

const proposed = /** @type {import('../../www/types.d.ts').ProposedQuery[]} */ ([
  { asks: 'all', field: 'at', query: { where: { at: { from: '2024-01-03', to: '2024-01-04' } }, rate: 10 } },
  { asks: 'newest', field: 'host', query: { where: { host: 'web-1' }, limit: 20, rate: 50 } },
  { asks: 'whole', field: 'host', query: { where: { host: 'web-1' }, rate: 5 } },
]);

test('proposed queries get a name', () => {
  const named = proposalsOf(proposed, []);
  assert.deepEqual(
    named.map(({ name }) => name),
    ['Rows of a time range', 'Newest 20 of one host', 'All of one host'],
  );
  assert.deepEqual(named[1].where, { host: 'web-1' });
});

test('a question that is asked already is not proposed again', () => {
  const asked = proposalsOf(proposed, []);
  assert.deepEqual(proposalsOf(proposed, asked), []);
  const other = { ...asked[2], where: { host: 'web-2' } };
  assert.deepEqual(
    proposalsOf(proposed, [other]).map(({ limit }) => limit),
    [undefined, 20],
  );
});

test('local times are written and read back', () => {
  const time = Date.UTC(2024, 4, 1, 20);
  assert.equal(textOf(time), '2024-05-01 20:00:00');
  assert.equal(timeIn(textOf(time)), time);
  assert.equal(timeIn('2024-05-01'), Date.UTC(2024, 4, 1));
  assert.ok(Number.isNaN(timeIn('01.05.2024 20:00')));
});
