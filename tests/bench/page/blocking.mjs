// How long the page is deaf: the longest task of its main thread in what people do most.
//   node tests/bench/page/blocking.mjs     this alone, after npm run build
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { isProgram, program, ROOT } from '../../../scripts/run.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { longestTask, traced } from './trace.mjs';

/** Milliseconds of processor time that a task may take. */
export const MOST_TASK = 50;
/** Times each thing is done, in a fresh page: the least of the longest tasks counts, as in the other measurements. */
const ROUNDS = 3;

/** @typedef {import('playwright-core').Page} Page */

/** @param {number} rows */
function calls(rows) {
  const lines = ['phone,call_time,seconds'];
  for (let row = 0; row < rows; row++) {
    const time = new Date(Date.UTC(2024, 4, 1) + row * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    lines.push(`1341234${String((row * 7919) % 10_000).padStart(4, '0')},${time},${row % 900}`);
  }
  return `${lines.join('\n')}\n`;
}

/** @param {Page} page */
const drawn = async (page) => {
  await page.waitForSelector('.heat[aria-busy=false]');
};
/** Chooses a file by its path: handing bytes over would itself keep the page busy. @param {Page} page @param {number} rows */
async function choose(page, rows) {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-'));
  const path = join(folder, 'calls.csv');
  writeFileSync(path, calls(rows));
  await page.setInputFiles('input[type=file]', path);
  await page.waitForSelector(`.verdict dl >> text=${rows.toLocaleString('en')}`);
  await drawn(page);
  rmSync(folder, { recursive: true });
}
/** @param {Page} page @param {string} name */
const tab = (page, name) => page.getByRole('tab', { name }).click();

/**
 * Actions before and during the measurement.
 * @type {Record<string, { before?: (page: Page) => Promise<unknown>, during: (page: Page) => Promise<unknown> }>}
 */
const DONE = {
  'a file of 150,000 rows is read, its regions changed': {
    async during(page) {
      await choose(page, 150_000);
      await tab(page, 'Regions and keys');
      await page.waitForSelector('.list li .bytes');
      for (const regions of [20, 90, 200, 256])
        await page.locator('.slider input[type=range]').fill(String(regions));
      await drawn(page);
    },
  },
  'a formula is typed': {
    async before(page) {
      await choose(page, 20_000);
      await tab(page, 'Regions and keys');
      await page.waitForSelector('.list li .bytes');
    },
    async during(page) {
      await page.focus('.formula textarea');
      await page.keyboard.press('Control+a');
      await page.keyboard.type("phone.md5().hex(4) + '_' + phone", { delay: 30 });
      await page.waitForSelector('.list li .bytes:has-text("_1341234")');
      await drawn(page);
    },
  },
  'the heatmap is zoomed and played': {
    async before(page) {
      await choose(page, 20_000);
      await tab(page, 'Regions and keys');
      await page.getByLabel('Number of regions', { exact: true }).fill('512');
      await page.keyboard.press('Tab');
      await page.waitForSelector('.verdict dl >> text=512');
      await drawn(page);
      await page.focus('.stage');
    },
    async during(page) {
      for (const key of ['+', '+', '+', 'ArrowUp', '+', '-', '-', '+', 'r']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(250);
      }
      await page.keyboard.press(' ');
      await page.waitForTimeout(800);
    },
  },
  'a query is typed, tabs are changed': {
    async before(page) {
      await page.selectOption('.example select', 'call-records');
      await drawn(page);
    },
    async during(page) {
      await tab(page, 'Queries');
      await page.getByRole('button', { name: 'Add a query' }).click();
      await page.waitForSelector('.plan .sentence');
      await page.getByLabel('Value of phone').pressSequentially('134', { delay: 60 });
      for (const name of ['Storage', 'Servers', 'Regions', 'Queries']) {
        await tab(page, name);
        await page.waitForSelector(
          { Queries: '.query .answer', Regions: '.list li .bytes' }[name] ?? '.review .sentence',
        );
      }
    },
  },
};

/** The longest task of each thing that is done, in milliseconds. @returns {Promise<Record<string, number>>} */
export async function blockingTasks() {
  const site = await serve({ root: `${ROOT}/dist/site` });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  /** @type {Record<string, number>} */
  const longest = {};
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [what, { before, during }] of Object.entries(DONE)) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
        await page.goto(site.url);
        await page.click('.entry-open');
        await drawn(page);
        await before?.(page);
        const events = await traced(page, () => during(page));
        longest[what] = Math.min(longest[what] ?? Number.POSITIVE_INFINITY, longestTask(events));
        await page.close();
      }
    }
    return longest;
  } finally {
    await browser.close();
    await site.close();
  }
}

/** @param {Record<string, number>} longest */
export const blockingLine = (longest) =>
  `Longest task of the page, ms, while ${Object.entries(longest)
    .map(([what, took]) => `${what} ${took.toFixed(1)}`)
    .join('; ')}`;

async function main() {
  const longest = await blockingTasks();
  console.log(blockingLine(longest));
  if (Math.max(...Object.values(longest)) > MOST_TASK) process.exitCode = 1;
}

if (isProgram(import.meta.url)) program(main);
