// The rest of the wasm module: the page draws without it, and has it before it is needed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { ships } from '../../../scripts/build/index.mjs';
import {
  calls,
  choose,
  coloursDrawn,
  liveTable,
  openOffered,
  ready,
  SITE,
  tab,
  take,
  withBrowser,
} from './harness.mjs';

/** @import { Page, Request } from 'playwright-core' */

const { open } = withBrowser();
const REST = '**/pkg/rest.wasm';
const MISSING = 'could not be loaded';
// In one file, and for tests, the module is whole.
const skip = Boolean(process.env.ROWSCAPE_PAGE) || !ships();

/**
 * The page when such requests for the rest fail.
 * @param {(request: Request) => boolean} stopped
 * @param {string} [query] after its address
 */
async function without(stopped, query = '') {
  /** How it was asked for. @type {string[]} */
  const asked = [];
  const prepare = (/** @type {Page} */ fresh) =>
    fresh.route(REST, (route) => {
      asked.push(route.request().resourceType());
      return stopped(route.request()) ? route.abort() : route.continue();
    });
  return { ...(await open({ expectErrors: true, prepare, query })), asked };
}

test('the first part alone draws an example and a file; what needs the rest says so and works once it is had', {
  skip,
}, async () => {
  let stopped = true;
  const { page, close } = await without(() => stopped);
  assert.ok((await coloursDrawn(page)) > 3);
  assert.match((await page.textContent('.verdict p')) ?? '', /\w{3,}/);
  await page.waitForSelector(`findings-panel >> text=${MISSING}`);
  await choose(page, 'calls.csv', calls(300));
  await page.waitForSelector('.verdict dl >> text=300');
  await ready(page);
  assert.ok((await coloursDrawn(page)) > 3);
  await page.getByRole('tab', { name: 'Storage' }).click();
  await page.waitForSelector(`.note.bad >> text=${MISSING}`);
  assert.equal(await page.locator('.status.bad').count(), 0, 'the picture stays');
  stopped = false;
  await page.getByRole('tab', { name: 'Servers' }).click();
  await page.waitForSelector('#tab-panel table, #tab-panel dl');
  assert.equal(await page.locator('.note.bad').count(), 0);
  await close();
});

test('findings that were still to come when a file was refused come all the same', { skip }, async () => {
  /** @type {(() => void)[]} */
  const held = [];
  let released = false;
  const prepare = (/** @type {Page} */ fresh) =>
    fresh.route(REST, (route) =>
      released ? route.continue() : new Promise((go) => held.push(() => go(route.continue()))),
    );
  const { page, close } = await open({ prepare, drawn: false, expectErrors: true });
  await openOffered(page);
  await page.waitForSelector('.heat[aria-busy=false]', { state: 'attached' });
  await page.waitForSelector('findings-panel .is-waiting');
  await choose(page, 'photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0, 0, 255, 254]));
  released = true;
  for (const release of held) release();
  await page.waitForSelector('.notice >> text=does not look like text');
  await ready(page);
  await page.waitForSelector('.finding');
  await close();
});

test('once the page has loaded, nothing misses without a network: tabs, files, examples, gallery, glossary and languages', {
  skip,
}, async () => {
  const { page, close, asked } = await without(() => false);
  await page.waitForSelector('.finding');
  assert.deepEqual(asked, ['fetch'], 'fetched once, for both workers');
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  /** A sign of each tab's content. */
  const tabs = {
    Storage: '.growth .sentence',
    Servers: '.servers .sentence',
    Queries: 'query-panel button',
    Regions: '.list li .bytes',
    Writes: '.finding',
  };
  for (const [name, there] of Object.entries(tabs)) {
    await tab(page, name);
    await page.waitForSelector(there);
  }
  const taken = {
    Create: '.copyable pre',
    Code: '.copyable pre',
    Migrate: 'migrate-panel p',
    Link: 'share-link ul',
  };
  for (const [name, there] of Object.entries(taken)) {
    await take(page, name);
    await page.waitForSelector(there);
    await page.keyboard.press('Escape');
  }
  await liveTable(page);
  await page.waitForSelector('existing-panel textarea');
  await page.getByRole('link', { name: 'Design' }).click();
  await page.locator('.formula textarea').fill("carrier.murmur(7) + '_' + flight.decimal(4)");
  await page.waitForSelector('.note.bad', { state: 'detached' });
  await ready(page);
  assert.deepEqual(asked, ['fetch']);
  await page.locator('.save').evaluate((menu) => menu.toggleAttribute('open', true));
  await Promise.all([page.waitForEvent('download'), page.click('.save >> text=Image (PNG)')]);
  // Each data set has a worker of its own.
  await choose(page, 'calls.csv', calls(300));
  await page.waitForSelector('.verdict dl >> text=300');
  await page.getByLabel('Example').selectOption('call-records');
  await page.waitForSelector('.chip.source >> text=Call records');
  await ready(page);
  await page.getByLabel('Example').selectOption('nyc-flights');
  await page.waitForSelector('.verdict dl >> text=12,208');
  await ready(page);
  await page.getByRole('link', { name: 'Glossary' }).click();
  await page.waitForSelector('.glossary dt, .glossary h3');
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.waitForSelector('gallery-picture canvas');
  await page.getByRole('link', { name: 'Messages: sequential keys' }).click();
  await page.waitForSelector('gallery-records td.bytes');
  await page.getByRole('button', { name: 'Open this design' }).click();
  await ready(page);
  assert.match(await page.inputValue('.formula textarea'), /^sent\.format/);
  await page.locator('button.menu').click();
  await page.getByLabel('Language').selectOption('ko');
  await page.waitForFunction(() => document.documentElement.lang === 'ko');
  await page.waitForSelector('.verdict >> text=리전');
  await page.getByRole('link', { name: '갤러리' }).click();
  await page.waitForSelector('gallery-picture canvas');
  await page.waitForSelector('gallery-view >> text=순차 키');
  await close();
});

test('a linked design of rare steps has the rest loaded while it is worked out', { skip }, async () => {
  const example = new URL('examples/nyc-flights.json', SITE);
  const design = {
    ...JSON.parse(readFileSync(example, 'utf8')),
    rowkey: "carrier.murmur(7) + '_' + tailnum",
  };
  const query = `#v1.${deflateRawSync(JSON.stringify(design)).toString('base64url')}`;
  const { page, close, asked } = await without((request) => request.resourceType() === 'fetch', query);
  await page.waitForSelector('.verdict >> text=12 of 14 regions get no rows');
  assert.equal(asked[0], 'xhr');
  await close();
});
