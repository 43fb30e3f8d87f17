// What was done stays undoable after the page was left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, withBrowser } from './harness.mjs';

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
  await page.waitForSelector('.verdict dl >> text=2');
  await page.getByLabel('Example').selectOption('call-records');
  // Left while the example is still on its way or later: what is there again is whole.
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes('call-records'));
  await page.reload();
  await ready(page);
  assert.ok(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled());
  await close();
});

test('a design without records is shown as one, and records that suit it are made up at a click', async () => {
  const { page, close } = await open();
  await page.evaluate(() => {
    const fields = [{ name: 'id', type: 'text' }];
    const design = { rowscape: 1, name: 'Nothing yet', fields, rowkey: 'id', splits: { points: ['5'] } };
    localStorage.setItem(
      'rowscape.document.v1',
      JSON.stringify({ text: JSON.stringify(design), example: null }),
    );
  });
  await page.reload();
  await page.getByText('No records yet').waitFor();
  await page.getByText('A review is made from records').waitFor();
  await page.getByRole('button', { name: 'Make up records' }).click();
  await ready(page);
  assert.match((await page.textContent('.verdict dl')) ?? '', /50,000/);
  assert.equal(await page.getByRole('textbox', { name: 'Row key' }).inputValue(), 'id');
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
