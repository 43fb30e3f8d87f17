// Files of HBase through the package: the same counts as HBase's own reader has.
import assert from 'node:assert/strict';
import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { observe, RowscapeError } from '../../../dist/npm/index.js';
import { ROOT } from '../../../scripts/run.mjs';

const STORE = join(ROOT, 'tests', 'data', 'store');
/** @param {string} name */
const bytes = (name) => new Uint8Array(readFileSync(join(STORE, name)));
/** @param {string} name */
const cells = (name) => readFileSync(join(STORE, name), 'utf8').split('\n').length - 1;

test('logs and HFiles of every kind have the cells that HBase finds in them', async () => {
  for (const name of [
    'wal-plain.wal',
    'wal-values.wal',
    'large-LZ4.hfile',
    'large-ZSTD.hfile',
    'frames-ZSTD.hfile',
    'tags-PREFIX.hfile',
  ]) {
    const found = await observe([{ path: name, data: bytes(name) }], { all: true });
    const sum = found.tables.reduce((all, table) => all + table.cells, 0);
    assert.equal(sum, cells(name.replace(/\.\w+$/, '.cells')), name);
    for (const { heat, headline, notes, untimed, cells } of found.tables) {
      assert.ok(headline.message && notes.every(({ message }) => message), name);
      assert.equal((heat?.counts.flat().reduce((all, one) => all + one, 0) ?? 0) + untimed, cells);
    }
  }
});

test('the index of a file is read by ranges, and progress is told', async () => {
  const data = await openAsBlob(join(STORE, 'index-128.hfile'));
  /** @type {number[]} */
  const told = [];
  const { tables, unread } = await observe([{ path: 'index', data }], {
    onProgress: (read) => told.push(read),
  });
  assert.equal(tables[0].source, 'index');
  assert.ok(unread > 0 && unread < data.size && told.length > 0);
  assert.ok(tables[0].regions.length > 4 && tables[0].heat === null);
});

test('what is no file of HBase, and what is damaged, is refused with the reason', async () => {
  const text = new TextEncoder().encode('some text');
  await assert.rejects(observe([{ path: 'notes.txt', data: text }]), (error) => {
    assert.ok(error instanceof RowscapeError);
    assert.match(error.message, /no file of HBase was found/);
    return true;
  });
  const cut = bytes('plain-NONE.hfile').subarray(0, 5000);
  await assert.rejects(observe([{ path: 'cut', data: cut }], { all: true }), /HFile file is damaged/);
  // Another file is used all the same.
  const both = await observe([
    { path: 'cut', data: cut },
    { path: 'whole', data: bytes('plain-NONE.hfile') },
  ]);
  assert.equal(both.tables.length, 1);
  assert.match(both.files[0].problem?.message ?? '', /damaged/);
  // @ts-expect-error: no such option
  await assert.rejects(observe([], { every: true }), /there is no option every/);
  // @ts-expect-error: a path is no file
  await assert.rejects(observe(['path']), /files\[0\]\.path/);
});

test('dumps have the counters that HBase printed', async () => {
  const folder = join(ROOT, 'tests', 'data', 'dumps');
  const names = readdirSync(folder).filter((name) => name.startsWith('rest-'));
  const files = names.map((path) => ({ path, data: readFileSync(join(folder, path)) }));
  const options = { table: 'load:meter' };
  const { tables } = await observe(files, { ...options, metric: 'writes' });
  const { requests, source, heat } = tables[0];
  assert.ok(requests && source === 'counters' && heat === null);
  assert.equal(requests.headline.message, 'The region from “cph|” on took 52.3% of the writes');
  assert.deepEqual([requests.reads, requests.writes, requests.dumps], [32_011, 20_532, 4]);
  const sum = requests.heat?.counts.flat().reduce((all, one) => all + one, 0);
  assert.equal(sum, requests.writes);
  // Its time is told by the host, where neither the dump nor its name has one.
  const data = gunzipSync(files[0].data);
  const [{ requests: alone }] = (await observe([{ path: 'a.json', data, changed: 1.7e12 }], options)).tables;
  assert.deepEqual(alone?.times, [1.7e12, 1.7e12]);
  await assert.rejects(observe(files, { metric: /** @type {any} */ ('speed') }), RowscapeError);
});
