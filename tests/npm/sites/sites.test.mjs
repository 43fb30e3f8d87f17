// Figures in sites of documentation tools, each built for real and opened in Chromium: npm run test:sites
//   ROWSCAPE_SHOTS=folder keeps a picture of each, light and dark.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { coloursOf, drawn, textOf } from '../../browser/chromium/figures.mjs';
import { remove, SITES } from './sites.mjs';
import { setUpTools } from './tools.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Record<string, string>} */
let missing;
before(async () => {
  missing = await setUpTools();
  browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
});
after(() => browser?.close());

describe('a figure is drawn, follows the scheme, and goes without a trace', { concurrency: 2 }, () => {
  for (const [name, { tool, build }] of Object.entries(SITES)) {
    test(name, async (context) => {
      // Whoever has no way to install a tool goes without its test; the project's own checks don't.
      if (missing[tool] && process.env.CI) assert.fail(missing[tool]);
      if (missing[tool]) return context.skip(missing[tool]);
      const folder = mkdtempSync(join(tmpdir(), 'rowscape-site-'));
      try {
        const { root, page } = await build(folder);
        const host = await serve({ root });
        for (const scheme of /** @type {const} */ (['light', 'dark']))
          await look(name, host.url + page, scheme);
        await host.close();
      } finally {
        remove(folder);
      }
    });
  }
});

/** @param {string} name @param {string} address @param {'light' | 'dark'} colorScheme */
async function look(name, address, colorScheme) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
  /** @type {string[]} */
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security.Policy|rowscape/i.test(message.text()) && message.type() === 'error')
      wrong.push(message.text());
  });
  await page.goto(address);
  await drawn(page);
  assert.ok((await coloursOf(page)) >= 2, 'not blank');
  assert.match(await textOf(page), /Orders by customer/);
  const behind = await page.evaluate(() => {
    const figure = document.querySelector('rowscape-figure')?.shadowRoot?.querySelector('.figure');
    return figure?.classList.contains('is-dark') ? 'dark' : 'light';
  });
  const site = await page.evaluate(() => {
    const [red] = /\d+/.exec(
      getComputedStyle(document.querySelector('rowscape-figure') ?? document.body).color,
    ) ?? ['0'];
    return Number(red) > 128 ? 'dark' : 'light';
  });
  assert.equal(behind, site, 'as dark as the text around it is light');
  const shots = process.env.ROWSCAPE_SHOTS;
  if (shots) await page.screenshot({ path: join(shots, `${name.replace(/\W/g, '')}-${colorScheme}.png`) });
  // Sites have workers of their own, for their search.
  const ours = page.workers().filter((worker) => worker.url().startsWith('blob:'));
  assert.equal(ours.length, 1);
  const ended = ours[0].waitForEvent('close');
  await page.evaluate(() => document.querySelector('rowscape-figure')?.remove());
  await ended;
  assert.deepEqual(wrong, []);
  await page.close();
}
