// Kept data and addresses are not trusted, and failures outside the page are reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOffered, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** @param {import('playwright-core').Page} page */
const notice = (page) => page.locator('.notice').innerText();

for (const [what, hash, words] of [
  ['damaged', '#v1.AAAA', /damaged or truncated/],
  ['newer', '#v2.AAAA', /newer version/],
])
  test(`a ${what} link tells a first-time visitor so, above the example`, async () => {
    const { page, close } = await open({ query: String(hash) });
    assert.match(await notice(page), /** @type {RegExp} */ (words));
    assert.ok(await page.getByRole('textbox', { name: 'Row key' }).inputValue());
    await close();
  });

const DESIGN = JSON.stringify({ rowscape: 1, fields: [{ name: 'id', type: 'text' }], rowkey: 'id' });
/** Values that no page of ours keeps. @type {Record<string, unknown>[]} */
const BAD = [
  { 'rowscape.document.v1': 5 },
  { 'rowscape.document.v1': { text: '{' } },
  { 'rowscape.document.v1': { text: '{"rowscape":1}' } },
  { 'rowscape.document.v1': { text: DESIGN, table: 'x', formula: 5, example: {}, source: { kind: 'text' } } },
  { 'rowscape.document.v1': { text: DESIGN, source: { kind: 'generator', name: 'a', spec: null } } },
  { 'rowscape.document.v1': { text: DESIGN, source: { kind: 'generator', name: 'a', spec: { rows: 'x' } } } },
  {
    'rowscape.document.v1': { text: DESIGN },
    'rowscape.history.v1': {
      past: [{ formula: 'a', design: { rowscape: 1 } }],
      future: 'x',
      sources: [null, 5],
    },
  },
  {
    'rowscape.drafts.v1': 'abc',
    'rowscape.seen.v1': [],
    'rowscape.language.v1': '../x',
    'rowscape.theme.v1': 7,
  },
];

test('a bad value in what was kept leaves no empty page', async () => {
  const { page, close } = await open();
  for (const values of BAD) {
    await page.evaluate((values) => {
      localStorage.clear();
      for (const [name, value] of Object.entries(values)) localStorage.setItem(name, JSON.stringify(value));
    }, values);
    await page.reload();
    await openOffered(page);
    await page.waitForFunction(() => document.querySelector('textarea')?.value, undefined, {
      timeout: 10_000,
    });
  }
  await close();
});

test('a full storage is said where one types', async () => {
  const { page, close } = await open();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.getByRole('textbox', { name: 'Row key' }).fill("carrier + '-1'");
  await page.waitForSelector('.controls .note >> text=storage is full');
  await close();
});

test('a change in another tab is said', async () => {
  const { page, close } = await open();
  await page.evaluate(() => {
    // A frame is told apart from its page as another tab is.
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow?.localStorage.setItem('rowscape.document.v1', '{}');
  });
  await page.waitForSelector('.notice >> text=Another tab');
  await close();
});

test('a worker that falls silent is told, and the work begins again only when asked', async () => {
  const { page, close } = await open();
  await page.evaluate(() => {
    // From now on workers are started that never answer.
    class Silent {
      postMessage() {}
      terminate() {}
    }
    Object.assign(globalThis, { Worker: Silent });
  });
  await page.getByLabel('Example').selectOption({ index: 1 });
  await page.waitForSelector('text=No report for 10 seconds', { timeout: 20_000 });
  assert.ok(await page.getByRole('button', { name: 'Start again' }).isVisible());
  await close();
});
