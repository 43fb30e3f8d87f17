// Parquet, Arrow, Avro and zstd files that others have written: the native program, npx and the package find in them what is in the
// CSV of the same records. tests/formats/write.py writes them in every type, encoding and compression.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { NPM } from '../../../scripts/build/package.mjs';
import { ROOT, run } from '../../../scripts/run.mjs';
import { setUpFormats } from '../../../scripts/setup/python.mjs';
import { NATIVE } from '../../native.mjs';
import { given } from './threads.mjs';

const { parseDesign } = await import(pathToFileURL(join(NPM, 'index.js')).href);

const folder = mkdtempSync(join(tmpdir(), 'rowscape-formats-'));
after(() => rmSync(folder, { recursive: true }));
const at = (/** @type {string} */ name) => join(folder, name);
/** @type {{ file: string, csv: string, design: string, rows: number }[]} */
let files = [];

before(async () => {
  const python = await setUpFormats();
  if (!python) return;
  run(python, [join(ROOT, 'tests', 'formats', 'write.py'), folder], { quiet: true });
  files = JSON.parse(readFileSync(at('index.json'), 'utf8'));
});

/** @param {string[]} program @param {string} design @param {string} file @param {Buffer} [input] */
function encoded(program, design, file, input) {
  const [name, ...first] = program;
  const args = [...first, 'encode', at(design), input ? '-' : at(file)];
  const { stdout, status, stderr } = spawnSync(name, args, { maxBuffer: 1 << 28, input });
  return { keys: stdout.toString('latin1'), status, told: stderr.toString() };
}

/** Results of the native program on each CSV. @type {Map<string, ReturnType<typeof encoded>>} */
const known = new Map();

/** @param {{ csv: string, design: string }} entry */
function expected({ csv, design }) {
  const found = known.get(csv) ?? encoded([NATIVE], design, csv);
  known.set(csv, found);
  assert.ok(found.keys.split('\n').filter(Boolean).length > 1000, found.told);
  return found;
}

test('the native program makes the keys of the CSV', (context) => {
  if (!files.length) return context.skip('no Python');
  for (const entry of files) {
    const { keys, status } = encoded([NATIVE], entry.design, entry.file);
    const wanted = expected(entry);
    assert.equal(status, wanted.status, entry.file);
    assert.ok(keys === wanted.keys, `${entry.file}: other keys`);
  }
});

test('files that come through a pipe are read as well', (context) => {
  if (!files.length) return context.skip('no Python');
  for (const name of ['zstd-v2.parquet', 'lz4.arrow', 'zstd.arrows', 'deflate.avro', 'all.csv.zst']) {
    const entry = /** @type {(typeof files)[0]} */ (files.find(({ file }) => file === name));
    const { keys } = encoded([NATIVE], entry.design, name, readFileSync(at(name)));
    assert.ok(keys === expected(entry).keys, `${name}: other keys`);
  }
});

/** Those that npx reads too: one of each module's ways. */
const SOME =
  /^(snappy-v1|delta|zstd-v2|lz4-v1|brotli-v2|int96|nested|duckdb-zstd-V2)\.parquet$|^(lz4|zstd)\.arrows?$|\.feather$|^(snappy|zstandard)\.avro$|^all\.csv\.zst$/;

test('npx makes the same keys', (context) => {
  if (!files.length) return context.skip('no Python');
  for (const entry of files.filter(({ file }) => SOME.test(file))) {
    const { keys, told } = encoded([process.execPath, join(NPM, 'cli', 'bin.js')], entry.design, entry.file);
    assert.ok(keys === expected(entry).keys, `${entry.file}: other keys; ${told.slice(0, 500)}`);
  }
});

test('the package lays the records out as those of the CSV', async (context) => {
  if (!files.length) return context.skip('no Python');
  /** @param {string} design @param {any} source */
  const laidOut = async (design, source) => {
    const { report, problems } = await parseDesign(readFileSync(at(design), 'utf8')).analyze(source);
    const { rows, refused, keys } = report;
    return { found: JSON.stringify({ rows, refused: refused.count, keys }), problems };
  };
  /** @type {Map<string, string>} */
  const wanted = new Map();
  for (const { file, csv, design } of files) {
    if (!wanted.has(csv)) wanted.set(csv, (await laidOut(design, readFileSync(at(csv)))).found);
    const { found, problems } = await laidOut(design, await openAsBlob(at(file)));
    assert.equal(found, wanted.get(csv), file);
    const codes = problems.first.map((/** @type {{ code: string }} */ { code }) => code);
    assert.equal(codes.includes('input.columns-left-out'), file.startsWith('nested'), file);
  }
  // In pieces that come once, as from a network.
  for (const name of ['zstd-v2.parquet', 'lz4.arrow', 'zstd.arrows', 'deflate.avro', 'all.csv.zst']) {
    const { csv, design } = /** @type {(typeof files)[0]} */ (files.find(({ file }) => file === name));
    const pieces = async function* () {
      const bytes = readFileSync(at(name));
      for (let from = 0; from < bytes.length; from += 5000) yield bytes.subarray(from, from + 5000);
    };
    assert.equal((await laidOut(design, pieces())).found, wanted.get(csv), name);
  }
});

