// The page as an adviser: what is wrong, its fix and the commands stay in reach, and nothing that was there is lost or moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, violations, withBrowser } from './harness.mjs';
import { DESIGN, RECORDS } from './orders.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** Sums up the layout shifts that no one caused, from the start of the page. @param {Page} page */
const followShifts = (page) =>
  page.addInitScript(() => {
    const noted = /** @type {any} */ (globalThis);
    noted.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of /** @type {any[]} */ (list.getEntries()))
        if (!entry.hadRecentInput) noted.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

for (const width of [360, 390, 1265, 1280]) {
  test(`nothing moves by more than 0.05 while the page opens at ${width} pixels`, async () => {
    const { page, close } = await open({ viewport: { width, height: 800 }, prepare: followShifts });
    await page.locator('key-bar .main').waitFor();
    const shifted = await page.evaluate(() => /** @type {any} */ (globalThis).shifted);
    assert.ok(shifted <= 0.05, `shifted by ${shifted}`);
    await close();
  });
}

test('the head of the page is one line at 1265 pixels, also after the link was copied', async () => {
  const { page, close } = await open({
    viewport: { width: 1265, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const height = () => page.locator('header').evaluate((head) => head.getBoundingClientRect().height);
  const before = await height();
  assert.ok(before <= 60, `${before} pixels`);
  await page.getByRole('button', { name: 'Share link' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Link copied' }).waitFor();
  assert.equal(await height(), before);
  await close();
});

test('the verdict has its fix beside it, and the price stands beside the gain', async () => {
  const { page, close } = await open({ viewport: { width: 1280, height: 800 } });
  const apply = page.getByRole('button', { name: 'Apply fix' });
  await apply.waitFor();
  const box = await apply.boundingBox();
  assert.ok(box && box.y + box.height < 800, 'in the first window');
  await apply.click();
  await page.waitForSelector('.verdict.good');
  await page.getByText('was 1.0', { exact: true }).waitFor();
  assert.match((await page.textContent('.verdict .price')) ?? '', /16 scans/);
  assert.equal(await apply.count(), 0);
  await close();
});

for (const width of [390, 1280]) {
  test(`the create command is one click away at ${width} pixels, wherever one has scrolled`, async () => {
    const { page, close } = await open({
      viewport: { width, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    for (const top of [0, 1200]) {
      await page.evaluate((to) => scrollTo(0, to), top);
      const box = await page.locator('key-bar').boundingBox();
      assert.ok(box && Math.abs(box.y + box.height - 800) < 2, 'at the bottom of the window');
    }
    await page.locator('key-bar .main').click();
    await page.locator('key-bar').getByText('Copied.').first().waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^create '/m);
    assert.deepEqual(await violations(page, 'key-bar'), []);
    await close();
  });
}

test('the bar tells what each question costs', async () => {
  const { page, close } = await open();
  await page.setInputFiles('input[type=file]', [
    { name: 'orders.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(DESIGN)) },
    { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(RECORDS) },
  ]);
  await page.waitForSelector('.verdict dl >> text=120');
  await page.locator('key-bar .cost', { hasText: 'one customer' }).waitFor();
  assert.match(
    (await page.locator('key-bar .cost', { hasText: 'one customer' }).textContent()) ?? '',
    /1 scans? · 0 rows/,
  );
  await close();
});

test('a design document is recognized, alone and with its records', async () => {
  const { page, close } = await open();
  const text = JSON.stringify(DESIGN, null, 2);
  await choose(page, 'design.json', text);
  await page.waitForFunction(() =>
    document.querySelector('textarea')?.value.startsWith("customer + '_' + at.format"),
  );
  await ready(page);
  await page.setInputFiles('input[type=file]', [
    { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(RECORDS) },
    { name: 'design.json', mimeType: 'application/json', buffer: Buffer.from(text) },
  ]);
  await page.waitForSelector('.verdict dl >> text=120');
  assert.equal(await page.inputValue('.formula textarea'), DESIGN.rowkey);
  await choose(page, 'design.json', text.replace('customer +', 'nobody +'));
  await page.waitForSelector('.notice >> text=design.json');
  assert.equal(await page.inputValue('.formula textarea'), DESIGN.rowkey, 'the design stays');
  await close();
});

test('while the formula is wrong, what is stale is dim and named the last valid key', async () => {
  const { page, close } = await open();
  const opacity = () =>
    page.locator('heat-map').evaluate((map) => Number(getComputedStyle(map).opacity).toFixed(2));
  assert.equal(await opacity(), '1.00');
  await page.fill('.formula textarea', 'carrier.descending()');
  await page.waitForSelector('.formula-problems');
  await page.waitForFunction(
    () => Number(getComputedStyle(/** @type {Element} */ (document.querySelector('heat-map'))).opacity) < 0.5,
  );
  await page.locator('key-bar').getByText('Last valid key').waitFor();
  assert.match((await page.textContent('key-bar .key')) ?? '', /^departure\.format/);
  assert.ok(await page.locator('key-bar .main').isDisabled());
  await page.fill('.formula textarea', 'carrier');
  await page.waitForSelector('.formula-problems', { state: 'detached' });
  await page.waitForFunction(() => document.querySelector('key-bar .key')?.textContent === 'carrier');
  await close();
});
