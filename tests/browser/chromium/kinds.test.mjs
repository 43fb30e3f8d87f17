// A table with several kinds of records, each with a row key of its own, driven as a person would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready, shows, tab, violations, withBrowser } from './harness.mjs';

const { open } = withBrowser();
async function customersAndOrders() {
  const opened = await open({ query: '#gallery/j2-customers-and-orders-in-one-table', drawn: false });
  await opened.page.click('text=Open this design');
  await ready(opened.page);
  return opened;
}

test('the row key of each kind is shown and edited by itself', async () => {
  const { page, close } = await customersAndOrders();
  const formula = () => page.inputValue('.formula textarea');
  assert.equal(await formula(), "customer.int64() + x'01'");
  await shows(page, '.sample .bytes', /\\x01\s*$/);
  await page.locator('formula-editor .segments label', { hasText: 'order' }).click();
  assert.equal(await formula(), "customer.int64() + x'02' + order");
  await shows(page, 'key-bar .key', /x'02' \+ order/);
  await shows(page, '.sample .bytes', /\\x02./);
  await page.fill('.formula textarea', "customer.int64() + x'03' + order");
  await shows(page, 'key-bar .key', /x'03' \+ order/);
  await page.locator('formula-editor .segments label', { hasText: 'customer' }).click();
  assert.equal(await formula(), "customer.int64() + x'01'");
  const kept = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('rowscape.document.v1') ?? '{}').text);
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes("x'03'"));
  const { kinds, rowkey } = JSON.parse(await kept());
  assert.deepEqual(
    [kinds.order.rowkey, kinds.customer.rowkey, rowkey],
    ["customer.int64() + x'03' + order", "customer.int64() + x'01'", undefined],
  );
  await close();
});

test('cells of kinds stand beside those of all records, and plans take the kinds together', async () => {
  const { page, close } = await customersAndOrders();
  await tab(page, 'Storage');
  await shows(page, '.storage .cells tbody', /d\s*name\s*customer\s*20/);
  await shows(page, '.storage .cells tbody', /d\s*status\s*order\s*1/);
  await tab(page, 'Queries');
  await page.locator('.query summary').first().click();
  await shows(page, '.query[open]', /2 kinds of records can match/);
  assert.deepEqual(await violations(page, 'formula-editor'), []);
  await close();
});

test('the storage of rows that several records write counts each row once', async () => {
  const { page, close } = await open({ query: '#gallery/k2-pages-of-values', drawn: false });
  await page.click('text=Open this design');
  await ready(page);
  await tab(page, 'Storage and growth');
  await page.getByLabel('Records written').waitFor();
  const rows = (await page.locator('table.kinds thead th').last().textContent()) ?? '';
  const [, number] = rows.match(/([\d,]+) rows/) ?? [];
  const left = (await page.getByText(/remain after a major compaction/).textContent()) ?? '';
  const [, cells] = left.match(/written to ([\d,]+) cells/) ?? [];
  const whole = (/** @type {string} */ text) => Number(text.replaceAll(',', ''));
  // Three cells a row.
  assert.equal(whole(cells), 3 * whole(number));
  await close();
});

test('files of which each holds one kind are read by their names', async () => {
  const { page, close } = await open({ drawn: false });
  const design = {
    rowscape: 1,
    fields: [
      { name: 'type', type: 'text' },
      { name: 'id', type: 'integer' },
      { name: 'user', type: 'text' },
    ],
    kinds: {
      order: { when: { field: 'type', is: ['order'] }, rowkey: "user + '|o|' + id.decimal(3)" },
      profile: { when: { field: 'type', is: ['profile'] }, fields: ['user'], rowkey: "user + '|p'" },
    },
    splits: { points: ['u5'] },
  };
  const lines = (/** @type {(at: number) => string} */ line) =>
    Array.from({ length: 40 }, (_, at) => line(at));
  const files = [
    { name: 'design.json', text: JSON.stringify(design) },
    { name: 'orders-2026.csv', text: ['id,user', ...lines((at) => `${at},u${at % 10}`)].join('\n') },
    { name: 'profile.csv', text: ['user,more', ...lines((at) => `u${at % 10}${at},x`)].join('\n') },
  ];
  const asFiles = (/** @type {typeof files} */ some) =>
    some.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }));
  const input = page.locator('input[type=file]').first();
  await input.setInputFiles(asFiles(files.slice(0, 1)));
  await ready(page);
  // Records made up are of the kinds of the table.
  await shows(page, 'data-line', /50,000 rows/);
  assert.doesNotMatch((await page.locator('data-line').textContent()) ?? '', /Rejected/);
  await input.setInputFiles(asFiles(files.slice(1)));
  await ready(page);
  await shows(page, 'verdict-line', /2 of 2 regions/);
  await shows(page, 'data-line', /80 rows/);
  await page.click('.chip.issues');
  await shows(page, 'data-about', /profile\.csv:\s*has no column.*of kind profile/s);
  await close();
});
