// Five tasks of a new user with their measures: clicks, characters typed, screens scrolled, and what stands in the first window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { contentOf, ready, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

const { open } = withBrowser();
const WINDOW = { viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] };
/** Nothing was opened yet. */
const FIRST = { ...WINDOW, opened: false };
/** Most elements that take the focus, and words, in the first window. */
const MOST = { first: { controls: 22, words: 160 }, own: { controls: 45, words: 220 } };

/** Measures by task, in the order they were taken. @type {Record<string, Record<string, string | number>>} */
const table = {};

/** A person who clicks and types, both counted. @param {Page} page */
function person(page) {
  const taken = { clicks: 0, typed: 0, scrolled: 0 };
  const began = performance.now();
  return {
    taken,
    /** @param {Locator} what */
    async click(what) {
      await what.waitFor();
      const before = await page.evaluate(() => scrollY);
      await what.click();
      taken.clicks++;
      if ((await page.evaluate(() => scrollY)) !== before) taken.scrolled++;
    },
    /** Chooses a file: a click on the button and one in the dialog of the system. @param {string} name @param {string} text */
    async openFile(name, text) {
      taken.clicks += 2;
      await page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    },
    /** @param {string} task @param {string} outcome */
    note(task, outcome) {
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      table[task] = { ...taken, seconds, outcome };
    },
  };
}

/** Elements that take the focus, and words, in the window. @param {Page} page */
const inWindow = (page) =>
  page.evaluate(() => {
    const inside = (/** @type {DOMRect} */ box) =>
      box.width > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const focusable =
      'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex="0"]';
    const controls = [...document.querySelectorAll(focusable)].filter(
      (one) =>
        /** @type {HTMLElement} */ (one).tabIndex >= 0 &&
        one.checkVisibility() &&
        inside(one.getBoundingClientRect()),
    ).length;
    /** The part of a text that is seen: within what scrolls or cuts it, and not behind the bar at the bottom. */
    const seen = (/** @type {Element} */ parent, /** @type {DOMRect} */ box) => {
      const bar = document.querySelector('key-bar');
      let [left, right, bottom] = [
        0,
        innerWidth,
        bar?.contains(parent) ? innerHeight : bar?.getBoundingClientRect().top || innerHeight,
      ];
      for (let one = /** @type {Element | null} */ (parent); one; one = one.parentElement) {
        if (getComputedStyle(one).overflowX === 'visible') continue;
        const around = one.getBoundingClientRect();
        left = Math.max(left, around.left);
        right = Math.min(right, around.right);
        bottom = Math.min(bottom, around.bottom);
      }
      const isThere = box.bottom > 0 && box.top < bottom;
      return isThere ? Math.max(0, Math.min(box.right, right) - Math.max(box.left, left)) / box.width : 0;
    };
    let words = 0;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!parent?.checkVisibility() || parent.closest('.unseen, option, textarea')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      if (box.width > 1)
        words +=
          seen(parent, box) *
          (text.textContent ?? '').split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    }
    words = Math.round(words);
    return { controls, words };
  });

/**
 * Notes what is in the window, and judges it.
 * @param {Page} page
 * @param {string} task
 * @param {{ controls: number, words: number }} most
 */
async function noteWindow(page, task, most) {
  const { controls, words } = await inWindow(page);
  table[task] = { controls, words };
  assert.ok(
    controls <= most.controls && words <= most.words,
    `${task}: ${controls} controls, ${words} words`,
  );
}

