import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { calls, choose, ready, withBrowser } from './harness.mjs';

const { open, address } = withBrowser();

/** @import { Page } from 'playwright-core' */

/** The row key formula as typed. @param {Page} page */
const formula = (page) => page.inputValue('.formula textarea');

/** Waits until the formula is this one. @param {Page} page @param {string} text */
const shows = (page, text) =>
  page.waitForFunction(
    (wanted) =>
      /** @type {HTMLTextAreaElement} */ (document.querySelector('.formula textarea')).value === wanted,
    text,
  );

/** The end of an address that holds a design. @param {object} design */
const link = (design) => `#v1.${deflateRawSync(JSON.stringify(design)).toString('base64url')}`;

const CALLS = {
  rowscape: 1,
  name: 'Calls',
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: 'Z' },
  ],
  arrival: 'at',
  rowkey: "phone + '/' + at.format('yyyyMMdd')",
  splits: { points: ['3', '6'] },
};

/** A browser that refuses storage, as a private window can. @param {Page} page */
const refuseStorage = (page) =>
  page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });

test('what was changed is undone and redone, by keys and by buttons', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(400));
  await page.waitForSelector('.verdict dl >> text=400');
  await ready(page);
  const first = await formula(page);
  const regions = (/** @type {string} */ number) =>
    page.waitForSelector(`.verdict dl div:nth-child(2) dd >> text=${number}`);
  await page.fill('.formula textarea', "'a' + phone");
  await page.waitForSelector('.list li .bytes:has-text("a1341")');
  await page.locator('input[type=range]').fill('5');
  await regions('5');
  await page.locator('body').press('Control+z');
  await regions('16');
  assert.equal(await formula(page), "'a' + phone");
  await page.focus('.formula textarea');
  await page.keyboard.press('Control+z');
  await shows(page, first);
  await page.keyboard.press('Control+Shift+z');
  await shows(page, "'a' + phone");
  await page.getByRole('button', { name: 'Redo' }).click();
  await regions('5');
  assert.ok(await page.getByRole('button', { name: 'Redo' }).isDisabled());
  await close();
});

test('another example is left again by undo and by the back button, as it was left', async () => {
  const { page, close } = await open();
  const changed = "tailnum + 'z'";
  await page.fill('.formula textarea', changed);
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.selectOption('.example select', 'call-records');
  await page.waitForSelector('.story >> text=telephone');
  await ready(page);
  const other = await formula(page);
  assert.notEqual(other, changed);
  await page.goBack();
  await shows(page, changed);
  await ready(page);
  assert.equal(await page.inputValue('.example select'), 'nyc-flights');
  await page.goForward();
  await shows(page, other);
  await page.waitForSelector('.story >> text=telephone');
  await ready(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows(page, changed);
  await page.waitForSelector('.story >> text=departures');
  await close();
});

test('a formula that is wrong is still there after a reload', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', 'tailnum + nosuchfi');
  await page.reload();
  await ready(page);
  assert.equal(await formula(page), 'tailnum + nosuchfi');
  assert.equal(await page.textContent('.formula mark.wrong'), 'nosuchfi');
  await close();
});

test('a private window works and says that nothing is kept', async () => {
  const { page, close } = await open({ prepare: refuseStorage });
  await page.fill('.formula textarea', "tailnum + 'z'");
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.waitForSelector('.note >> text=keeps nothing');
  await page.locator('body').press('Control+z');
  await page.waitForFunction(
    () => !document.querySelector('.formula textarea')?.matches(':placeholder-shown'),
  );
  await close();
});

test('starting over takes everything out of storage', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', "tailnum + 'z'");
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.waitForFunction(() => localStorage.length > 0);
  await page.click('text=Start over');
  await page.waitForSelector('.list li .bytes span >> text=z', { state: 'detached' });
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows(page, "tailnum + 'z'");
  await close();
});

test('a link made in one tab opens in another, with the design and no records', async () => {
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await choose(page, 'calls.csv', calls(400));
  await page.waitForSelector('.verdict dl >> text=400');
  await ready(page);
  await page.fill('.formula textarea', "phone.reverse() + '/' + call_time.format('yyyyMMdd')");
  await page.waitForSelector('.list li .bytes:has-text("4321431")');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForSelector('button >> text=Link copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith(`${address()}#v1.`));
  const held = JSON.parse(inflateRawSync(Buffer.from(copied.split('#v1.')[1], 'base64url')).toString());
  assert.equal(held.rowkey, "phone.reverse() + '/' + call_time.format('yyyyMMdd')");
  assert.ok(!JSON.stringify(held).includes('1341234'), 'no record in the link');

  const other = await /** @type {import('playwright-core').Browser} */ (page.context().browser()).newPage();
  await other.goto(copied);
  await ready(other);
  assert.equal(await formula(other), "phone.reverse() + '/' + call_time.format('yyyyMMdd')");
  await other.waitForSelector('.notice >> text=made up');
  await other.close();
  await close();
});

test('a link pasted into the address is opened, and the back button returns', async () => {
  const { page, close } = await open();
  const before = await formula(page);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link(CALLS));
  await shows(page, CALLS.rowkey);
  await ready(page);
  await page.goBack();
  await shows(page, before);
  await page.goForward();
  await shows(page, CALLS.rowkey);
  // A change makes it one's own: a reload brings the change back, not the link.
  await page.fill('.formula textarea', 'phone');
  await page.reload();
  await ready(page);
  assert.equal(await formula(page), 'phone');
  await close();
});

test('a link that can’t be opened says why and loses nothing', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', 'dest');
  await page.waitForSelector('.list li .bytes:has-text("AL")');
  const broken = /damaged or was cut short/;
  const wrong = /** @type {const} */ ([
    [link(CALLS).slice(0, 60), broken],
    ['#v1.%%%', broken],
    ['#v1.', broken],
    [link({ ...CALLS, name: 'a'.repeat(8_000_000) }), broken],
    ['#v2.abc', /newer version/],
    [link({ ...CALLS, rowscape: 2 }), /newer version/],
    [link({ ...CALLS, rowkey: 'nosuchfield' }), /nosuchfield/],
  ]);
  for (const [hash, sentence] of wrong) {
    await page.evaluate((end) => {
      location.hash = end;
    }, hash);
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.notice')?.textContent ?? ''),
      sentence.source,
    );
    assert.equal(await formula(page), 'dest');
    await page.click('.notice button');
  }
  await page.reload();
  await page.waitForSelector('.notice >> text=nosuchfield');
  await ready(page);
  assert.equal(await formula(page), 'dest');
  await close();
});
