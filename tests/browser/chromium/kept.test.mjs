// Changes can be undone after leaving and reopening the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, tab, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** @param {import('playwright-core').Page} page @param {string} text */
const formulaIs = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector('textarea')?.value === wanted, text);

test('undo and redo go on after a reload', async () => {
  const { page, close } = await open();
  const formula = page.getByRole('textbox', { name: 'Row key' });
  const first = await formula.inputValue();
  // Each a step of its own: what is typed within a moment is one.
  const steps = { "carrier + '-1'": 'DecimalStringSplit', "carrier + '-2'": 'UniformSplit' };
  for (const [text, splits] of Object.entries(steps)) {
    await formula.fill(text);
    await tab(page, 'Regions and keys');
    await page.waitForSelector(`.list li .bytes >> text=${text.slice(-3, -1)}`);
    await page.waitForFunction(
      (wanted) => localStorage.getItem('rowscape.document.v1')?.includes(wanted),
      text.slice(-4),
    );
    await page.getByRole('combobox', { name: 'Regions' }).selectOption(splits);
    await ready(page);
  }
  await page.reload();
  await ready(page);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await formulaIs(page, "carrier + '-2'");
  await undo.click();
  await undo.click();
  await formulaIs(page, "carrier + '-1'");
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes("'-1'"));
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await formulaIs(page, "carrier + '-2'");
  while (await undo.isEnabled()) await undo.click();
  await formulaIs(page, first);
  await close();
});

test('steps back to records that are no longer there are not kept', async () => {
  const { page, close } = await open();
  await choose(page, 'two.csv', 'id,n\na,1\nb,2\n');
  await page.waitForSelector('data-line >> text=two.csv');
  await ready(page);
  await page.getByLabel('Example').selectOption('call-records');
  // Left while the example is still on its way or later: what is there again is whole.
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes('call-records'));
  await page.reload();
  await ready(page);
  assert.ok(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled());
  await close();
});

test('a design without records is shown as one, and records that suit it are made up at a click', async () => {
  const { page, close } = await open({ opened: false });
  await page.evaluate(() => {
    const fields = [{ name: 'id', type: 'text' }];
    const design = { rowscape: 1, name: 'Nothing yet', fields, rowkey: 'id', splits: { points: ['5'] } };
    localStorage.setItem(
      'rowscape.document.v1',
      JSON.stringify({ text: JSON.stringify(design), example: null }),
    );
  });
  await page.reload();
  await page.locator('.picture').getByText('No records yet').waitFor();
  await page.getByText('Findings need records').waitFor();
  await page.getByRole('button', { name: 'Generate records' }).click();
  await ready(page);
  assert.match((await page.textContent('.verdict dl')) ?? '', /50,000/);
  assert.equal(await page.getByRole('textbox', { name: 'Row key' }).inputValue(), 'id');

  // Undo and redo change the design; the records stay, also over a reload.
  const formula = page.getByRole('textbox', { name: 'Row key' });
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const told = () => page.textContent('.verdict dl');
  assert.ok(await undo.isDisabled(), 'records are no step of the design');
  await formula.fill('id.md5().hex()');
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() => document.querySelector('.list li .bytes')?.textContent?.length === 32);
  await ready(page);
  await undo.click();
  await formulaIs(page, 'id');
  await page.waitForFunction(() => document.querySelector('.list li .bytes')?.textContent?.length === 6);
  await ready(page);
  assert.match((await told()) ?? '', /50,000/);
  await page.waitForFunction(() => !localStorage.getItem('rowscape.document.v1')?.includes('md5'));
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await formulaIs(page, 'id.md5().hex()');
  await ready(page);
  assert.match((await told()) ?? '', /50,000/);
  await close();
});

test('undo brings the records back that a design belonged to, also after a reload', async () => {
  const { page, close } = await open();
  const rows = (/** @type {string} */ text) =>
    page.waitForFunction((wanted) => document.querySelector('.verdict dd')?.textContent === wanted, text);
  await page.getByRole('button', { name: 'Paste or generate' }).click();
  await page.getByRole('radio', { name: 'Generate' }).check({ force: true });
  await page.getByRole('dialog').getByLabel('Days').fill('1');
  await page.click('dialog[open] button.main');
  await page.waitForSelector('.chip.source >> text=Generated');
  await ready(page);
  const madeUp = (await page.textContent('.verdict dd')) ?? '';
  assert.notEqual(madeUp, '12,208');
  for (const reload of [false, true]) {
    if (reload) {
      await page.reload();
      await ready(page);
    }
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await rows('12,208');
    await ready(page);
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await rows(madeUp);
    await ready(page);
    await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes('generator'));
  }
  await close();
});

test('what a fix made of a design stands beside what was before it, until something else changes', async () => {
  const { page, close } = await open();
  await page.getByRole('button', { name: 'Apply' }).first().click();
  await page.getByText('was 1.0', { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'verdict good');
  await page.getByRole('button', { name: 'Compare with before' }).click();
  await page.getByRole('columnheader', { name: 'before the fix' }).waitFor();
  await page.locator('.verdict').getByRole('button', { name: 'Undo' }).click();
  await page.waitForSelector('.verdict.bad');
  assert.equal(await page.getByText('was 1.0', { exact: true }).count(), 0);
  await close();
});
