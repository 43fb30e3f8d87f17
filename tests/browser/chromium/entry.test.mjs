// Before anything was opened: the question, three ways in, and an example at work beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, choose, openOffered, ready, violations, withBrowser } from './harness.mjs';

/** @import { Page } from 'playwright-core' */

const { open } = withBrowser();
const QUESTION = 'Which row key should this table have?';
/** Most that the page may shift, at any width. */
const SHIFT = 0.05;
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** The sum of all shifts so far that no act of a person led to. @param {Page} page */
const shifted = (page) => page.evaluate(() => /** @type {any} */ (window).shifted);

/** Sums shifts of the layout from the start. @param {Page} page */
const watchShifts = (page) =>
  page.addInitScript(() => {
    const own = /** @type {any} */ (window);
    own.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of /** @type {any[]} */ (list.getEntries()))
        if (!entry.hadRecentInput) own.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

test('until something was opened the page asks which row key a table should have, and offers no other act', async () => {
  const { page, close } = await open({ opened: false });
  assert.equal(await page.locator('.entry-title h2').textContent(), QUESTION);
  assert.deepEqual(await page.locator('.door strong').allTextContents(), [
    'Open a file…',
    'Paste from HBase or Phoenix',
    'No data yet: name the fields',
  ]);
  for (const other of ['history-buttons', '.example', '.controls', 'data-line', 'review-tabs', 'key-bar'])
    assert.equal(await page.locator(other).filter({ visible: true }).count(), 0, other);
  assert.deepEqual(await violations(page), []);
  await close();
});

test('the picture and the verdict of the example are there before the module is', async () => {
  let release = () => {};
  const released = new Promise((go) => {
    release = () => go(undefined);
  });
  // Also those that are asked for later: on a busy machine none may have been yet.
  const prepare = (/** @type {Page} */ page) =>
    page.route('**/*.wasm', (route) => released.then(() => route.continue()));
  const { page, close } = await open({ opened: false, drawn: false, prepare });
  await page.getByText('One region takes 100% of the writes at any one time').first().waitFor();
  const shades = await page.locator('live-picture.stage canvas').evaluate((canvas) => {
    const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
    const { data } = /** @type {any} */ (canvas).getContext('2d').getImageData(0, 0, width, height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(shades > 3, `${shades} shades`);
  assert.equal(await page.locator('.entry-examples .badge').count(), 4);
  release();
  await page.locator('heat-map canvas').first().waitFor();
  assert.equal(await page.locator('live-picture.stage').count(), 0);
  await close();
});

test('a picture drawn at build time has the verdict that the page computes', async () => {
  const { page, close } = await open({ opened: false });
  for (const title of await page.locator('.entry-examples strong').allTextContents()) {
    const card = page.locator('.entry-examples button', { hasText: title });
    const told = await card.locator('.badge').textContent();
    await card.click();
    await ready(page);
    await page
      .locator('.verdict:not(.is-unjudged) p', { hasText: told ?? '' })
      .first()
      .waitFor();
    await page.goBack();
    await page.locator('.entry-title').waitFor();
  }
  await close();
});

test('fields that are named become a table with records and a key', async () => {
  const { page, close } = await open({ opened: false });
  const chips = page.locator('.chip.field strong');
  const named = async () => {
    await chips.nth(2).waitFor();
    assert.deepEqual(await chips.allTextContents(), ['device', 'measured', 'value']);
  };
  await page.click('.door >> nth=2');
  await page.getByLabel('Name of field 1').fill('device');
  await page.getByLabel('Name of field 2').fill('measured');
  const use = page.locator('records-dialog button.main');
  await page.getByLabel('Name of field 3').fill('device');
  assert.ok(await use.isDisabled(), 'two fields of one name');
  await page.getByLabel('Name of field 3').fill('value');
  await use.click();
  await ready(page);
  await named();
  assert.match(await page.inputValue('.formula textarea'), /^device\.md5.*measured\.format/);
  await page.reload();
  await ready(page);
  await named();
  await close();
});

test('what was opened is there after a reload, Back leads to the question, and so does Start over', async () => {
  const { page, close } = await open({ opened: false });
  await openOffered(page);
  await ready(page);
  await page.goBack();
  await page.locator('.entry-title').waitFor();
  await page.goForward();
  await ready(page);
  await page.fill('.formula textarea', "carrier + '_' + flight.decimal(4)");
  await page.waitForSelector('key-bar .key[title^="carrier"]');
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes('decimal(4)'));
  await page.reload();
  await ready(page);
  assert.equal(await page.locator('.entry-title').count(), 0);
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('heading', { name: QUESTION }).waitFor();
  await close();
});

for (const viewport of SIZES)
  test(`nothing shifts on the way to an own file at ${viewport.width} pixels, nor after a reload`, async () => {
    const { page, close } = await open({ opened: false, viewport, prepare: watchShifts });
    await page.waitForTimeout(1000);
    const first = await shifted(page);
    assert.ok(first <= SHIFT, `${first} at first`);
    await choose(page, 'calls.csv', calls(5000));
    await page.waitForSelector('.verdict dl >> text=5,000');
    await ready(page);
    await page.waitForTimeout(1000);
    const file = (await shifted(page)) - first;
    assert.ok(file <= SHIFT, `${file} with a file`);
    await page.reload();
    await page.waitForSelector('.is-entry .verdict .actions, .status.empty');
    await page.waitForTimeout(500);
    const again = await shifted(page);
    assert.ok(again <= SHIFT, `${again} after a reload`);
    await close();
  });
