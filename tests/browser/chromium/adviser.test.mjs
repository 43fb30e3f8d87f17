// The page as an adviser: what is wrong, its fix and the commands stay in reach, and nothing that was there is lost or moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, tab, violations, withBrowser } from './harness.mjs';
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
  assert.match(
    (await page.textContent('.verdict .price')) ?? '',
    /3 bytes longer .* 12,208 rows written again/,
  );
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
    page.locator('.stage').evaluate((map) => Number(getComputedStyle(map).opacity).toFixed(2));
  assert.equal(await opacity(), '1.00');
  await page.fill('.formula textarea', 'carrier.descending()');
  await page.waitForSelector('.formula-problems');
  await page.waitForFunction(
    () => Number(getComputedStyle(/** @type {Element} */ (document.querySelector('.stage'))).opacity) < 0.5,
  );
  await page.locator('key-bar').getByText('Last valid key').waitFor();
  assert.match((await page.textContent('key-bar .key')) ?? '', /^departure\.format/);
  assert.ok(await page.locator('key-bar .main').isDisabled());
  await page.fill('.formula textarea', 'carrier');
  await page.waitForSelector('.formula-problems', { state: 'detached' });
  await page.waitForFunction(() => document.querySelector('key-bar .key')?.textContent === 'carrier');
  await close();
});

test('keys of the keyboard go to the formula, add a question and copy, and can be turned off', async () => {
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.proposals button').first().waitFor();
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.closest('.formula'));
  const formula = await page.inputValue('.formula textarea');
  await page.keyboard.press('q');
  await page.waitForFunction((old) => document.querySelector('textarea')?.value !== old, formula);
  assert.equal(await page.locator('.ask li').count(), 0, 'in a field they are letters');
  await page.fill('.formula textarea', formula);
  await page.locator('.formula textarea').blur();
  await page.keyboard.press('q');
  await page.locator('.ask li').first().waitFor();
  await page.keyboard.press('c');
  await page.locator('key-bar').getByText('Copied.').first().waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByLabel('Single-key shortcuts').uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
  await page.locator('h1').click();
  await page.keyboard.press('q');
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.ask li').count(), 1);
  await close();
});

test('the first stop of Tab skips the head of the page', async () => {
  const { page, close } = await open({ opened: false });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.className.split(' ')[0]), 'verdict');
  await close();
});

test('two questions of an own file take two clicks and no typing, and their costs are told', async () => {
  const { page, close } = await open();
  const lines = ['host,level,at,seq'];
  for (let row = 0; row < 20_000; row++) {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 30_000).toISOString().slice(0, 19).replace('T', ' ');
    lines.push(`web-${String((row * 7) % 40).padStart(3, '0')},${row % 9 ? 'info' : 'warn'},${at},${row}`);
  }
  await choose(page, 'logs.csv', `${lines.join('\n')}\n`);
  await page.waitForSelector('.verdict dl >> text=20,000');
  await ready(page);
  // The second click comes before the list is drawn with the first question.
  await page.locator('.ask .proposals').evaluate((proposals) => {
    for (const name of ['Rows of a time range', 'One host, a time range']) {
      const buttons = [...proposals.querySelectorAll('button')];
      buttons.find((button) => button.textContent?.endsWith(name))?.click();
    }
  });
  await page.locator('.ask li').nth(0).locator('.cost', { hasText: /rows/ }).waitFor();
  await page
    .locator('.ask li')
    .nth(1)
    .locator('.cost', { hasText: /scans? · \d/ })
    .waitFor();
  // A longer time reads more.
  const cost = () => page.locator('.ask li .cost').nth(1).textContent();
  const before = await cost();
  await page.locator('.ask li').nth(1).getByLabel('Time range on at').selectOption({ label: '1 d' });
  await page.waitForFunction(
    (old) => ![old, '…'].includes(document.querySelectorAll('.ask li .cost')[1]?.textContent ?? '…'),
    before,
  );
  assert.deepEqual(await violations(page, 'ask-questions'), []);
  // A full scan that no fix of a key ends leads to keys that have none: the key is one that somebody wrote.
  await page.fill('.formula textarea', 'seq.decimal(8).md5()');
  await page.getByRole('button', { name: 'Compare keys' }).click();
  assert.ok(await page.evaluate(() => document.activeElement?.closest('key-shortlist') !== null));
  await close();
});

