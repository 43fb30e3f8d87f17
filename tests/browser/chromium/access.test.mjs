import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, violations, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** @param {string} hash @param {string} there what the view shows once it is drawn */
const view = (hash, there) => async (/** @type {Page} */ page) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForSelector(there, { state: 'attached' });
};

/** Views to check, one after the other in one page. @type {Record<string, (page: Page) => Promise<unknown>>} */
const VIEWS = {
  'the bench': async () => {},
  'a wrong formula': async (page) => {
    const formula = await page.inputValue('.formula textarea');
    await page.fill('.formula textarea', 'nosuchfield');
    await page.waitForSelector('.formula mark.wrong');
    return async () => {
      await page.fill('.formula textarea', formula);
      await ready(page);
    };
  },
  gallery: view('#gallery', 'gallery-picture canvas'),
  'an entry of the gallery': view('#gallery/b3-delimiter-inside-value', 'gallery-records td.bytes'),
  'the glossary': view('#glossary/salt', '.glossary .named'),
  'no such entry': view('#gallery/nowhere', '.note.warning'),
};

const LOOKS = /** @type {const} */ ([
  { colorScheme: 'light', locale: 'en' },
  { colorScheme: 'dark', locale: 'ko-KR' },
]);

for (const { colorScheme, locale } of LOOKS) {
  test(`axe finds nothing in any view in the ${colorScheme} theme, read in ${locale}`, async () => {
    const { page, close } = await open({ colorScheme, locale });
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, locale.slice(0, 2));
    for (const [name, show] of Object.entries(VIEWS)) {
      const back = await show(page);
      assert.deepEqual(await violations(page, 'html'), [], name);
      if (typeof back === 'function') await back();
    }
    await view('#', '.heat')(page);
    await page.selectOption('.example select', 'call-records');
    await ready(page);
    const tabs = await page.locator('[role=tab]').all();
    assert.equal(tabs.length, 5);
    for (const tab of tabs) {
      await tab.click();
      await page.waitForSelector(`#${await tab.getAttribute('id')}[aria-selected=true]`);
      await page.waitForTimeout(0);
      assert.deepEqual(await violations(page, '.bench'), [], String(await tab.textContent()));
    }
    await page.locator('key-bar .take').click();
    for (const tab of await page.locator('take-away [role=tab]').all()) {
      await tab.click();
      assert.deepEqual(await violations(page, 'take-away'), [], String(await tab.textContent()));
    }
    await page.keyboard.press('Escape');
    await page.locator('button.menu').click();
    assert.deepEqual(await violations(page, 'header'), [], 'the menu');
    for (const dialog of ['help-dialog', 'design-dialog']) {
      await page.locator(`${dialog} button`).first().click();
      await page.waitForSelector(`${dialog} dialog[open]`);
      assert.deepEqual(await violations(page, dialog), [], dialog);
      await page.keyboard.press('Escape');
    }
    await close();
  });

  test(`axe finds nothing when a file fails in the ${colorScheme} theme, read in ${locale}`, async () => {
    const { page, close } = await open({ colorScheme, locale });
    await choose(page, 'empty.csv', '');
    await page.waitForSelector('.notice');
    assert.deepEqual(await violations(page, 'html'), []);
    await close();
  });
}
