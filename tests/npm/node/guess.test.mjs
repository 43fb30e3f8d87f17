// First designs through the npm package, as it is built.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { guess, parseDesign, RowscapeError } from '../../../dist/npm/index.js';
import { ROOT } from '../../../scripts/run.mjs';
import { NATIVE } from '../../native.mjs';

const CSV = 'phone,at\n105,2024-05-02 12:00\n999,2024-05-02 13:00\n104,2024-05-03 09:30\n';
const KEYS = 'user_0001_20240501\nuser_0002_20240502\nuser_0003_20240503\n';
const SCAN = `ROW  COLUMN+CELL\n${Array.from(
  { length: 60 },
  (_, at) => ` ${100_000 + at}|201009|401 column=cf:a, timestamp=${1_489_435_223_437 + at}, value=7\n`,
).join('')}60 row(s) in 0.1 seconds\n`;

/** The design that the native program guesses. @param {string | Uint8Array} input @param {string[]} args */
const native = (input, ...args) =>
  JSON.parse(String(spawnSync(NATIVE, ['guess', '-', ...args], { input }).stdout));

for (const [name, text] of Object.entries({ CSV, KEYS, SCAN }))
  test(`${name}: the package guesses the design that the native program prints`, async () => {
    const design = await guess(text);
    assert.deepEqual(design, native(text));
    assert.deepEqual(await guess(gzipSync(text)), design);
    const { report } = await parseDesign(design).analyze(text);
    assert.deepEqual([report.rows, report.refused.count], [text === SCAN ? 60 : 3, 0]);
  });

const SQL = `CREATE TABLE metric (name VARCHAR, host VARCHAR, at DATE NOT NULL, app VARCHAR, v DOUBLE
  CONSTRAINT pk PRIMARY KEY (name, host DESC, at, app)) SALT_BUCKETS = 4;
-- a host
SELECT v FROM metric WHERE name = 'cpu' AND host IS NULL;`;

test('statements of Phoenix: the package gives the design of the native program, with NULL in its keys', async () => {
  const document = await guess(SQL);
  assert.deepEqual(document, native(SQL));
  const design = parseDesign(document);
  const at = '1970-01-01T00:00:00.005Z';
  const key = (/** @type {object} */ record) => design.encode({ V: 1, ...record }).slice(1);
  assert.deepEqual(
    key({ NAME: 'cpu', HOST: 'a', AT: at, APP: null }),
    Uint8Array.from([...Buffer.from('cpu\0'), 0x9e, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 5]),
  );
  assert.equal(key({ NAME: 'cpu', HOST: null, AT: at, APP: 'x' })[4], 0);
  assert.equal(document.queries?.[0].name, '1: a host');
  assert.deepEqual(await guess(`/* a schema */\n${SQL}`), document);
  await assert.rejects(guess('CREATE TABLE x (a VARCHAR);'), /no primary key/);
  // Data, though it begins with a word of SQL.
  assert.equal((await guess('select from\n1 2\n3 4\n')).fields.length > 0, true);
});

test('keys that are cut into parts are given again by the formula', async () => {
  const design = parseDesign(await guess(KEYS));
  assert.equal(design.rowkey, "part1 + '_' + part2 + '_' + time3.format('yyyyMMdd')");
  assert.equal((await guess('a|b\nc|d\n', { keys: true })).rowkey, "part1 + '|' + part2");
  assert.deepEqual(await guess('a|b\nc|d\n', { header: true }), native('a|b\nc|d\n', '--header', 'yes'));
});

test('the columns of a Parquet file are those that it states', async () => {
  const file = join(ROOT, 'tests', 'formats', 'golden', 'groups.parquet');
  const design = await guess(await openAsBlob(file));
  const { name: _, table: __, ...printed } = JSON.parse(String(spawnSync(NATIVE, ['guess', file]).stdout));
  assert.deepEqual(design, printed);
});

test('a source from which no design follows is rejected with its name', async () => {
  for (const [source, code] of /** @type {const} */ ([
    ['', 'input.empty'],
    ['a\0b\0\n\0', 'input.utf-16'],
    [gzipSync(CSV).subarray(0, 12), 'input.broken-gzip'],
  ]))
    await assert.rejects(guess(source, { name: 'calls' }), (error) => {
      assert.ok(error instanceof RowscapeError);
      assert.deepEqual([error.code, error.problems[0].place.file], [code, 'calls']);
      return true;
    });
  await assert.rejects(guess(/** @type {any} */ (7)), { code: 'value.wrong-kind' });
  await assert.rejects(guess(CSV, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('keys in bytes are taken back to their fields, those at the end of a large file too', async () => {
  const key = (/** @type {number} */ at) => {
    const bytes = Buffer.alloc(19);
    bytes.write(`${at < 30_000 ? 'de' : 'fr'}${String((at * 7919) % 3000).padStart(4, '0')}#`);
    bytes.writeBigInt64BE(BigInt(1_700_000_000_000 + ((at * 977_777) % 900_000_000)), 7);
    bytes.writeInt32BE((at * 31) % 500, 15);
    return bytes.toString('hex');
  };
  const text = `${Array.from({ length: 40_000 }, (_, at) => key(at)).join('\n')}\n`;
  const document = await guess(text);
  assert.deepEqual(document, native(text));
  const design = parseDesign(document);
  assert.equal(design.rowkey, "part1 + '#' + time2.millis().int64() + part3.int32()");
  const { report } = await design.analyze(text);
  assert.deepEqual([report.rows, report.refused.count], [40_000, 0]);
  const [first] = text.split('\n');
  assert.deepEqual(design.decode(Buffer.from(first, 'hex')).record, {
    part1: 'de0000',
    time2: '1700000000000',
    part3: '0',
  });
});
