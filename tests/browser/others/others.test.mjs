// The main path in Firefox and WebKit, where they are installed. ROWSCAPE_SHOTS names a folder for pictures of each step.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../../scripts/build/serve.mjs';
import { calls, SITE } from '../chromium/harness.mjs';
import { ELEMENT, others } from './drivers.mjs';

/** @typedef {import('./drivers.mjs').Driver} Driver */

/** Milliseconds until a state of the page counts as never reached. */
const PATIENCE = 60_000;
const SHOTS = process.env.ROWSCAPE_SHOTS;
/** With its review: what comes after the picture moves what lies below. */
const DRAWN = `document.querySelector('.heat[aria-busy=false]') && !document.querySelector('findings-panel .is-waiting')`;

/** A person's actions as WebDriver commands. @param {Driver} driver */
function hand({ name, command }) {
  let shots = 0;
  const value = (/** @type {string} */ expression, /** @type {unknown[]} */ ...args) =>
    command('ExecuteScript', { script: `return (${expression});`, args });
  const element = async (/** @type {string} */ selector) =>
    (await command('FindElement', { using: 'css selector', value: selector }))[ELEMENT];
  return {
    value,
    /** @param {string} expression @param {string} what @param {() => Promise<unknown>} [again] done until it is so, such as a click on what may still move */
    async until(expression, what, again = async () => {}) {
      const end = performance.now() + PATIENCE;
      while (!(await value(`Boolean(${expression})`))) {
        await again();
        assert.ok(performance.now() < end, `${name}: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    /** @param {string} selector */
    click: async (selector) => command('ElementClick', { id: await element(selector) }),
    /** @param {string} selector @param {string} text */
    type: async (selector, text) => command('ElementSendKeys', { id: await element(selector), text }),
    /** @param {string} step */
    async picture(step) {
      if (!SHOTS) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
      mkdirSync(SHOTS, { recursive: true });
      const image = await command('TakeScreenshot', { full: false, hash: false });
      const file = `${name}-${String(++shots).padStart(2, '0')}-${step}.png`.toLowerCase();
      writeFileSync(join(SHOTS, file), Buffer.from(image, 'base64'));
    },
  };
}

/** Different colours in the heatmap. */
const COLOURS = `(() => {
  const canvas = document.querySelector('.stage canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(width * 0.3, height * 0.2, width * 0.4, height * 0.4);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) seen.add(data[at] + ' ' + data[at + 1] + ' ' + data[at + 2]);
  return seen.size;
})()`;

for (const [browser, start] of Object.entries(others())) {
  test(`the main path in ${browser}`, { skip: typeof start === 'string' && start }, async (t) => {
    if (typeof start === 'string') return;
    const site = await serve({ root: SITE });
    const driver = await start();
    t.diagnostic(`${driver.name} ${driver.version}`);
    const folder = mkdtempSync(join(tmpdir(), 'rowscape-'));
    try {
      const { command } = driver;
      const { value, until, click, type, picture } = hand(driver);
      await command('SetWindowRect', { width: 1280, height: 900 });
      await command('Navigate', { url: site.url });
      await value(
        `(window.wrong = [], addEventListener('error', ({ message }) => wrong.push(message)), addEventListener('unhandledrejection', ({ reason }) => wrong.push(String(reason))))`,
      );
      await until(`document.querySelector('.entry-open')`, 'the page asks what to open');
      await until(`document.querySelector('.verdict .actions')`, 'beside an example that is judged');
      await picture('entry');
      await click('.entry-open');
      await until(DRAWN, 'the example is drawn');
      await until(`${COLOURS} > 3`, 'in colours');
      assert.match(await value(`document.querySelector('.verdict p').textContent`), /\w{3,}/);
      await picture('first');

      await type('.formula textarea', ' + nosuchfield');
      await until(
        `document.querySelector('.formula-problems .placed')?.textContent.includes('nosuchfield')`,
        'what is wrong stands under its column',
      );
      await value(`document.querySelector('formula-editor').scrollIntoView()`);
      await picture('wrong');
      await type('.formula textarea', '\uE003'.repeat(' + nosuchfield'.length));
      await until(`!document.querySelector('mark.wrong')`, 'it is right again');

      const file = join(folder, 'calls.csv');
      writeFileSync(file, calls(5000));
      await type('input[type=file]', file);
      await until(`document.querySelector('.verdict dl')?.textContent.includes('5,000')`, 'a file is read');
      await until(DRAWN, 'and drawn');
      await until(`${COLOURS} > 3`, 'still in colours');
      const regions = `document.querySelector('#tab-regions').ariaSelected === 'true'`;
      await until(regions, 'the tab of the regions', () => click('#tab-regions'));
      await type('.slider input[type=number]', '0\uE007');
      await until(
        `document.querySelector('.verdict dl div:nth-child(2) dd').textContent.includes('160')`,
        'regions follow',
      );
      await until(DRAWN, 'and are drawn');
      await picture('own-file');

      const opened = `document.querySelector('take-away dialog').open`;
      await until(opened, 'what can be taken away', () => click('key-bar .take'));
      await until(`document.querySelector('.copyable pre')?.textContent.startsWith('create')`, 'DDL');
      await picture('export');
      await value(`document.querySelector('take-away dialog').close()`);

      await value(`location.hash = '#gallery/f1-message-store-in-order'`);
      await until(`document.querySelector('.design.better canvas')`, 'an entry of the gallery');
      await until(`!document.querySelector('.design[aria-busy=true]')`, 'with its pictures');
      await picture('gallery');
      await value(`history.back()`);
      await until(`!document.querySelector('rowscape-page > main').hidden`, 'back on the bench');

      await value(`document.querySelectorAll('.theme input')[2].click()`);
      await until(`document.documentElement.dataset.theme === 'dark'`, 'dark');
      await value(`scrollTo(0, 0)`);
      await picture('dark');
      assert.deepEqual(await value('window.wrong'), [], 'nothing went wrong');
    } finally {
      await driver.close();
      await site.close();
      rmSync(folder, { recursive: true });
    }
  });
}
