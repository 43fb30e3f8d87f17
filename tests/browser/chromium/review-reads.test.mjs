// Settings that follow from the key, reads beside writes, and what is set aside, driven as a person would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWith, contentOf, ready, reopen, shows, tab, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** Opens the first example whose records are made up, with other members. @param {object} members */
async function callRecords(members) {
  const opened = await open();
  const { page } = opened;
  const design = await page.evaluate(async () => (await fetch('examples/call-records.json')).json());
  await reopen(page, { ...design, ...members }, 'call-records');
  await ready(page);
  return opened;
}

test('settings stand under the findings, each with its reason, as one command to copy', async () => {
  const families = [{ name: 'd', versions: 3, cells: [{ qualifier: 'dur', bytes: 4 }] }];
  const { page, close } = await callRecords({ table: { name: 'cdr', families } });
  // The time is in the key to the second: no cell is ever written twice.
  await shows(page, '.settings dl', /d: VERSIONS 1.*each write is a row of its own/);
  await shows(page, '.settings pre', /^alter 'cdr',\n {2}\{NAME => 'd', .*VERSIONS => 1/);
  await close();
});

test('requests of the queries stand beside the rows, by server and by region', async () => {
  const where = { phone: '13470264288', call_time: { from: '2021-10-01', to: '2021-11-01' } };
  const { page, close } = await callRecords({
    servers: 3,
    queries: [
      { name: 'One phone, one month', where, rate: 90, popularity: 'named' },
      { name: 'No rate', where },
    ],
  });
  await tab(page, 'Servers');
  // A month of one phone lies in one bucket, so in one region and on one server.
  await shows(
    page,
    '.servers',
    /Queries send 90\.0 requests per second to regions\. Region \d gets the most: 100% of the requests/,
  );
  await shows(page, '.servers', /have no rate: No rate/);
  const asked = await page
    .locator('.servers .columns tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.lastElementChild?.textContent?.trim()));
  assert.deepEqual(asked.sort(), ['0', '0', '90.0']);
  await close();
});

test('a pinned key is there after a reload', async () => {
  const { page, close } = await callRecords({});
  await compareWith(page, (formula) => formula.replace(', 6)', ', 12)'));
  await page.waitForSelector('.compare .sentence');
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes(', 12)'));
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Compare with your key' }).click();
  await shows(page, '.compare .sides thead', /, 6\).*, 12\)/);
  await page.getByRole('button', { name: 'Close comparison' }).click();
  await page.reload();
  await ready(page);
  await page.waitForSelector('key-bar .take');
  assert.equal(await page.locator('.compare, .pinned').count(), 0);
  await close();
});

test('growth starts from what is there, and every rule says how many regions', async () => {
  const { page, close } = await callRecords({ servers: 3, growth: { rowsPerDay: 1_000_000, months: 12 } });
  await tab(page, 'Growth');
  await shows(page, '.growth', /Table size.*Regions per server.*at most 600/);
  await page.getByLabel('Current rows').fill('30M');
  await page.keyboard.press('Tab');
  await shows(page, '.growth .sentence', /arrived at the same rate, over 30 days/);
  await page.getByLabel('New rows arrive').selectOption('loop');
  await page.getByLabel('Split policy').selectOption('ConstantSize');
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes('ConstantSize'));
  const { growth } = await page.evaluate(() =>
    JSON.parse(JSON.parse(localStorage.getItem('rowscape.document.v1') ?? '{}').text),
  );
  assert.deepEqual(growth, {
    rowsPerDay: 1_000_000,
    months: 12,
    rowsNow: 30_000_000,
    arrivals: { loop: 28 },
  });
  await close();
});

test('the same items are laid out tall, wide, in pages and packed, side by side', async () => {
  const { page, close } = await callRecords({});
  await tab(page, 'Storage');
  await page.getByText('Other layouts of the same items').click();
  await page.getByLabel('Entities').fill('10');
  await page.keyboard.press('Tab');
  await page.getByLabel('Items per entity').fill('50');
  await page.keyboard.press('Tab');
  // Ten things of 50 items: a row each, or a row for each thing.
  await shows(page, 'layouts-view', /Tall: one row per item\s*500/);
  const rows = await page
    .locator('layouts-view tbody tr')
    .evaluateAll((all) => all.map((row) => row.children[1].textContent?.trim()));
  // Pages and rows of a hundred hold all fifty.
  assert.deepEqual(rows, ['500', '10', '10', '10', '10']);
  await close();
});

