// The rows of a scan, read from what HBase's shell prints: transcripts of a real one, whole and broken by a terminal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isOfScan, isScan, rowsOfScan } from '../../www/worker/shell.js';

/** The lines that a text becomes, given in pieces of so many bytes. @param {string} text @param {number} size */
async function lines(text, size) {
  const bytes = new TextEncoder().encode(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  let all = '';
  for await (const piece of rowsOfScan(pieces())) all += new TextDecoder().decode(piece);
  return all.split('\n').slice(1, -1);
}

const OLD = `hbase(main):001:0> scan 'calls'
ROW                   COLUMN+CELL
 a_1                  column=d:cell, timestamp=1500, value=A, timestamp=9
 a_1                  column=d:len, timestamp=1400, value=33
 b\\x00\\xFF 2          column=d:cell, timestamp=1600, value=column=x
 a-key-that-is-broken column=d:a-column-that-is-broken-too, times
 -by-its-width        tamp=1700, value=
4 row(s) in 0.0310 seconds
`;
const NEW = `hbase:001:0> scan 'calls', {LIMIT => 2}
ROW  COLUMN+CELL
 x column=d:cell, timestamp=2026-01-01T12:00, value=A
 y z  column=d:cell, timestamp=2026-01-01T12:00:01.5, value=B
2 row(s)
Took 0.0123 seconds
hbase:002:0> scan 'calls', {STARTROW => 'z'}
ROW  COLUMN+CELL
 z column=d:cell, timestamp=nonsense, value=C
1 row(s)
`;

test('rows have the key of their cells and the time of the oldest', async () => {
  for (const size of [1, 7, 100_000]) {
    assert.deepEqual(await lines(OLD, size), [
      'a_1\t1400',
      'b\\x00\\xFF 2\t1600',
      'a-key-that-is-broken-by-its-width\t1700',
    ]);
    const noon = Date.UTC(2026, 0, 1, 12);
    assert.deepEqual(await lines(NEW, size), [`x\t${noon}`, `y z \t${noon + 1500}`, 'z\t']);
  }
});

test('a transcript of a real shell gives the rows of its scans', async () => {
  const text = readFileSync(new URL('../existing/meta.txt', import.meta.url), 'utf8');
  const scans = text.split(/^(?=ROW +COLUMN\+CELL)/m).slice(1);
  const counted = scans.map((scan) => Number(/^(\d+) row\(s\)/m.exec(scan)?.[1]));
  assert.deepEqual(counted, [3, 164]);
  const rows = await lines(text, 4096);
  assert.equal(rows.length, 3 + 164);
  for (const row of rows) assert.match(row, /^\S.*\t1\d{12}$/);
});

test('nothing else is taken for a scan', () => {
  const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
  assert.ok(isScan(bytes(OLD)) && isScan(bytes(NEW)));
  assert.ok(!isScan(bytes('row,column\nROW COLUMN+CELL,2\n,x\n').subarray(0, 10)));
  assert.ok(isOfScan(bytes('key\twritten\n')) && isOfScan(bytes('key\twritten\na\t12\n')));
  assert.ok(!isOfScan(bytes('key\twritten\na\t2026-01-01\n')));
  assert.ok(!isOfScan(bytes('key,written\n')));
});
