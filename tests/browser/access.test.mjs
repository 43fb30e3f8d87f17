import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { choose, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** What axe objects to. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
async function violations(page) {
  const { violations: found } = await new AxeBuilder({ page: /** @type {any} */ (page) })
    .setLegacyMode()
    .analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`axe finds nothing in the ${colorScheme} theme`, async () => {
    const { page, close } = await open({ colorScheme });
    assert.deepEqual(await violations(page), []);
    await page.fill('.formula textarea', 'nosuchfield');
    await page.waitForSelector('.formula mark.wrong');
    assert.deepEqual(await violations(page), []);
    await page.click('text=Design as JSON');
    assert.deepEqual(await violations(page), []);
    await close();
  });

  test(`axe finds nothing when a file fails in the ${colorScheme} theme`, async () => {
    const { page, close } = await open({ colorScheme });
    await choose(page, 'empty.csv', '');
    await page.waitForSelector('[role=alert], .note.warning');
    assert.deepEqual(await violations(page), []);
    await close();
  });
}
