// Takes pictures of the page, to be looked at: node tests/browser/shots.mjs [folder, by default .cache/shots]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { calls, choose, ready, SITE } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const folder = process.argv[2] ?? join('.cache', 'shots');

/** @param {string} id @returns {(page: Page) => Promise<void>} */
const example = (id) => async (page) => {
  await page.selectOption('.example select', id);
  await page.waitForSelector(`.example option[value=${id}]:checked`, { state: 'attached' });
  await ready(page);
};

/** What is done before each picture. @type {Record<string, (page: Page) => Promise<unknown>>} */
const SCENES = {
  first: async () => {},
  'engine-telemetry': example('engine-telemetry'),
  'call-records': example('call-records'),
  'hex-keys': example('hex-keys-under-bytes-split'),
  'message-store': async (page) => {
    await example('message-store')(page);
    await page.locator('.tables label').nth(1).click();
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('md5'));
    await ready(page);
  },
  pinned: async (page) => {
    const box = await page.locator('.stage').boundingBox();
    if (box) await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.45);
    await page.waitForSelector('.tooltip.pinned');
  },
  'wrong-formula': async (page) => {
    await page.fill('.formula textarea', "departure.format('yyyyMMdd') + '_' + carrier.format('yyyy')");
    await page.waitForSelector('.formula mark.wrong');
  },
  'empty-file': async (page) => {
    await choose(page, 'empty.csv', '');
    await page.waitForSelector('[role=alert]');
  },
  'own-file': async (page) => {
    await choose(page, 'calls.csv', calls(20_000));
    await page.waitForSelector('.verdict dl >> text=20,000');
    await ready(page);
  },
  'million-regions': async (page) => {
    await SCENES['own-file'](page);
    await page.getByLabel('Number of regions', { exact: true }).fill('1000000');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.verdict dl >> text=1,000,000');
    await ready(page);
  },
  help: async (page) => {
    await page.getByRole('button', { name: 'Help' }).click();
    await page.waitForSelector('.help table');
  },
};

mkdirSync(folder, { recursive: true });
const site = await serve({ root: SITE });
const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
for (const width of [360, 1280, 2560]) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    for (const [name, scene] of Object.entries(SCENES)) {
      const page = await browser.newPage({
        viewport: { width, height: width === 2560 ? 1440 : 800 },
        colorScheme,
      });
      await page.goto(site.url);
      await ready(page);
      await scene(page);
      await page.waitForTimeout(300);
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: name !== 'help',
      });
      await page.close();
    }
  }
}
await browser.close();
await site.close();
console.log(`Pictures are in ${folder}.`);
