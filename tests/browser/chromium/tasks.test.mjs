// Five tasks from start to finish, as a person does them: by what is read on the page. The clicks are counted and told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

const { open } = withBrowser();

/** A person at the page, whose clicks and figures typed are noted. @param {Page} page */
function person(page) {
  /** @type {string[]} */
  const clicks = [];
  /** @type {string[]} */
  const typed = [];
  const click = async (/** @type {Locator} */ what) => {
    const label = await what.evaluate((one) => (one.ariaLabel ?? one.textContent ?? '').trim());
    await what.click();
    clicks.push(label.replace(/\s+/g, ' '));
  };
  return {
    /** @param {string | RegExp} name @param {boolean} [exact] */
    press: (name, exact = false) => click(page.getByRole('button', { name, exact }).first()),
    /** @param {string} name */
    follow: (name) => click(page.getByRole('link', { name, exact: true })),
    /** @param {string} name */
    turnTo: (name) => click(page.getByRole('tab', { name })),
    /** Types into a field, and leaves it. @param {string} label @param {string} text */
    async type(label, text) {
      await page.getByLabel(label).fill(text);
      await page.keyboard.press('Enter');
      typed.push(text);
    },
    /** Chooses from a list: a click that opens it and one that chooses. @param {string} label @param {string | RegExp} option */
    async choose(label, option) {
      const list = page.getByLabel(label);
      // Lists of what can be varied are filled once the design is read.
      await list.locator('option').nth(1).waitFor({ state: 'attached' });
      const texts = await list.locator('option').allTextContents();
      const found = texts.find((text) => (typeof option === 'string' ? text === option : option.test(text)));
      assert.ok(found, `${label} offers ${option}: ${texts.join(' | ')}`);
      await list.selectOption({ label: found });
      clicks.push(label, found);
    },
    /** Opens an entry of the gallery on the bench. @param {string} name */
    async openEntry(name) {
      await this.follow('Gallery');
      await this.follow(name);
      await this.press('Open this design');
      await page.getByText('regions written concurrently').waitFor();
      await page.waitForSelector('.heat[aria-busy=false]');
    },
    /** A sentence is there to be read. @param {RegExp} words */
    read: (words) => page.getByText(words).first().waitFor(),
    /** A figure of the verdict. @param {string} name */
    async figure(name) {
      const text = await page
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .getByRole('definition')
        .textContent();
      return Number.parseFloat((text ?? '').replaceAll(',', ''));
    },
    /** A summary of the steps that the task took. */
    told: () =>
      `${clicks.length} clicks (${clicks.join(' → ')})${typed.length ? `; typed: ${typed.join(', ')}` : ''}`,
  };
}

/** The values of a row of a table, by what heads it. @param {Page} page @param {string} head */
const line = async (page, head) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: head, exact: true }) })
    .first()
    .getByRole('cell')
    .allTextContents();

test('messages with sequential keys: why they are hot, and what cools them', async (t) => {
  const { page, close } = await open();
  const me = person(page);
  await me.openEntry('Messages: sequential keys');
  await me.read(/One region takes 100% of the writes at any one time/);
  await me.read(/follows time \(100% of consecutive records in order\)/);
  const hot = await me.figure('regions written concurrently');
  assert.equal(hot, 1);
  await me.press('Apply');
  await page.getByText('was 1.0', { exact: true }).waitFor();
  assert.ok((await me.figure('regions written concurrently')) > 4, 'concurrent writes spread');
  assert.equal(await page.getByText(/One region takes .* of the writes at any one time/).count(), 0);
  // And back: what was there is one click away too.
  assert.ok(await page.getByRole('button', { name: 'Compare with before' }).isVisible());
  t.diagnostic(me.told());
  await close();
});

test('call records: sized for a year, so that no region splits by itself', async (t) => {
  const { page, close } = await open();
  const me = person(page);
  await me.openEntry('Region count for one year');
  await me.turnTo('Growth');
  await me.read(/After 12 months, the table has/);
  await me.type('Rows per day', '20M');
  await me.read(/Regions split [\d,]+ times automatically/);
  await me.press(/^Use \d+ regions$/);
  await page
    .getByRole('paragraph')
    .filter({ hasText: /After 12 months.*No region splits/s })
    .waitFor();
  const sentence = await page
    .getByRole('paragraph')
    .filter({ hasText: /After 12 months/ })
    .textContent();
  const [, regions, largest] = sentence?.match(/has ([\d,]+) regions.*largest holds ([\d.]+)\sGiB/) ?? [];
  assert.ok(Number(regions) > 48, `more regions than before: ${sentence}`);
  assert.ok(Number(largest) <= 10.8, `none over 10 GiB: ${sentence}`);
  // Buckets and regions are still as many.
  assert.match(
    await page.getByRole('textbox', { name: 'Row key' }).inputValue(),
    new RegExp(`, ${regions}\\)`),
  );
  t.diagnostic(me.told());
  await close();
});

test('log events by time: as many salts as a limit on scans allows', async (t) => {
  const { page, close } = await open();
  const me = person(page);
  await me.openEntry('Logs: 100 time buckets');
  assert.equal(await me.figure('largest region’s share'), 100);
  await me.turnTo('Regions and keys');
  await me.choose('Vary one parameter', /100 in .*floorMod/);
  await me.type('Scan limit per query', '16');
  await me.read(/With at most 16 scans per query, \d+ spreads writes most/);
  const [, spread] =
    (await page.getByText(/spreads writes most/).textContent())?.match(
      /([\d.]+) regions written concurrently/,
    ) ?? [];
  assert.ok(Number(spread) > 2, `${spread} regions written concurrently`);
  await me.press('Apply', true);
  await page.getByText(/^was 100%$/).waitFor();
  const [, buckets] =
    (await page.getByRole('textbox', { name: 'Row key' }).inputValue()).match(/floorMod\((\d+)\)/) ?? [];
  assert.ok(Number(buckets) <= 16, `${buckets} buckets`);
  assert.ok((await me.figure('largest region’s share')) < 34);
  t.diagnostic(me.told());
  await close();
});

test('a digest in front of joined columns: its table as the shell makes it', async (t) => {
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  const me = person(page);
  await me.openEntry('Key builder: digest prefix');
  await me.press('Copy create command');
  await page.getByText('Copied.').first().waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  // HexStringSplit of 8 regions over eight hex digits, as HBase's RegionSplitter makes them.
  const points = Array.from({ length: 7 }, (_, at) => ((at + 1) * 0x1fffffff + (at + 1)).toString(16));
  assert.match(text, /^create 'short_prefix'/m);
  assert.match(text, new RegExp(points.map((point) => `'${point}'`).join(',\\s*')));
  t.diagnostic(me.told());
  await close();
});

test('pages of a day and days of a page: what each of the two tables costs', async (t) => {
  const { page, close } = await open();
  const me = person(page);
  await me.openEntry('Two keys for two queries');
  await me.press('Compare the designs');
  await me.read(/“url_day” compared with “day_url”/);
  assert.deepEqual(await page.getByRole('columnheader').locator('strong').allTextContents(), [
    'day_url',
    'url_day',
  ]);
  // Each order answers one of the two queries by a single range and reads everything for the other.
  const scans = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'full scan' }) });
  assert.deepEqual(
    (await scans.allTextContents()).map((text) => text.match(/(yes|no).*(yes|no)/)?.slice(1)),
    [
      ['no', 'yes'],
      ['yes', 'no'],
    ],
  );
  assert.ok((await line(page, 'rows read')).length === 2);
  t.diagnostic(me.told());
  await close();
});
