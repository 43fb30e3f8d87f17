// The tabs of the review, driven as a person would: queries, storage, growth, servers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWith, keyCallsByPhone, shows, tab, violations, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** The tabs in their order. */
const TABS = ['Writes', 'Queries', 'Regions and keys', 'Storage and growth', 'Servers'];

/** Opens calls with a key of phone and time, in four regions. @param {object} [options] */
async function callsByPhone(options) {
  const opened = await open(options);
  await keyCallsByPhone(opened.page, ['13412342', '13412344', '13412346']);
  return opened;
}

/** The document as the page keeps it when it is left. @param {Page} page */
const kept = (page) =>
  page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return JSON.parse(JSON.parse(localStorage.getItem('rowscape.document.v1') ?? '{}').text);
  });

test('a query is written, planned, drawn and kept', async () => {
  const { page, close } = await callsByPhone();
  await tab(page, 'Queries');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.getByLabel('Name', { exact: true }).fill('One phone');
  await page.getByLabel('Value of phone').fill('13412347919');
  await shows(page, '.plan .sentence', /^One scan, in 1 of 4 regions/);
  // Row 1 of the file, and no other, has this phone.
  await shows(page, '.ranges tbody', /13412347919_\s*13412347919`/);
  await shows(page, '.reads', /Rows read: 1, returned: 1/);
  await page.getByLabel('Add a condition…').selectOption('call_time');
  await page.getByLabel('Lowest call_time').fill('2024-05-01');
  await page.getByLabel('Upper bound of call_time (exclusive)').fill('2024-05-02 00:00:00');
  await shows(page, '.ranges tbody', /13412347919_20240501000000\s*13412347919_20240502000000/);
  assert.deepEqual((await kept(page)).queries, [
    {
      name: 'One phone',
      where: { phone: '13412347919', call_time: { from: '2024-05-01', to: '2024-05-02 00:00:00' } },
    },
  ]);
  await page.reload();
  await page.waitForSelector('.status.empty');
  await tab(page, 'Queries');
  await page.click('.query summary');
  await shows(page, '.ranges tbody', /13412347919_20240501000000/);
  await close();
});

test('the ranges of the open query lie over the heatmap', async () => {
  const { page, close } = await callsByPhone();
  const bare = await page.evaluate(() => document.querySelector('canvas')?.toDataURL());
  await tab(page, 'Queries');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.waitForFunction((before) => document.querySelector('canvas')?.toDataURL() !== before, bare);
  await tab(page, 'Writes');
  await page.waitForFunction((before) => document.querySelector('canvas')?.toDataURL() === before, bare);
  await close();
});

test('a query without the first part of the key is called a full scan', async () => {
  const { page, close } = await callsByPhone();
  await tab(page, 'Queries');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.getByRole('button', { name: 'Remove phone' }).click();
  await page.getByLabel('Add a condition…').selectOption('seconds');
  await page.getByLabel('Condition on seconds').selectOption('range');
  await page.getByLabel('Lowest seconds').fill('890');
  await shows(page, '.plan .sentence', /^Full scan: every row is read, in 4 of 4 regions/);
  // Seconds are the number of the row modulo 900: ten of each 900 of the 5,000 rows.
  await shows(page, '.reads', /Rows read: 5,000, returned: 50/);
  await page.getByLabel('Order by').selectOption('descending call_time');
  await shows(page, '.plan .sentence', /then all rows sorted/);
  await close();
});

test('what is wrong with a query is said at its path, and the rest stays', async () => {
  const { page, close } = await callsByPhone();
  await tab(page, 'Queries');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.waitForSelector('.plan .sentence');
  await page.getByLabel('Add a condition…').selectOption('seconds');
  await page.getByLabel('Value of seconds').fill('many');
  await shows(page, '.asking .note.bad', /queries\[0\]\.where\.seconds: .*whole number/);
  await page.getByLabel('Condition on seconds').selectOption('range');
  await page.getByLabel('Lowest seconds').fill('9');
  await page.getByLabel('Upper bound of seconds (exclusive)').fill('5');
  await shows(page, '.asking .note.bad', /queries\[0\]\.where\.seconds: /);
  const { seconds } = (await kept(page)).queries[0].where;
  assert.equal(seconds?.to, undefined, 'what is wrong is not kept');
  await page.getByLabel('Row limit').fill('0');
  await page.getByLabel('Upper bound of seconds (exclusive)').fill('10');
  await shows(page, '.asking .note.bad', /queries\[0\]\.limit/);
  await page.getByLabel('Row limit').fill('');
  await page.waitForSelector('.asking .note.bad', { state: 'detached' });
  await shows(page, '.reads', /returned/);
  await page.getByRole('button', { name: 'Remove this query' }).click();
  await page.waitForSelector('.query', { state: 'detached' });
  await page.waitForFunction(
    () => !('queries' in JSON.parse(JSON.parse(localStorage.getItem('rowscape.document.v1') ?? '{}').text)),
  );
  await close();
});

test('a row of two cells is told byte by byte, as KeyValue writes it', async () => {
  const { page, close } = await callsByPhone();
  await tab(page, 'Storage and growth');
  await shows(page, '.storage .sentence', /declares no cells/);
  await page.getByRole('button', { name: 'Add a cell' }).click();
  await page.waitForSelector('.cells tbody tr');
  await page.getByRole('button', { name: 'Add a cell' }).click();
  await page.waitForSelector('.cells tbody tr:nth-child(2)');
  await page.getByLabel('Rows of the table').fill('1M');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.kinds th >> text=1,000,000 rows');
  const figures = await page
    .locator('.kinds tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.children[1].textContent?.replace(/\s/g, ' ')));
  // Two cells: keys of 26 bytes, "d", one letter, 8 bytes of timestamp, 12 of lengths and type, 8 of value.
  assert.deepEqual(figures, ['52 B', '2 B', '2 B', '16 B', '24 B', '16 B']);
  await shows(page, '.storage .asides', /Each byte removed from the row key saves 1\.9\sMiB/);
  await page.getByLabel('Bytes of the value').first().fill('-1');
  await page.keyboard.press('Tab');
  await shows(page, '.cells .note.bad', /families\[0\]\.cells\[0\]\.bytes: /);
  assert.equal((await kept(page)).table.families[0].cells.length, 2);
  await close();
});

test('growth is simulated from what is filled in, and kept', async () => {
  const { page, close } = await callsByPhone();
  await tab(page, 'Storage and growth');
  await shows(page, '.growth .sentence', /After 12 months, the table has 4 regions/);
  await page.getByLabel('Rows per day').fill('100M');
  await page.keyboard.press('Tab');
  await page.getByLabel('Look ahead').fill('6');
  await page.keyboard.press('Tab');
  await page.getByLabel('New rows arrive').selectOption('rising');
  await shows(page, '.growth .sentence', /After 6 months, .*Regions split \d/);
  await page.getByLabel('TTL').fill('10');
  await page.keyboard.press('Tab');
  await shows(page, '.growth .sentence', /[1-9]\d* of them empty/);
  const document = await kept(page);
  assert.deepEqual(document.growth, { rowsPerDay: 100_000_000, months: 6, arrivals: 'rising' });
  assert.equal(document.table.families[0].ttl, 864_000);
  await page.locator('label.day input').focus();
  await page.keyboard.press('Home');
  await shows(page, 'label.day', /Day 1/);
  await page.getByLabel('Rows per day').fill('none');
  await page.keyboard.press('Tab');
  await shows(page, '.growth .note.bad', /growth\.rowsPerDay: /);
  await page.getByLabel('Rows per day').fill('');
  await page.keyboard.press('Tab');
  await close();
});

test('servers are as many as are given, and share what the regions take', async () => {
  const { page, close } = await open();
  await tab(page, 'Servers');
  await shows(page, '.servers .sentence', /of your 4 servers/);
  await page.getByLabel('Region servers').fill('3');
  await page.keyboard.press('Tab');
  // A day a region: in each moment one server takes nearly everything.
  await shows(page, '.servers .sentence', /throughput of 1\.\d of your 3 servers/);
  assert.equal(await page.locator('.servers tbody tr').count(), 3);
  assert.equal((await kept(page)).servers, 3);
  await page.getByLabel('Region servers').fill('0');
  await page.keyboard.press('Tab');
  await shows(page, '.servers .note.bad', /servers: /);
  await close();
});

test('a pinned key is compared with what it becomes', async () => {
  const { page, close } = await callsByPhone();
  await compareWith(page, "phone.md5().hex(4) + phone + '_' + call_time.format('yyyyMMddHHmmss')");
  await shows(page, '.compare .sentence', /5,000 of 5,000 rows get another key/);
  // The keys are longer by four bytes.
  const bytes = page.locator('.sides tbody tr').filter({ hasText: 'mean bytes of a key' });
  await bytes.waitFor();
  assert.deepEqual(
    (await bytes.locator('td').allTextContents()).map((text) => text.replace(/\s/g, ' ').trim()),
    ['26 B', 'worse 30 B'],
  );
  await page.getByRole('button', { name: 'Close comparison' }).click();
  await page.waitForSelector('.sides', { state: 'detached' });
  await close();
});

test('one number of a design is varied, and what it becomes is applied', async () => {
  const { page, close } = await callsByPhone();
  await page.fill('.formula textarea', "bucket(phone, 4).decimal(2) + '_' + phone");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes >> text=00_13412340');
  const vary = page.getByLabel('Vary one parameter');
  await page.waitForSelector('.vary option >> nth=1', { state: 'attached' });
  await vary.selectOption({ label: '4 in bucket(phone, 4)' });
  await shows(page, '.vary label.day', /4/);
  await page.locator('.vary label.day input').focus();
  await page.keyboard.press('ArrowRight');
  await shows(page, '.vary label.day', /8/);
  await page.locator('.vary').getByRole('button', { name: 'Apply' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('bucket(phone, 8)'));
  await close();
});

test('the tabs are reached and changed by keyboard', async () => {
  const { page, close } = await open();
  await page.getByRole('tab', { name: 'Writes' }).focus();
  for (const name of [...TABS.slice(1), TABS[0]]) {
    await page.keyboard.press('ArrowRight');
    const focused = page.locator('[role=tab]:focus');
    assert.match((await focused.textContent()) ?? '', new RegExp(`^${name}`));
    assert.equal(await focused.getAttribute('aria-selected'), 'true');
  }
  await page.keyboard.press('End');
  assert.match((await page.locator('[role=tab]:focus').textContent()) ?? '', /^Servers/);
  await close();
});

test('no tab is wider than the window, from 320 to 3840 pixels', async () => {
  const { page, close } = await callsByPhone();
  await tab(page, 'Queries');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.waitForSelector('.plan .sentence');
  await compareWith(page, 'phone');
  await page.waitForSelector('.compare .sentence');
  for (const width of [320, 360, 768, 1280, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of TABS) {
      await tab(page, name);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} at ${width}`);
    }
  }
  await close();
});

test('axe finds nothing in tabs that a person has filled in', async () => {
  const { page, close } = await callsByPhone({ colorScheme: 'dark' });
  await tab(page, 'Queries');
  await page.getByRole('button', { name: 'Add a query' }).click();
  await page.waitForSelector('.plan .sentence');
  await page.getByLabel('Condition on phone').selectOption('in');
  for (const name of ['Queries', 'Storage and growth']) {
    await tab(page, name);
    if (name !== 'Queries') await page.getByRole('button', { name: 'Add a cell' }).click();
    await page.waitForSelector('.review .sentence');
    assert.deepEqual(await violations(page, '.bench'), [], name);
  }
  await compareWith(page, 'phone');
  await page.waitForSelector('.compare .sides');
  assert.deepEqual(await violations(page, 'compare-panel'), []);
  await close();
});
