// Questions proposed from the columns of the records.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposalsOf, textOf, timeIn } from '../../www/design/proposals.js';

const DAY = 86_400_000;
const fields = /** @type {import('../../www/types.d.ts').Field[]} */ ([
  { name: 'host', type: 'text' },
  { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss' },
  { name: 'id', type: 'text' },
  { name: 'size', type: 'float' },
]);
const view = /** @type {any} */ ({
  busiest: [
    { field: 'host', values: [{ value: 'web-1', rows: 400 }] },
    { field: 'id', values: [{ value: 'a1', rows: 1 }] },
  ],
  time: { field: 'at', start: Date.UTC(2024, 0, 1), step: DAY / 24, buckets: 24 * 7 },
  moments: { rows: Uint32Array.from({ length: 24 * 7 }, (_, at) => (at === 58 ? 9 : 1)) },
});
const known = { fields, arrival: 'at', keyed: ['host', 'at'], view, record: {} };

test('the columns suggest five questions with values and lengths of time from the records', () => {
  const proposals = proposalsOf(known, []);
  assert.deepEqual(
    proposals.map(({ id }) => id),
    ['all', 'one', 'newest', 'whole', 'row'],
  );
  const [all, one, newest, , row] = proposals.map(({ query }) => query);
  // Ten minutes of seven days, within the busiest hour.
  assert.deepEqual(all.where, { at: ['2024-01-03 10:30:00', '2024-01-03 10:40:00'] });
  assert.deepEqual(one.where, { host: 'web-1', at: ['2024-01-03 10:00:00', '2024-01-03 11:00:00'] });
  assert.deepEqual([newest.limit, newest.order], [20, { field: 'at', direction: 'descending' }]);
  assert.deepEqual(row.where, { id: 'a1' });
  assert.ok(proposals.every(({ query }) => (query.rate ?? 0) > 0));
});

test('of a value with few rows a longer time is asked, which has some', () => {
  const [host, id] = view.busiest;
  const rare = { ...view, busiest: [{ ...host, values: [{ value: 'web-1', rows: 40 }] }, id] };
  const one = proposalsOf({ ...known, view: rare }, []).find(({ id }) => id === 'one');
  // Forty rows in a week: three in half a day.
  assert.deepEqual(one?.query.where?.at, ['2024-01-03 00:00:00', '2024-01-04 00:00:00']);
});

test('a question that is asked already is not proposed again', () => {
  const asked = proposalsOf(known, []).map(({ query }) => query);
  assert.deepEqual(proposalsOf(known, asked), []);
  assert.equal(proposalsOf(known, asked.slice(0, 2)).length, 3);
});

test('without a time nothing is asked by time, and without records nothing at all', () => {
  const untimed = { ...known, fields: fields.filter(({ type }) => type !== 'time') };
  assert.deepEqual(
    proposalsOf(untimed, []).map(({ id }) => id),
    ['whole', 'row'],
  );
  assert.deepEqual(proposalsOf({ ...known, view: null, record: {} }, []), []);
});

test('times are written in the zone of their field and read back', () => {
  const time = Date.UTC(2024, 4, 1, 20);
  assert.equal(textOf(time, { zone: '+08:00' }), '2024-05-02 04:00:00');
  assert.equal(timeIn(textOf(time, {})), time);
  assert.equal(timeIn('2024-05-01'), Date.UTC(2024, 4, 1));
  assert.ok(Number.isNaN(timeIn('01.05.2024 20:00')));
});
