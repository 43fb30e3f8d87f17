// npm run vectors: what it prints and how it ends.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../../../scripts/run.mjs';

const VECTORS = join(ROOT, 'tests', 'data', 'vectors');
const folder = mkdtempSync(join(tmpdir(), 'rowscape-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string[]} paths */
function replay(...paths) {
  const script = join(ROOT, 'scripts', 'check', 'vectors.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...paths], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1), said: stdout + stderr };
}

/** @param {string} name */
const records = (name) =>
  readFileSync(join(VECTORS, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** @param {string} name @param {unknown[]} records */
function written(name, records) {
  const path = join(folder, name);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

test('every vector passes', () => {
  const { status, last, said } = replay(VECTORS);
  const files = readdirSync(VECTORS).filter((name) => name.endsWith('.jsonl'));
  const lines = files.flatMap((name) =>
    readFileSync(join(VECTORS, name), 'utf8').split('\n').filter(Boolean),
  );
  assert.equal(last, `${lines.length} passed, 0 failed`, said.slice(0, 5000));
  assert.equal(status, 0);
});

/** The same value, but wrong. @param {any} value @returns {any} */
function spoiled(value) {
  if (typeof value === 'string')
    return value === '' ? '00' : value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return value.length ? [spoiled(value[0]), ...value.slice(1)] : ['00'];
  const [[name, first], ...rest] = Object.entries(value);
  return Object.fromEntries([[name, spoiled(first)], ...rest]);
}

test('a wrong value is a failure in every file, whatever its operations', () => {
  const files = readdirSync(VECTORS).filter((name) => name.endsWith('.jsonl'));
  const spoiledFiles = files.flatMap((name) => {
    // Inputs that HBase rejects, and checks of lengths, have no value to compare.
    const compared = records(name).filter((record) => 'out' in record && !name.startsWith('row_limits'));
    const wrong = compared.map((record) => ({ ...record, out: spoiled(record.out) }));
    return wrong.length ? [{ path: written(name, wrong), count: wrong.length }] : [];
  });
  // One process for all: starting one per file took most of the time.
  const { status, last } = replay(...spoiledFiles.map(({ path }) => path));
  assert.equal(last, `0 passed, ${spoiledFiles.reduce((sum, { count }) => sum + count, 0)} failed`);
  assert.equal(status, 1);
});

test('an answer where HBase refuses, and a refusal where it answers, are failures', () => {
  const refused = { op: 'put', rowLength: 1, error: 'java.lang.IllegalArgumentException: no' };
  const answered = { op: 'put', rowLength: 40_000, out: 40_000 };
  const { status, last, said } = replay(written('turned.jsonl', [refused, answered]));
  assert.equal(last, '0 passed, 2 failed');
  assert.equal(status, 1);
  assert.match(said, /Row length 40000 is > 32767/);
});

test('a failure is shown with its input, what was expected and what came out', () => {
  const { lines } = replay(written('one.jsonl', [{ op: 'MD5', bytes: '', out: 'd4' }]));
  assert.match(lines[0], /one\.jsonl:1$/);
  assert.match(lines[1], /input \{"op":"MD5","bytes":""/);
  assert.match(lines[2], /expected "d4"/);
  assert.match(lines[3], /got "d41d8cd98f00b204e9800998ecf8427e"/);
});

test('what is not known or not a record is a failure, not the end', () => {
  const path = join(folder, 'odd.jsonl');
  writeFileSync(
    path,
    '{"op":"nonsense"}\n{"op":"constructor"}\n{\n[]\nnull\n\n{"op":"MD5","bytes":"0","out":""}\n',
  );
  const { status, last, said } = replay(path);
  assert.equal(last, '0 passed, 6 failed');
  assert.equal(status, 1);
  assert.match(said, /unknown op/);
});

test('nothing to replay is an error that says so', () => {
  mkdirSync(join(folder, 'empty'));
  for (const [paths, words] of /** @type {const} */ ([
    [[], /npm run vectors -- /],
    [[join(folder, 'missing')], /does not exist/],
    [[join(folder, 'empty')], /no \.jsonl file/],
  ])) {
    const { status, said } = replay(...paths);
    assert.equal(status, 1);
    assert.match(said, words);
  }
});

test('whole numbers beyond 2^53 are not rounded', () => {
  const exact =
    '{"op":"toBytes","type":"PDate","order":"ASC","millis":9223372036854775806,"out":"fffffffffffffffe"}\n';
  const path = join(folder, 'exact.jsonl');
  writeFileSync(path, exact);
  assert.equal(replay(path).last, '1 passed, 0 failed');
});