test('a pasted live table is judged: the server, its regions and what to do', async () => {
  const { page, close } = await open();
  const widths = [31, 58, 10, 10, 6, 9, 9];
  const line = (/** @type {(string | number)[]} */ cells) =>
    cells.map((cell, at) => ` ${String(cell).padStart(widths[at])} |`).join('');
  const rows = Array.from({ length: 8 }, (_, at) => {
    const start = at ? `0${at}` : '';
    const name = `logs,${start},179523628589${at}.da4d5186cb352082705d08bec7c8c3d${at}.`;
    const requests = at % 4 ? 1000 : 47_000 - at * 500;
    const server = `rs${1 + (at % 4)}.example,16020,1795236225060`;
    return [server, name, start, at < 7 ? `0${at + 1}` : '', 9800, requests, '1.0'];
  });
  const heads = ['SERVER_NAME', 'REGION_NAME', 'START_KEY', 'END_KEY', 'SIZE', 'REQ', 'LOCALITY'];
  const text = `list_regions 'logs'\n${[heads, ...rows].map(line).join('\n')}\n`;
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
  await page.locator('.live .headline').waitFor();
  assert.match(
    (await page.textContent('.live .headline')) ?? '',
    /^2 regions on rs1 take 9\d(\.\d)?% of the requests$/,
  );
  assert.match(
    (await page.textContent('.live pre')) ?? '',
    /^move '[0-9a-z]+', 'rs[234]\.example,16020,1795236225060'$/m,
  );
  const box = await page.locator('.live .headline').boundingBox();
  assert.ok(box && box.y > 0 && box.y < 900, 'in the window');
  assert.deepEqual(await violations(page, '.live'), []);
  await close();
});

test('one row is not judged: neither good nor a fault, and nothing to play', async () => {
  const { page, close } = await open();
  await choose(page, 'one.csv', 'host,at\nweb-1,2024-01-01 00:00:00\n');
  await page.waitForFunction(() => document.querySelector('.verdict dd')?.textContent === '1');
  await page.waitForSelector('.verdict.unknown');
  await page.waitForSelector('.bar.unknown');
  assert.equal(await page.getByRole('button', { name: 'Play' }).count(), 0);
  await close();
});

test('one region per salt has the salts that the key begins with', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', "bucket(carrier, flight, 12).decimal(2) + '_' + carrier");
  await page.waitForFunction(() => document.querySelector('key-bar .key')?.textContent?.startsWith('bucket'));
  await ready(page);
  await tab(page, 'Regions and keys');
  await page.getByRole('combobox', { name: 'Regions' }).selectOption('salts');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=12');
  assert.equal(await page.getByLabel('Decimal digits per salt').inputValue(), '2');
  await ready(page);
  assert.equal(await page.getByText('No row in this region').count(), 0);
  await page.getByLabel('Decimal digits per salt').fill('0');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict.bad');
  await close();
});

test('in a form of a query what is typed is darker than its hint, and a full scan is red when open', async () => {
  const { page, close } = await open();
  await page.getByRole('button', { name: 'All of one carrier' }).click();
  await page.getByRole('tab', { name: 'Queries' }).click();
  await page.locator('.query summary').first().click();
  const field = page.locator('.condition .values input').first();
  const [ink, hint, italic] = await field.evaluate((input) => [
    getComputedStyle(input).color,
    getComputedStyle(input, '::placeholder').color,
    getComputedStyle(input, '::placeholder').fontStyle,
  ]);
  assert.notEqual(ink, hint);
  assert.equal(italic, 'italic');
  const red = await page.locator('.plan .sentence').evaluate((line) => {
    const probe = document.createElement('p');
    probe.className = 'note bad';
    line.append(probe);
    return getComputedStyle(line).color === getComputedStyle(probe).color;
  });
  assert.ok(red, 'a full scan is red');
  await close();
});

test('away from the bench the head has nothing to undo or share', async () => {
  const { page, close } = await open();
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.locator('gallery-picture').first().waitFor();
  assert.ok(!(await page.getByRole('button', { name: 'Share link' }).isVisible()));
  assert.ok(!(await page.locator('.example').isVisible()));
  assert.ok(!(await page.locator('key-bar').isVisible()));
  await page.locator('gallery-picture .badge').first().waitFor();
  await page.locator('gallery-picture code').first().waitFor();
  await close();
});
