// Files larger than memory: counted as they are read, with a sample for what-if questions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, calls, choose, ready, tab, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** Records too many for a budget of one MiB. */
const ROWS = 300_000;

/** @param {import('playwright-core').Page} page */
const regionRows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('region-table tbody tr')].map((row) =>
      [...row.querySelectorAll('td, th')].map((cell) => cell.textContent?.trim()).join('|'),
    ),
  );

/** @param {import('playwright-core').Page} page */
async function load(page) {
  await choose(page, 'calls.csv', calls(ROWS));
  await page.waitForSelector('.chip.source >> text=calls.csv', { timeout: 60_000 });
  await page.waitForSelector('.verdict dl >> text=300,000', { timeout: 60_000 });
  await ready(page);
}

test('a file larger than memory is counted whole, as if it were held', async () => {
  const held = await open();
  await load(held.page);
  await tab(held.page, 'Regions and keys');
  await held.page.getByRole('combobox', { name: 'Regions' }).selectOption('HexStringSplit');
  await ready(held.page);
  const expected = await regionRows(held.page);
  await held.close();
  const { page, close } = await open({ query: '?memory=1' });
  await load(page);
  await about(page, 'issues');
  await page.waitForSelector('.note >> text=All 300,000 rows were counted');
  await tab(page, 'Regions and keys');
  await page.getByRole('combobox', { name: 'Regions' }).selectOption('HexStringSplit');
  await about(page, 'issues');
  await page.click('text=Count all rows');
  await page.waitForSelector('.note >> text=All 300,000 rows were counted', { timeout: 60_000 });
  await ready(page);
  assert.deepEqual(await regionRows(page), expected);
  // Other splits are answered from the sample, and counted again when asked for.
  await page.locator('.slider input[type=range]').fill('5');
  await page.waitForSelector('.chip.issues >> text=Estimated from a sample');
  await about(page, 'issues');
  await page.waitForSelector('.note.warning >> text=of 300,000 rows');
  await page.click('text=Count all rows');
  await page.waitForSelector('.note >> text=All 300,000 rows were counted', { timeout: 60_000 });
  await ready(page);
  assert.equal((await regionRows(page)).length, 5);
  await close();
});

test('a column that was not kept is read again when the formula names it', async () => {
  const { page, close } = await open({ query: '?memory=3' });
  const [header, ...lines] = calls(40_000).trimEnd().split('\n');
  const noted = lines.map((line, row) => `${line},n${row}${'x'.repeat(120)}`);
  await choose(page, 'noted.csv', [`${header},note`, ...noted].join('\n'));
  await page.waitForSelector('.verdict dl >> text=40,000');
  await ready(page);
  await about(page, 'issues');
  await page.waitForSelector('.note >> text=only the columns that the design names are loaded');
  await page.fill('.formula textarea', 'note.substring(0, 3)');
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() =>
    /^n\d/.test(document.querySelector('.list li .bytes')?.textContent?.trim() ?? ''),
  );
  await close();
});
