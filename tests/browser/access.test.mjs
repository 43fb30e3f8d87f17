import assert from 'node:assert/strict';
import { test } from 'node:test';
import AxeBuilder from '@axe-core/playwright';
import { choose, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** @param {import('playwright-core').Page} page */
async function violations(page) {
  const { default: Axe } = /** @type {any} */ (AxeBuilder.default ? AxeBuilder : { default: AxeBuilder });
  const found = await new Axe({ page }).setLegacyMode().analyze();
  return found.violations.map(
    (one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
  );
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
