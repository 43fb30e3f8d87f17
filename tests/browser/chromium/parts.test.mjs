// Regions in parts: ranges of keys finer than regions, once a person looks close.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, calls, choose, contentOf, ready, tab, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** Keys that the formula of these tests makes of calls, in order. @param {number} rows */
const keysOf = (rows) =>
  calls(rows)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([phone, time]) => `${phone}_${time.replace(/\D/g, '')}`)
    .sort();

/** Phones first, in regions of a tenth of the numbers each. @param {Page} page @param {number} rows */
async function load(page, rows) {
  await choose(page, 'calls.csv', calls(rows));
  await page.waitForSelector(`.verdict dl >> text=${rows.toLocaleString('en-US')}`, { timeout: 60_000 });
  await ready(page);
  await page.fill('.formula textarea', "phone + '_' + call_time.format('yyyyMMddHHmmss')");
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() =>
    /^1341234\d{4}_/.test(document.querySelector('.list li .bytes')?.textContent?.trim() ?? ''),
  );
  await ready(page);
  await page.selectOption('select[aria-labelledby=splits-title]', 'sample');
  await page.waitForFunction(() => {
    const empty = /** @type {HTMLElement} */ (document.querySelector('.regions p.muted')).textContent ?? '';
    return empty.startsWith('0 ');
  });
  await ready(page);
}

/** The numbers of the figure on show. @param {Page} page */
async function numbers(page) {
  await page.locator('.save').evaluate((menu) => {
    /** @type {HTMLDetailsElement} */ (menu).open = true;
  });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.save button', { hasText: 'JSON' }).click(),
  ]);
  return JSON.parse(String(await contentOf(file)));
}

/** @param {Page} page @param {number} times */
async function zoomIn(page, times) {
  await page.focus('.stage');
  for (let time = 0; time < times; time++) await page.keyboard.press('+');
  await page.waitForSelector('figcaption >> text=Between region borders');
}

/** @param {number[]} figures */
const sum = (figures) => figures.reduce((all, figure) => all + figure, 0);

test('zoomed into, regions are shown in parts that hold exactly their keys', async () => {
  const { page, close } = await open();
  await load(page, 5000);
  const before = await numbers(page);
  await zoomIn(page, 6);
  const { lines, regionCount, sample } = await numbers(page);
  assert.equal(sample, undefined);
  assert.ok(lines.length > regionCount + 4, `${lines.length} lines of ${regionCount} regions`);
  const keys = keysOf(5000);
  lines.forEach((/** @type {any} */ line, /** @type {number} */ at) => {
    const stop = lines[at + 1]?.startRow ?? '\uffff';
    const held = keys.filter((key) => key >= line.startRow && key < stop).length;
    assert.equal(sum(line.cells), held, `rows from ${line.startRow}`);
  });
  for (let region = 0; region < regionCount; region++) {
    const parts = lines.filter((/** @type {any} */ { firstRegion }) => firstRegion === region);
    assert.equal(parts[0].startRow, before.lines[region].startRow);
    // Moments became finer, too.
    const all = parts[0].cells.map((/** @type {number} */ _, /** @type {number} */ at) =>
      sum(parts.map((/** @type {any} */ part) => part.cells[at])),
    );
    const finer = all.length / before.lines[region].cells.length;
    const cells = before.lines[region].cells.map((/** @type {number} */ _, /** @type {number} */ at) =>
      sum(all.slice(at * finer, (at + 1) * finer)),
    );
    assert.deepEqual(cells, before.lines[region].cells);
  }
  await close();
});

test('a part says of which region it is, and the arrow keys go from part to part', async () => {
  const { page, close } = await open();
  await load(page, 5000);
  await zoomIn(page, 6);
  await page.keyboard.press('ArrowUp');
  await page.waitForSelector('.tooltip strong >> text=/Region \\d+, part \\d+ of \\d+/');
  const title = await page.textContent('.tooltip strong');
  const range = await page.textContent('.tooltip .line.mono');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction((old) => document.querySelector('.tooltip strong')?.textContent !== old, title);
  assert.notEqual(await page.textContent('.tooltip .line.mono'), range);
  await page.keyboard.press('r');
  await page.waitForSelector('figcaption >> text=Between region borders', { state: 'detached' });
  await close();
});

test('a table of one region is looked into as well', async () => {
  const { page, close } = await open();
  await load(page, 3000);
  await tab(page, 'Regions and keys');
  await page.getByLabel('Number of regions', { exact: true }).fill('1');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=1');
  await zoomIn(page, 3);
  const { lines } = await numbers(page);
  assert.ok(lines.length >= 16);
  assert.equal(sum(lines.flatMap((/** @type {any} */ { cells }) => cells)), 3000);
  await close();
});

test('of records too many to hold, parts and what-if questions are estimates with their interval', async () => {
  const { page, close } = await open({ query: '?memory=1' });
  await choose(page, 'calls.csv', calls(300_000));
  await page.waitForSelector('.verdict dl >> text=300,000', { timeout: 60_000 });
  await ready(page);
  await about(page, 'issues');
  await page.waitForSelector('.note >> text=All 300,000 rows were counted');
  await about(page, 'source');
  await page.click('.values summary');
  // 10,000 phones: more than are counted one by one.
  const distinct = page.locator('values-view section', { hasText: 'phone' }).first().locator('p').first();
  await distinct.waitFor();
  const [, low, high] =
    /between ([\d,]+) and ([\d,]+)\) distinct values/.exec((await distinct.textContent()) ?? '') ?? [];
  const figure = (/** @type {string} */ text) => Number(text.replaceAll(',', ''));
  assert.ok(figure(low) <= 10_000 && figure(high) >= 10_000, `${low} to ${high}`);
  await zoomIn(page, 6);
  const { sample } = await numbers(page);
  assert.deepEqual(sample, { rows: 150_036, of: 300_000 });
  await page.focus('.stage');
  await page.keyboard.press('ArrowUp');
  await page.waitForSelector(
    '.tooltip >> text=/about [\\d,]+ \\(between [\\d,]+ and [\\d,]+\\) rows in total/',
  );
  // Other splits are answered from the sample, for all rows.
  await tab(page, 'Regions and keys');
  await page.locator('.slider input[type=range]').fill('5');
  await page.waitForSelector('.chip.issues >> text=Estimated from a sample');
  assert.equal((await page.textContent('.verdict dd'))?.trim(), '300,000');
  assert.match(
    (await page.textContent('region-table tbody')) ?? '',
    /about [\d,]+ \(between [\d,]+ and [\d,]+\)/,
  );
  await close();
});