/** Log lines of forty hosts, one each half minute. */
function logs() {
  const lines = ['host,level,at,seq'];
  for (let row = 0; row < 20_000; row++) {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 30_000).toISOString().slice(0, 19).replace('T', ' ');
    lines.push(`web-${String((row * 7) % 40).padStart(3, '0')},${row % 9 ? 'info' : 'warn'},${at},${row}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Eight regions of which the two on one server take most requests, as the shell lists them. */
function listing() {
  const widths = [31, 58, 10, 10, 6, 9, 9];
  const line = (/** @type {(string | number)[]} */ cells) =>
    cells.map((cell, at) => ` ${String(cell).padStart(widths[at])} |`).join('');
  const heads = ['SERVER_NAME', 'REGION_NAME', 'START_KEY', 'END_KEY', 'SIZE', 'REQ', 'LOCALITY'];
  const regions = Array.from({ length: 8 }, (_, at) => {
    const start = at ? `0${at}` : '';
    const name = `logs,${start},179523628589${at}.da4d5186cb352082705d08bec7c8c3d${at}.`;
    const server = `rs${1 + (at % 4)}.example,16020,1795236225060`;
    return [server, name, start, at < 7 ? `0${at + 1}` : '', 9800, at % 4 ? 1000 : 47_000, '1.0'];
  });
  return `list_regions 'logs'\n${[heads, ...regions].map(line).join('\n')}\n`;
}

test('T1: an own file and two questions, without typing', async () => {
  const { page, close } = await open(FIRST);
  const me = person(page);
  await me.openFile('logs.csv', logs());
  await page.waitForSelector('.verdict dl >> text=20,000');
  await me.click(page.getByRole('button', { name: 'Rows of a time range' }));
  await me.click(page.getByRole('button', { name: 'One host, a time range' }));
  const costs = page.locator('.ask li .cost', { hasText: /\d/ });
  await costs.nth(1).waitFor();
  const box = await costs.nth(1).boundingBox();
  assert.ok(box && box.y < 800, 'the costs are in the first window');
  // The answer: a suggested key with the costs of both questions, above the bar.
  const key = page.locator('.shortlist[aria-busy=false] tr.is-chosen');
  await key.waitFor({ timeout: 60_000 });
  assert.equal(await key.locator('td .cost').count(), 2);
  const bar = await page.locator('key-bar').boundingBox();
  const row = await key.boundingBox();
  assert.ok(bar && row && row.y + row.height < bar.y, 'the suggested key is in the first window');
  me.note('T1 own file, two questions', (await key.locator('.rowkeys').textContent()) ?? '');
  await noteWindow(page, 'own file, two questions', MOST.own);
  assert.ok(me.taken.clicks <= 7 && me.taken.typed === 0 && me.taken.scrolled === 0);
  await close();
});

test('T2: what is wrong with an example, its fix and the command, without scrolling', async () => {
  const { page, close } = await open(FIRST);
  await noteWindow(page, 'first visit', MOST.first);
  const me = person(page);
  await page.locator('.verdict').getByText('One region takes 100% of the writes at any one time').waitFor();
  await me.click(page.getByRole('button', { name: 'Apply fix' }));
  await page.waitForSelector('.verdict.good');
  await ready(page);
  await me.click(page.locator('key-bar .main'));
  await page.locator('key-bar').getByText('Copied.').first().waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^create '/m);
  me.note('T2 example, fix, command', 'copied');
  assert.ok(me.taken.clicks <= 2 && me.taken.scrolled === 0);
  await close();
});

test('T3: of two keys of the list, which question got worse', async () => {
  const { page, close } = await open(WINDOW);
  await person(page).openFile('logs.csv', logs());
  await page.waitForSelector('.verdict dl >> text=20,000');
  await page.getByRole('button', { name: 'Rows of a time range' }).click();
  await page.getByRole('button', { name: 'One host, a time range' }).click();
  const pins = page.locator('.shortlist[aria-busy=false] tr[data-id] .pin');
  await pins.first().waitFor({ timeout: 60_000 });
  const me = person(page);
  await me.click(pins.nth(0));
  await me.click(pins.nth(1));
  const worse = page.locator('.compare td.is-worse').first();
  await worse.waitFor();
  // The first lines are those of the questions.
  const question = await page.locator('.compare .query-name').first().textContent();
  assert.equal(question?.trim(), 'Rows of a time range');
  const box = await worse.boundingBox();
  assert.ok(box && box.y > 0 && box.y < 800, 'in the window');
  me.note('T3 two keys of the list', 'worse cells of each question');
  assert.ok(me.taken.clicks <= 3);
  await close();
});

test('T3: after a fix, which question got worse', async () => {
  const { page, close } = await open(WINDOW);
  await page.getByRole('button', { name: 'Rows of a time range' }).click();
  await page.locator('.ask li .cost', { hasText: /\d/ }).first().waitFor();
  const me = person(page);
  await me.click(page.getByRole('button', { name: 'Apply fix' }));
  await me.click(page.getByRole('button', { name: 'Compare with before' }));
  await page.getByRole('row').filter({ hasText: 'scan ranges' }).first().waitFor();
  me.note('T3 key before and after a fix', 'scans of the question before and after');
  assert.ok(me.taken.clicks <= 3);
  await close();
});

test('T4: a live table that is pasted: server, regions and what to do', async () => {
  const { page, close } = await open(FIRST);
  const me = person(page);
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, listing());
  const headline = page.locator('.live .headline');
  await headline.waitFor();
  assert.match((await headline.textContent()) ?? '', /2 regions on rs1 take 94% of the requests/);
  await page
    .getByText(/Move region [04] to rs[234]/)
    .first()
    .waitFor();
  const box = await headline.boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 800, 'in the window');
  // Nothing of the example that was at work beside the question.
  for (const other of ['.entry-title', 'verdict-line', 'heat-map', 'key-bar'])
    assert.ok(!(await page.locator(other).first().isVisible()), other);
  assert.equal(await page.getByText('Rows by this design').count(), 0);
  assert.equal(await page.getByText('Commands that create the design’s regions').count(), 0);
  me.note('T4 live table', (await headline.textContent()) ?? '');
  assert.equal(me.taken.clicks, 0);
  await close();
});

test('T5: a figure for a page of docs, with the files it needs', async () => {
  const { page, close } = await open(FIRST);
  const me = person(page);
  await me.click(page.locator('button.menu'));
  await me.click(page.getByRole('button', { name: 'Copy embed code' }));
  const files = page.locator('embed-figure .files');
  await files.waitFor();
  const told = (await files.textContent()) ?? '';
  for (const file of ['element.js', 'element-here.js', 'rowscape-first.wasm', 'rowscape-rest.wasm', '.csv'])
    assert.ok(told.includes(file), file);
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /<rowscape-figure/);
  me.note('T5 figure', 'code copied, files named');
  assert.ok(me.taken.clicks <= 2);
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all files' }).click();
  const zip = await begun;
  assert.match(zip.suggestedFilename(), /\.zip$/);
  const inside = Object.keys(unzipSync(await contentOf(zip)));
  for (const part of ['element.js', 'element-here.js', 'rowscape-first.wasm', 'rowscape-rest.wasm'])
    assert.ok(inside.includes(`rowscape/${part}`), part);
  for (const ending of ['.html', '.csv'])
    assert.ok(
      inside.some((name) => name.endsWith(ending)),
      ending,
    );
  await close();
});

// Not printed as it is: the runner reads a file's output together with its own messages.
test('the figures of all tasks', (told) => {
  for (const [name, figures] of Object.entries(table)) told.diagnostic(`${name}: ${JSON.stringify(figures)}`);
});
