// Takes pictures of the page, to be looked at, and tiles them: node tests/browser/chromium/shots.mjs [folder, by default .cache/shots] [scene…]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { openOffered, ready, SITE } from './harness.mjs';
import { PARTS, SCENES } from './scenes.mjs';

const [folder = join('.cache', 'shots'), ...wanted] = process.argv.slice(2);
/** WIDTHS=360,1280 takes these only. */
const WIDTHS = (process.env.WIDTHS ?? '360,1280').split(',').map(Number);
/** LANGUAGE=ko says everything in Korean; scenes that look for English words fail then. */
const LANGUAGE = process.env.LANGUAGE ?? 'en';
const SCHEMES = /** @type {const} */ (['light', 'dark']);
/** Pictures side by side on a sheet, and how wide and at most how high each is there. */
const TILES = { wide: 4, tall: 8 };
/** Overlays are captured where they are. */
const OVER = /^(help|menu|tour|dragging|document|records-|data-|entry-|export|migrate)/;
/** Scenes before anything was opened. */
const ENTRY = /^entry/;

/** @param {number} width @param {typeof SCHEMES[number]} colorScheme @param {string} name */
const fileOf = (width, colorScheme, name) => join(folder, `${name}-${width}-${colorScheme}.png`);

/** Where a part lies on the page. @param {import('playwright-core').Page} page @param {string} part */
const boxOf = (page, part) =>
  page.locator(part).evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  });

/** Makes what is looked through as high as the page: a picture of more than that is one without touch. @param {import('playwright-core').Page} page */
async function unroll(page) {
  const height = await page.evaluate(() => {
    for (const element of document.querySelectorAll('.stage, .picture > .status')) {
      const { height } = element.getBoundingClientRect();
      /** @type {HTMLElement} */ (element).style.setProperty('height', `${height}px`);
      /** @type {HTMLElement} */ (element).style.setProperty('min-height', '0');
    }
    return document.documentElement.scrollHeight;
  });
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 360, height });
  await page.waitForTimeout(500);
}

/** Tiles pictures into one. @param {import('playwright-core').Browser} browser @param {string} to @param {string[]} files @param {number} width */
async function tile(browser, to, files, width) {
  const across = width < 600 ? TILES.tall : TILES.wide;
  const each = width < 600 ? 240 : 480;
  const page = await browser.newPage({ viewport: { width: across * (each + 12) + 12, height: 900 } });
  const pictures = files.map((file) => ({ name: file, data: readFileSync(file).toString('base64') }));
  await page.setContent(
    `<style>body{margin:0;padding:12px;display:flex;flex-wrap:wrap;gap:12px;background:#888;font:11px sans-serif}
    figure{margin:0;width:${each}px}img{width:100%;display:block;max-height:${each * 2.2}px;object-fit:cover;object-position:top}</style>
    ${pictures.map(({ name, data }) => `<figure>${name.split('/').at(-1)}<img src="data:image/png;base64,${data}"></figure>`).join('')}`,
  );
  writeFileSync(to, await page.screenshot({ fullPage: true }));
  await page.close();
}

mkdirSync(folder, { recursive: true });
const site = await serve({ root: SITE });
const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
const names = Object.keys(SCENES).filter((name) => !wanted.length || wanted.includes(name));
for (const width of WIDTHS) {
  for (const colorScheme of SCHEMES) {
    for (const name of names) {
      const viewport = { width, height: width > 1900 ? 1440 : 800 };
      const page = await browser.newPage({ viewport, colorScheme, hasTouch: width < 600 });
      await page.addInitScript(
        (language) => localStorage.setItem('rowscape.language.v1', language),
        LANGUAGE,
      );
      page.setDefaultTimeout(20_000);
      try {
        await page.goto(site.url);
        if (!ENTRY.test(name)) await openOffered(page).then(() => ready(page));
        await SCENES[name](page);
      } catch (error) {
        console.log(`${name}, ${width}, ${colorScheme}: ${error}`);
      }
      await page.waitForTimeout(300);
      const path = fileOf(width, colorScheme, name);
      const over = OVER.test(name);
      if (width < 600 && !over) await unroll(page);
      // Capture the whole page, because the figure is as high as its scrolled content.
      const clip = PARTS[name] && (await boxOf(page, PARTS[name]));
      await page.screenshot({ path, fullPage: !over, ...(clip && { clip }) });
      await page.close();
    }
    const across = width < 600 ? TILES.tall * 2 : TILES.wide * 3;
    for (let from = 0; from < names.length; from += across) {
      const files = names.slice(from, from + across).map((name) => fileOf(width, colorScheme, name));
      await tile(
        browser,
        join(folder, `sheet-${width}-${colorScheme}-${1 + from / across}.png`),
        files,
        width,
      );
    }
  }
}
await browser.close();
await site.close();
console.log(`Pictures are in ${folder}.`);
