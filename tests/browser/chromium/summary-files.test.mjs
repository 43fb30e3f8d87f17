// Files of counts, dropped on the page: exact for the design they were made with, from their sample for others.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NATIVE } from '../../native.mjs';
import { about, calls, ready, shows, tab, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** Rows of each of two parts. */
const ROWS = 20_000;
const DESIGN = {
  rowscape: 1,
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'call_time', type: 'time', format: 'yyyy-MM-dd HH:mm:ss' },
    { name: 'seconds', type: 'integer' },
  ],
  arrival: 'call_time',
  queries: [{ name: 'a phone', where: { phone: '13412340007' } }],
  tables: [
    { name: 'by_phone', rowkey: 'phone', splits: { points: ['13412343000', '13412346000'] } },
    { name: 'by_time', rowkey: "call_time.format('yyyyMMddHHmm')", splits: { points: ['2024050900'] } },
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'rowscape-summaries-'));
after(() => rmSync(folder, { recursive: true }));
const path = (/** @type {string} */ name) => join(folder, name);

/** @param {string[]} args */
function rowscape(...args) {
  const { stdout, stderr, status } = spawnSync(NATIVE, args, { cwd: folder });
  assert.ok(status === 0 || status === 1, stderr.toString());
  return stdout.toString();
}

const [header, ...lines] = calls(2 * ROWS)
  .trimEnd()
  .split('\n');
// The second table has no key for it.
lines[ROWS + 7] = lines[ROWS + 7].replace(/,[^,]+,/, ',never,');
writeFileSync(path('design.json'), JSON.stringify(DESIGN));
for (const [part, first] of [
  ['one', 0],
  ['two', ROWS],
]) {
  writeFileSync(
    path(`${part}.csv`),
    [header, ...lines.slice(Number(first), Number(first) + ROWS), ''].join('\n'),
  );
  rowscape('summarize', 'design.json', `${part}.csv`, '-o', `${part}.rowscape`);
}

/** @param {import('playwright-core').Page} page @param {string[]} names */
const drop = (page, ...names) => page.setInputFiles('input[type=file]', names.map(path));

/** The rows of each region on show, the busiest first. @param {import('playwright-core').Page} page */
const regionRows = (page) =>
  page
    .locator('region-table tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => Number(row.querySelectorAll('td')[2].textContent?.replaceAll(',', ''))),
    );

/** The rows of each region as the command line counts them, the busiest first. @param {string} table */
function expected(table) {
  const { report } = JSON.parse(
    rowscape('analyze', 'design.json', 'one.csv', 'two.csv', '--table', table, '--json'),
  );
  const rows = report.regions.map((/** @type {{ rows: number }} */ region) => region.rows);
  return rows.sort((/** @type {number} */ a, /** @type {number} */ b) => b - a);
}

test('parts of a summary are opened as one, with the rows of all their records', async () => {
  const { page, close } = await open();
  await drop(page, 'one.rowscape', 'two.rowscape');
  await page.waitForSelector('.verdict dl >> text=40,000');
  await ready(page);
  assert.equal(await page.inputValue('.formula textarea'), 'phone');
  // Rows that questions read were counted as well.
  await shows(page, 'ask-questions', /1 scan · 1 row/);
  await tab(page, 'Regions and keys');
  assert.deepEqual(await regionRows(page), expected('by_phone'));
  await about(page, 'issues');
  await shows(page, 'data-about', /All 40,000 rows were counted where the file was made.*sample of 4,096/);
  await page.keyboard.press('Escape');
  // The other table has counts of its own.
  await page.getByRole('radio', { name: 'by_time' }).check({ force: true });
  await ready(page);
  assert.deepEqual(await regionRows(page), expected('by_time'));
  // Another key was not counted: its rows are estimated.
  await page.fill('.formula textarea', 'phone.reverse()');
  await page.waitForSelector('.chip.issues >> text=Estimated from a sample');
  await about(page, 'issues');
  await shows(page, 'data-about', /Estimated from a sample of 4,096 of 40,000 rows/);
  assert.equal(await page.getByText('Count all rows').count(), 0);
  await close();
});

test('counts without samples are shown, and what is unknown is said', async () => {
  rowscape('summarize', 'design.json', 'one.csv', '--no-samples', '-o', 'alone.rowscape');
  const { page, close } = await open();
  await drop(page, 'alone.rowscape');
  await page.waitForSelector('.verdict dl >> text=20,000');
  await ready(page);
  await about(page, 'issues');
  await shows(page, 'data-about', /it holds no sample/);
  await page.keyboard.press('Escape');
  for (const name of ['Queries', 'Regions and keys', 'Writes', 'Storage and growth']) {
    await tab(page, name);
    await ready(page);
  }
  await close();
});

test('a file that is damaged or of another design takes nothing away', async () => {
  const whole = readFileSync(path('one.rowscape'));
  writeFileSync(path('cut.rowscape'), whole.subarray(0, whole.length >> 1));
  writeFileSync(path('other.json'), JSON.stringify({ ...DESIGN, arrival: undefined }));
  rowscape('summarize', 'other.json', 'one.csv', '-o', 'other.rowscape');
  const { page, close } = await open();
  for (const [names, said] of /** @type {[string[], RegExp][]} */ ([
    [['cut.rowscape'], /cut\.rowscape.*truncated/],
    [['one.rowscape', 'other.rowscape'], /other\.rowscape.*different designs/],
    [['one.rowscape', 'one.rowscape'], /already in the summary/],
    [['one.rowscape', 'two.csv'], /two\.csv.*does not start with RWSF/],
  ])) {
    await drop(page, ...names);
    await shows(page, '.notice', said);
    await ready(page);
    assert.match((await page.locator('.chip.source').textContent()) ?? '', /nyc-flights/);
  }
  await close();
});
