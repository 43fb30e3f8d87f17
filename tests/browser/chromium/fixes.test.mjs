// Fixes of findings that change more than a key, applied as a person would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready, reopen, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** One family is kept for a week, one for a year: too different for one table. */
const DESIGN = {
  rowscape: 1,
  name: 'Calls',
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'call_time', type: 'time', format: 'yyyy-MM-dd HH:mm:ss' },
    { name: 'seconds', type: 'integer' },
  ],
  arrival: 'call_time',
  rowkey: "phone.md5().hex(8) + phone + call_time.format('yyyyMMddHHmmss')",
  splits: { algorithm: 'HexStringSplit', regions: 4 },
  table: {
    name: 'calls',
    families: [
      { name: 'd', ttl: 7 * 86_400, cells: [{ qualifier: 'q', bytes: 8 }] },
      { name: 'l', ttl: 360 * 86_400, cells: [{ qualifier: 'q', bytes: 8 }] },
    ],
  },
};

test('families that do not belong together get tables of their own, and the finding is gone', async () => {
  const { page, close } = await open();
  await reopen(page, DESIGN);
  await page.getByRole('button', { name: 'Generate records' }).click();
  await ready(page);
  const finding = page.locator('.finding', { hasText: 'Family “l” keeps 51× the rows of “d”' });
  await finding.locator('summary').click();
  assert.match((await finding.textContent()) ?? '', /calls_d.*RS606/s);
  await finding.getByRole('button', { name: 'Apply' }).click();
  await finding.waitFor({ state: 'detached' });
  assert.deepEqual(
    await page.evaluate(() => {
      dispatchEvent(new Event('pagehide'));
      const { text } = JSON.parse(localStorage.getItem('rowscape.document.v1') ?? '{}');
      return JSON.parse(text).tables.map((/** @type {any} */ { name, families }) => [name, families[0].name]);
    }),
    [
      ['calls', 'l'],
      ['calls_d', 'd'],
    ],
  );
  // Before and after, side by side: half of the cells are in another table.
  await page.getByRole('button', { name: 'Compare with before' }).click();
  await page.getByRole('columnheader', { name: 'before the fix' }).waitFor();
  const bytes = page.locator('.sides tr', { hasText: 'bytes of the table' });
  assert.match((await bytes.textContent()) ?? '', /better/);
  await close();
});
