// The tab Export: each text is what the package makes of the same design, to copy and to download.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDesign } from '../../../dist/npm/index.js';
import { contentOf, tab, take, withBrowser } from './harness.mjs';

const { open } = withBrowser();
/** Exports of call records in six buckets, one region each. */
const made = JSON.parse(
  readFileSync(new URL('../../../www/examples/call-records.json', import.meta.url), 'utf8'),
);

/** Their names on the page and in the package. */
const TEXTS = {
  'create, with split keys': 'shell',
  'create, with a splits file': 'shell-file',
  'Splits file': 'splits-file',
  'Region boundaries': 'boundaries',
  Java: 'java',
  'Scala (Spark)': 'scala',
  Python: 'python',
  JavaScript: 'javascript',
};

test('every text of the sheet is what the package emits, shown, copied and downloaded', async () => {
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByLabel('Example').selectOption('call-records');
  await take(page);
  const design = parseDesign(made);
  for (const [label, name] of Object.entries(TEXTS)) {
    if (label === 'Java') await tab(page, 'Code');
    const choice = page.getByRole('button', { name: label, exact: true });
    await choice.click();
    await page.getByRole('heading', { name: label, exact: true }).waitFor();
    assert.equal(await choice.getAttribute('aria-pressed'), 'true');
    const { file, text } = design.emit(name);
    await page.getByRole('group', { name: file, exact: true }).waitFor();
    assert.equal(await page.getByRole('group', { name: file, exact: true }).textContent(), text, label);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text, `${label} copied`);
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const got = await begun;
    assert.equal(got.suggestedFilename(), file);
    assert.equal(String(await contentOf(got)), text, `${label} downloaded`);
  }
  await close();
});

test('what a design can’t be taken as says why, and the next text is there again', async () => {
  const { page, close } = await open();
  await page.getByLabel('Example').selectOption('call-records');
  await take(page);
  await page.getByRole('button', { name: 'Phoenix table' }).click();
  // A bucket that is a number of digits is no column that Phoenix could write.
  await page.getByText(/as a column with the same bytes/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Copy', exact: true }).count(), 0);
  await tab(page, 'Code');
  await page.getByRole('button', { name: 'Python', exact: true }).click();
  await page.getByRole('group', { name: /\.py$/ }).waitFor();
  assert.equal(await page.getByText(/as a column with the same bytes/).count(), 0);
  await close();
});

test('the figure is taken from the sheet as well, as the menu beside it gives it', async () => {
  const { page, close } = await open();
  const files = {
    'Image (PNG)': '.png',
    'Image (SVG)': '.svg',
    'Numbers (CSV)': '.csv',
    'Numbers (JSON)': '.json',
    'Report (HTML)': '.html',
  };
  const taken = async (/** @type {import('playwright-core').Locator} */ button) => {
    const begun = page.waitForEvent('download');
    await button.click();
    const got = await begun;
    return { name: got.suggestedFilename(), bytes: await contentOf(got) };
  };
  for (const [label, ending] of Object.entries(files)) {
    await take(page, 'Link, embed, report');
    await page.locator('.choices').getByRole('button', { name: label }).click();
    const got = await taken(page.locator('.taken').getByRole('button', { name: 'Download' }));
    assert.ok(got.name.endsWith(ending), got.name);
    await page.keyboard.press('Escape');
    await page.locator('.save summary').click();
    const same = await taken(page.locator('.save').getByRole('button', { name: label }));
    assert.deepEqual(got, same);
    await page.keyboard.press('Escape');
  }
  await page.evaluate(() => localStorage.clear());
  await close();
});

test('the design taken as a file opens as the same design', async () => {
  const { page, close } = await open();
  await page.getByLabel('Example').selectOption('call-records');
  await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('bucket('));
  await take(page, 'Link, embed, report');
  await page.getByRole('button', { name: 'Design document' }).click();
  const begun = page.waitForEvent('download');
  await page.locator('.taken').getByRole('button', { name: 'Download' }).click();
  const taken = JSON.parse(String(await contentOf(await begun)));
  assert.equal(taken.rowkey, made.rowkey);
  assert.deepEqual(taken.splits, made.splits);
  assert.equal(parseDesign(taken).emit('shell').text, parseDesign(made).emit('shell').text);
  await close();
});