test('reads are drawn apart from writes where the document tells them', async () => {
  const lines = Array.from({ length: 400 }, (_, row) => {
    const time = new Date(Date.UTC(2024, 4, 1) + row * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    return `k${row % 7},${time},${row % 4 ? 'PUT' : 'GET'}`;
  });
  const design = {
    rowscape: 1,
    fields: [
      { name: 'id', type: 'text' },
      { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss' },
      { name: 'op', type: 'text' },
    ],
    arrival: 'at',
    rowkey: "id + '-' + at.format('yyyyMMddHHmmss')",
    splits: { points: ['k2', 'k4'] },
  };
  const { page, close } = await open();
  assert.equal(await page.locator('.heat-tools option[value=reads]').count(), 0);
  await page.evaluate(
    ([text, csv]) => {
      const source = { kind: 'text', name: 'requests.csv', text: csv };
      localStorage.setItem('rowscape.document.v1', JSON.stringify({ text, example: null, source }));
    },
    [
      JSON.stringify({ ...design, operation: { field: 'op', read: ['GET'] } }),
      `id,at,op\n${lines.join('\n')}\n`,
    ],
  );
  await page.reload();
  await page.waitForSelector('.verdict dl >> text=400');
  await ready(page);
  const drawn = () => page.evaluate(() => document.querySelector('canvas')?.toDataURL());
  const rows = await drawn();
  await page.getByText('View and save').click();
  await page.getByLabel('Color shows').selectOption('reads');
  await shows(page, '.heat figcaption', /reads? per cell/);
  await page.waitForFunction((before) => document.querySelector('canvas')?.toDataURL() !== before, rows);
  // Keys from k4 on are region 2: what is said of it is in reads, on the cell, in the live line, in the files and in the table.
  const own = lines.filter((line) => line >= 'k4');
  const reads = own.filter((line) => line.endsWith('GET')).length;
  await page.focus('.stage');
  for (let region = 0; region < 3; region++) await page.keyboard.press('ArrowUp');
  await shows(page, '.tooltip', new RegExp(`\\d reads,.*${reads} reads in total`));
  await shows(page, '.heat output.unseen', new RegExp(`reads,.*${reads} reads in total`));
  const label = (await page.getAttribute('.stage canvas', 'aria-label')) ?? '';
  assert.match(label, /^Reads in 3 regions/);
  assert.doesNotMatch((await page.textContent('.tooltip')) ?? '', /rows/);
  await page.locator('.save').evaluate((menu) => {
    /** @type {HTMLDetailsElement} */ (menu).open = true;
  });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.save button', { hasText: 'CSV' }).click(),
  ]);
  const saved = String(await contentOf(file))
    .trim()
    .split('\r\n');
  const [first, last, start, metric, ...cells] = saved[3].split(',');
  assert.deepEqual([first, last, start, metric], ['2', '2', 'k4', 'reads']);
  assert.equal(
    cells.reduce((sum, cell) => sum + Number(cell), 0),
    reads,
  );
  await tab(page, 'Regions and keys');
  const row = page.locator('region-table tbody tr', { hasText: 'k4' });
  await row.waitFor();
  const figures = await row.locator('td.number').allTextContents();
  assert.deepEqual(figures.slice(1, 4).map(Number), [own.length, reads, own.length - reads]);
  await close();
});

test('the code of one query is copied from a menu that works by keyboard', async () => {
  const where = { phone: '13470264288', call_time: { from: '2021-10-01', to: '2021-11-01' } };
  const { page, close } = await callRecords({
    queries: [
      { name: 'One phone, one month', where, limit: 20 },
      { name: 'Another phone', where: { phone: '13470264289' } },
    ],
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab(page, 'Queries');
  await page.locator('.query summary').first().click();
  await shows(page, '.plan .effort', /Estimated RPCs: \d+, seeks: \d+, blocks: \d+/);
  const menu = page.locator('.query[open] .copy-as summary');
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  assert.ok(
    await menu.evaluate((summary) => document.activeElement === summary),
    'Escape leads back to the menu',
  );
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await shows(page, '.query[open] [role=status]', /Copied\./);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  // A limit of the shell would count rows that do not match.
  assert.match(
    text,
    /^# One phone, one month\n(?:#.*\n)*# .*take the first 20 that match\.\nscan 't1', \{STARTROW => [^}]*\}\n$/,
  );
  assert.ok(!text.includes('LIMIT'), text);
  assert.ok(!text.includes('Another phone'), text);
  await menu.click();
  await page.getByRole('button', { name: 'Reader in Java' }).click();
  await shows(page, '.query[open] [role=status]', /Copied\./);
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /public final class \w+Reader/);
  await close();
});
