// The tabs Migrate and Existing, driven as a person would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { keyCallsByPhone, liveTable, shows, tab, take, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** Output of the HBase 2.6.4 shell for a table. */
const LISTED = `hbase:002:0> list_regions 'm'
                   SERVER_NAME |                                                REGION_NAME |  START_KEY |    END_KEY |  SIZE |   REQ |   LOCALITY |
 ----------------------------- | ---------------------------------------------------------- | ---------- | ---------- | ----- | ----- | ---------- |
 127.0.0.1,37295,1795236225060 |         m,,1795236285894.da4d5186cb352082705d08bec7c8c3d5. |            |   \\x00\\x01 |     0 |     0 |        0.0 |
 127.0.0.1,37295,1795236225060 | m,\\x00\\x01,1795236285894.118f0ff2177cdbd44d683e208b0ba68c. |   \\x00\\x01 |          m |    12 |   300 |        0.0 |
 127.0.0.1,37295,1795236225060 |        m,m,1795236285894.0347bc92e69407a43f18b66a484b9e08. |          m |       \\xFF |    24 |   100 |        0.0 |
 127.0.0.1,37295,1795236225060 |     m,\\xFF,1795236285894.8aa211b7faf25846339b691971e56ea1. |       \\xFF |            |     0 |     0 |        0.0 |
 4 rows
`;

/** Opens 5,000 calls with a key of phone and time, in two regions. @param {object} [options] */
async function callsByPhone(options) {
  const opened = await open(options);
  await keyCallsByPhone(opened.page, ['13412345']);
  return opened;
}

test('a table as it is stands beside the design, with the commands that lead to it', async () => {
  const { page, close } = await callsByPhone();
  await liveTable(page);
  await page.getByLabel('Paste the HBase shell’s output').fill(LISTED);
  await shows(page, '.existing .sentence', /m has 4 regions\..*36(\.0)?.MiB.*75% of 400 requests/);
  const cells = await page
    .locator('.existing-regions tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));
  // All phones begin with 1, which sorts below m.
  assert.deepEqual(cells, [
    ['0', '(first)', '127.0.0.1', '0', '0', '0'],
    ['1', '\\x00\\x01', '127.0.0.1', '12', '300', '5,000'],
    ['2', 'm', '127.0.0.1', '24', '100', '0'],
    ['3', '\\xFF', '127.0.0.1', '0', '0', '0'],
  ]);
  const commands = await page.locator('.existing .copyable pre').last().textContent();
  assert.match(commands ?? '', /^split 'm', '13412345'$/m);
  assert.match(
    commands ?? '',
    /^merge_region 'da4d5186cb352082705d08bec7c8c3d5', region_at\.call\('m', '\\\\x00\\\\x01'\)$/m,
  );
  await page.getByRole('button', { name: 'Use these regions in the design (4)' }).click();
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=4', { state: 'attached' });
  await shows(page, '.existing', /already has the regions of the design/);
  await close();
});

test('a sample of row keys is held against the formula and the regions of the design', async () => {
  const { page, close } = await callsByPhone();
  await liveTable(page);
  await page
    .getByLabel('Paste the HBase shell’s output')
    .fill('13412349999_20240501000000\n13412340000_20240501000000\n13412341111_20240501000000\nA-1\n');
  await page.getByLabel('Read plain lines as').selectOption('keys');
  await shows(page, '.existing .sentence', /Row keys: 4\..*produce 3 of the 4.*in 2 of the 2 regions/);
  await shows(page, '.existing .note', /A-1/);
  await close();
});

test('what cannot be read of a paste is said with its line, and the page stays', async () => {
  const { page, close } = await callsByPhone();
  await liveTable(page);
  await page.getByLabel('Paste the HBase shell’s output').fill(LISTED.replace('   300 |', '   3oo |'));
  await shows(page, '.existing .note.bad', /row 5: .*3oo/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForSelector('.existing .note.bad', { state: 'detached' });
  await close();
});

test('from the key before to the one on show: rows, steps, rules and checks', async () => {
  const { page, close } = await callsByPhone();
  await page.fill(
    '.formula textarea',
    "bucket(phone, 8).decimal(2) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')",
  );
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes >> text=00_1341234');
  await take(page, 'Migrate');
  await shows(
    page,
    '.migrate .sentence',
    /another key in the same table\..*5,000 of 5,000 rows get another key/,
  );
  await shows(page, '.migrate .steps', /snapshot.*read under both keys/);
  await shows(page, '.migrate', /clients lose [\d,]+ of [\d,]+ rows/);
  await page.locator('.migrate select').first().selectOption('1');
  await shows(page, '.migrate .sentence', /5,000 of 5,000 rows get another key/);
  assert.equal(await page.locator('.migrate select').last().inputValue(), '0', 'from and to change places');
  await close();
});

test('other splits alone are a matter of splitting and merging regions', async () => {
  const { page, close } = await callsByPhone();
  await page.getByRole('button', { name: 'Pin this key' }).click();
  await tab(page, 'Regions and keys');
  await page.fill('.points textarea', '13412342\n13412345');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=3');
  await take(page, 'Migrate');
  await shows(page, '.migrate .sentence', /regions are split and merged/);
  await shows(page, '.migrate .copyable', /split '[^']+', '13412342'/);
  const { violations } = await new AxeBuilder({ page: /** @type {any} */ (page) }).setLegacyMode().analyze();
  assert.deepEqual(
    violations.map(({ id }) => id),
    [],
  );
  await close();
});

test('a create command pasted anywhere is held against the design, with what HBase makes of its split keys', async () => {
  const { page, close } = await callsByPhone();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    const command = `create 'calls', 'd', {SPLITS => ['13412345', "\\x80"]}`;
    clipboardData.setData('text/plain', command);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await shows(page, '.existing .sentence', /calls has 3 regions\./);
  assert.equal(new URL(page.url()).hash, '#table');
  await shows(page, '.existing .note.bad', /reads "\\x80" as the split key \\xFD/);
  // The records stay.
  assert.equal(await page.locator('.verdict dd').first().textContent(), '5,000');
  await close();
});
