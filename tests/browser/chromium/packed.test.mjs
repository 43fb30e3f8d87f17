// Parquet, Arrow, Avro and zstd files in the page: the same keys as the CSV of the same records, read by ranges.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setUpFormats } from '../../../scripts/setup/python.mjs';
import { NATIVE } from '../../native.mjs';
import { about, choose, ready, tab, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** @param {string} name */
const golden = (name) => readFileSync(new URL(`../../formats/golden/${name}`, import.meta.url));

/** Waits until so many rows are told. @param {import('playwright-core').Page} page @param {string} rows */
const rows = async (page, rows) => {
  await page.waitForFunction((wanted) => document.querySelector('.verdict dd')?.textContent === wanted, rows);
  await ready(page);
};

/** The keys of a file under a formula. @param {string} name @param {string} formula */
async function keysOf(name, formula) {
  const { page, close } = await open();
  await choose(page, name, golden(name));
  await page.waitForSelector(`.chip.source >> text=${name}`);
  await ready(page);
  await page.fill('.formula textarea', formula);
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() => document.querySelector('.list li .bytes')?.textContent?.includes('|'));
  await ready(page);
  const keys = await page.locator('.list li .bytes').allTextContents();
  await close();
  return keys.map((key) => key.trim());
}

/**
 * The keys of a CSV as the native program makes them, with the types that the packed file states.
 * @param {string} csv
 * @param {string} rowkey
 */
function expected(csv, rowkey) {
  const { fields } = JSON.parse(golden(`${csv}.json`).toString());
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-packed-'));
  const design = join(folder, 'design.json');
  writeFileSync(design, JSON.stringify({ rowscape: 1, fields, rowkey }));
  const { stdout } = spawnSync(NATIVE, ['encode', design, '-'], { input: golden(csv) });
  rmSync(folder, { recursive: true });
  return stdout.toString().split('\n').filter(Boolean);
}

/** The list shows the first keys. @param {string[]} shown @param {string[]} all */
function agree(shown, all) {
  assert.ok(shown.length >= 10);
  assert.deepEqual(
    shown.filter((key) => !all.includes(key)),
    [],
  );
}

test('packed files have the keys of their CSV', async () => {
  const flat = "count.decimal(20) + '|' + text + '|' + int64.int64() + dec38.bigDecimal() + double.float64()";
  const keys = expected('all.csv', flat);
  assert.ok(keys.length > 20);
  for (const name of ['snappy-v1.parquet', 'delta.parquet']) agree(await keysOf(name, flat), keys);
  const nested = "key.decimal(20) + '|' + `a.c.d`";
  const inner = expected('nested.csv', nested);
  for (const name of ['nested.parquet', 'nested.arrow', 'nested.avro'])
    agree(await keysOf(name, nested), inner);
  const text = "count + '|' + steady";
  agree(await keysOf('all.csv.zst', text), expected('all.csv', text));
});

test('types come from the file, and what is left out is told', async () => {
  const { page, close } = await open();
  await choose(page, 'nested.parquet', golden('nested.parquet'));
  await rows(page, '40');
  await about(page, 'issues');
  await page
    .getByText(/a\.list \(LIST\)/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await about(page, 'key');
  await page.getByText('type stated by the file: INT64').waitFor();
  await close();
});

/** Writes a table of a key and nine columns that are never read. */
const LARGE = `
import sys, random, io
import pyarrow as pa, pyarrow.parquet as pq
rows = 200000
draw = random.Random(1)
columns = {f"value{n}": pa.array([draw.random() for _ in range(rows)], pa.float64()) for n in range(9)}
columns["id"] = pa.array(range(rows), pa.int64())
out = io.BytesIO()
pq.write_table(pa.table(columns), out, row_group_size=50000)
sys.stdout.buffer.write(out.getvalue())
`;

test('a large file is read by ranges: only the columns of the key', async (context) => {
  const python = await setUpFormats();
  if (!python) return context.skip('no Python');
  const { stdout } = spawnSync(python, ['-c', LARGE], { maxBuffer: 1 << 28 });
  const { page, close } = await open();
  await choose(page, 'large.parquet', stdout);
  await page.waitForSelector('.verdict dl >> text=200,000', { timeout: 60_000 });
  await ready(page);
  await page.fill('.formula textarea', 'id.decimal(8)');
  await ready(page);
  await about(page, 'issues');
  const note = page.getByText(/^Only the columns that the design names are read: /);
  await note.waitFor();
  const told = (await note.textContent()) ?? '';
  const [, read, unit, size] = /read: ([\d.]+)\s([KM])iB of ([\d.]+)\sMiB/.exec(told) ?? [];
  const share = (Number(read) * (unit === 'K' ? 2 ** -10 : 1)) / Number(size);
  assert.ok(share > 0.01 && share < 0.25, told);
  // The values of a record are those of the columns that were read.
  const value = page.locator('.sample dd').filter({ hasText: /^\d+$/ });
  await value.waitFor();
  const shown = await value.textContent();
  assert.equal(await page.locator('.sample .bytes').textContent(), shown?.padStart(8, '0'));
  await close();
});

test('a damaged file keeps what comes before, and says where', async () => {
  const { page, close } = await open();
  const bytes = golden('snappy-v1.parquet');
  await choose(page, 'cut.parquet', bytes.subarray(0, bytes.length - 300));
  await page
    .getByText(/Parquet file is damaged or truncated/)
    .first()
    .waitFor();
  await close();
});
