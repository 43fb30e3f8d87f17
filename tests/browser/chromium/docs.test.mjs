// The documentation site: every link leads somewhere, and its figures are drawn under its own policy.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildDocs, DOCS } from '../../../scripts/build/docs.mjs';
import { serve } from '../../../scripts/build/serve.mjs';
import { openBrowser } from '../../../scripts/setup/chromium.mjs';
import { coloursOf, drawn } from './figures.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let host;
before(async () => {
  buildDocs();
  browser = await openBrowser();
  host = await serve({ root: DOCS, base: '/docs/' });
});
after(async () => {
  await browser?.close();
  await host?.close();
});

const pages = () => readdirSync(DOCS).filter((name) => name.endsWith('.html'));
const read = (/** @type {string} */ name) => readFileSync(join(DOCS, name), 'utf8');

test('every link, picture and figure names something that is there', () => {
  /** @type {string[]} */
  const broken = [];
  for (const name of pages()) {
    for (const [, address] of read(name).matchAll(/\s(?:href|src|data|with)="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(address)) continue;
      const [file, anchor] = address.replaceAll('&amp;', '&').split('#');
      const path = join(DOCS, file || name);
      const there =
        existsSync(path) &&
        (!anchor || (statSync(path).isFile() && read(file || name).includes(`id="${anchor}"`)));
      if (!there) broken.push(`${name}: ${address}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('every entry of the gallery, every finding and the interface have their place', () => {
  const entries = JSON.parse(readFileSync(join(DOCS, 'gallery', 'index.json'), 'utf8'));
  for (const { slug } of entries) assert.ok(existsSync(join(DOCS, `${slug}.html`)), slug);
  assert.match(read('findings.html'), /RS101/);
  assert.match(read('api.html'), /parseDesign/);
});

for (const name of ['index.html', 'embedding.html', 'c1-bucket-of-the-phone.html']) {
  test(`${name}: its figure is drawn, with nothing refused`, async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 3000 } });
    /** @type {string[]} */
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.goto(host.url + name);
    await drawn(page);
    assert.ok((await coloursOf(page)) >= 2, 'not blank');
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('no page is wider than a phone', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  for (const name of [
    'index.html',
    'format.html',
    'findings.html',
    'api.html',
    'gallery.html',
    'e6-salt-or-reverse.html',
  ]) {
    await page.goto(host.url + name);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, name);
  }
  await page.close();
});
