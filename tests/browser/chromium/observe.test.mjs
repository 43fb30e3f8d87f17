// Files of HBase on the page's live table.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../../../scripts/run.mjs';
import { liveTable, withBrowser } from './harness.mjs';

const { open } = withBrowser();

const STORE = join(ROOT, 'tests', 'data', 'store');
const DUMPS = join(ROOT, 'tests', 'data', 'dumps');
const REGION = '3004960074696a709bfc9fc61af05d5a';

/** @param {string} name */
const lines = (name) => readFileSync(join(STORE, name), 'utf8').split('\n').slice(0, -1).length;

test('a write-ahead log shows its tables, their hottest rows and a picture', async () => {
  const { page, close } = await open();
  await liveTable(page);
  await page
    .locator('existing-panel input[type=file]')
    .first()
    .setInputFiles(join(STORE, 'wal-compressed.wal'));
  const tables = page.locator('.observed');
  await tables.nth(1).waitFor();
  assert.equal(await tables.count(), 2);
  const text = await page.locator('observed-tables').innerText();
  assert.match(text, /many:two, from write-ahead logs: \d+ cells/);
  assert.equal(await page.locator('.observed canvas').count(), 2);
  const counts = Array.from(text.matchAll(/logs: ([\d,]+) cells/g), ([, cells]) =>
    Number(cells.replace(',', '')),
  );
  assert.equal(
    counts.reduce((sum, cells) => sum + cells, 0),
    lines('wal-compressed.cells'),
  );
  await close();
});

test('of HFiles the index is shown first, then all cells when asked for', async () => {
  const { page, close } = await open();
  await liveTable(page);
  const buffer = readFileSync(join(STORE, 'plain-FAST_DIFF.hfile'));
  const input = page.locator('existing-panel input[type=file]').first();
  await input.setInputFiles([
    { name: REGION, mimeType: 'application/octet-stream', buffer },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('some text') },
  ]);
  await page.getByText('from the index of HFiles').waitFor();
  await page.getByText('1 other file').waitFor();
  await page.getByRole('button', { name: /^Read all cells/ }).click();
  await page.getByText(`from HFiles: ${lines('plain-FAST_DIFF.cells')} cells`).waitFor();
  assert.match(await page.locator('.observed table').last().innerText(), /FAST_DIFF/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.locator('.observed').waitFor({ state: 'detached' });
  await close();
});

test('a damaged file is named, with the reason', async () => {
  const { page, close } = await open();
  await liveTable(page);
  const whole = readFileSync(join(STORE, 'plain-NONE.hfile'));
  await page
    .locator('existing-panel input[type=file]')
    .first()
    .setInputFiles({
      name: 'cut.hfile',
      mimeType: 'application/octet-stream',
      buffer: whole.subarray(0, 6000),
    });
  await page.getByText('the HFile file is damaged').waitFor();
  await close();
});

test('dumps of a cluster show which region and server took the requests, and what happened', async () => {
  const { page, close } = await open();
  await liveTable(page);
  const names = readdirSync(DUMPS).filter((name) => name.startsWith('rest-'));
  await page
    .locator('existing-panel input[type=file]')
    .first()
    .setInputFiles(names.map((name) => join(DUMPS, name)));
  const table = page.locator('.observed', { hasText: 'load:meter' });
  await table.getByText('The first region, up to “ber|”, took 58.4% of the reads').waitFor();
  const text = await table.innerText();
  assert.match(text, /load:meter, from 4 dumps: 32,011 reads, 20,532 writes/);
  assert.match(text, /the region from cph\| was split at cph\|5/);
  assert.match(text, /127\.0\.0\.1:17021\s+3\s+68\.1%/);
  assert.equal(await table.locator('canvas').count(), 1);
  await page.getByText('4 tables had too few requests to show: events').waitFor();
  await close();
});

test('a dump that is pasted shows its counters, and output without any says what to give', async () => {
  const { page, close } = await open();
  await liveTable(page);
  const text = gunzipSync(readFileSync(join(DUMPS, 'rest-1795781852959.json.gz'))).toString();
  await page.fill('#existing-text', text);
  const table = page.locator('.observed', { hasText: 'load:meter' });
  await table.getByText('load:meter, from one dump: 29,492 reads, 9,803 writes').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.fill('#existing-text', '{"beans":[{"name":"java.lang:type=Memory"}]}');
  await page.getByText('which has no counters of regions').waitFor();
  await close();
});