test('of a large file only the wanted columns are read', async (context) => {
  if (!files.length) return context.skip('no Python');
  const blob = await openAsBlob(at('none-v1.parquet'));
  let read = 0;
  const slice = blob.slice.bind(blob);
  blob.slice = (from = 0, to = blob.size) => {
    read += to - from;
    return slice(from, to);
  };
  const design = { rowscape: 1, fields: [{ name: 'steady', type: 'text' }], rowkey: 'steady' };
  /** @type {{ bytes: number, total: number }[]} */
  const told = [];
  const onProgress = (/** @type {{ bytes: number, total: number }} */ progress) => told.push(progress);
  const { report } = await parseDesign(JSON.stringify(design)).analyze(blob, { onProgress });
  assert.equal(report.keys.count, 2500);
  const { bytes, total } = told[told.length - 1];
  assert.ok(total > 0 && total < read, `${read} bytes, with the footer; ${total} are wanted`);
  assert.equal(bytes, total);
  assert.ok(read > 0 && read < blob.size * 0.75, `${read} of ${blob.size} bytes`);
});

/** Writes a file of 800,000 records in row groups of 90,000: `python -c`. */
const LARGE = `
import sys, pyarrow as pa, pyarrow.parquet as pq
rows = range(800000)
table = pa.table({
    "device": pa.array([f"device-{row * 7919 % 10007}" for row in rows]),
    "at": pa.array([1700000000000 + row // 7 * 1000 for row in rows], pa.timestamp("ms", "UTC")),
    "value": pa.array([None if row % 1000 == 3 else row for row in rows], pa.int64()),
})
pq.write_table(table, sys.argv[1], row_group_size=90000, compression="snappy")
`;

test('several threads read the row groups that one reads', async (context) => {
  const python = await setUpFormats();
  if (!python) return context.skip('no Python');
  run(python, ['-c', LARGE, at('large.parquet')], { quiet: true });
  const blob = await openAsBlob(at('large.parquet'));
  for (const rowkey of ["device.md5().hex(8) + '_' + at.millis().int64()", "salt(16) + '_' + value"]) {
    const fields = [
      { name: 'device', type: 'text' },
      { name: 'at', type: 'time', format: 'iso8601' },
      { name: 'value', type: 'integer' },
    ];
    const design = parseDesign({ rowscape: 1, fields, rowkey, splits: { points: ['4', '9'] } });
    const one = await design.analyze(blob, { threads: 1 });
    const before = given();
    const three = await design.analyze(blob, { threads: 3 });
    assert.equal(given() - before, 2);
    assert.equal(one.report.rows, 800_000);
    assert.deepEqual(three, one);
  }
});

test('a damaged file is told with its place, and what comes before is kept', async (context) => {
  if (!files.length) return context.skip('no Python');
  const { design } = files[0];
  const bytes = readFileSync(at('zstd-v1.parquet'));
  const text = readFileSync(at(design), 'utf8');
  const cut = bytes.subarray(0, bytes.length / 2);
  await assert.rejects(parseDesign(text).analyze(cut), { code: 'input.broken-table' });
  // The second row group.
  const broken = Uint8Array.from(bytes).fill(0xee, bytes.length * 0.45, bytes.length * 0.46);
  await assert.rejects(parseDesign(text).analyze(broken), (/** @type {any} */ error) => {
    assert.equal(error.code, 'input.broken-table');
    assert.match(error.args.place, /^row group 2, column \w+$/);
    assert.ok(error.analysis.report.rows >= 1000);
    return true;
  });
  const { told, status } = encoded([NATIVE], design, 'nowhere.parquet', Buffer.from(broken));
  assert.match(
    told,
    /Parquet file is damaged or truncated after 1,?\d* records, which are kept: .* \(row group 2, column/,
  );
  assert.notEqual(status, 0);
});

test('packed files that are cut end with a problem, whole and in pieces', async () => {
  const golden = (/** @type {string} */ name) =>
    readFileSync(new URL(`../../formats/golden/${name}`, import.meta.url));
  const fields = [{ name: 'count', type: 'integer' }];
  const design = parseDesign({ rowscape: 1, fields, rowkey: 'count' });
  for (const [name, cuts, code] of /** @type {const} */ ([
    ['all.csv.zst', [1, 2, 3, 4], 'input.broken-gzip'],
    ['zstd.arrows', [9, 10], 'input.broken-table'],
  ])) {
    const whole = golden(name);
    for (const cut of cuts) {
      const bytes = Uint8Array.from(whole.subarray(0, -cut));
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
      };
      for (const source of [bytes, new Blob([bytes]), pieces()])
        await assert.rejects(design.analyze(source), { code }, `${name} without ${cut}`);
    }
  }
});
