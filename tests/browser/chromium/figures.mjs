// Pages with figures in them, under a strict Content Security Policy.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { serve } from '../../../scripts/build/serve.mjs';
import { ROOT } from '../../../scripts/run.mjs';
import { openBrowser } from '../../../scripts/setup/chromium.mjs';
import { DESIGN, RECORDS } from './orders.mjs';

export const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'";

/** Serves a folder with the element and opens pages in it. */
export function withFigures() {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let host;
  /** @type {string} */
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rowscape-figures-'));
    cpSync(join(ROOT, 'dist', 'npm'), join(folder, 'npm'), { recursive: true });
    writeFileSync(join(folder, 'design.json'), JSON.stringify(DESIGN));
    writeFileSync(join(folder, 'orders.csv'), RECORDS);
    browser = await openBrowser();
    host = await serve({ root: folder, base: '/docs/' });
  });
  after(async () => {
    await browser?.close();
    await host?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  let pages = 0;
  return {
    /** @param {string} name @param {string} content */
    file: (name, content) => writeFileSync(join(folder, name), content),
    /**
     * Opens a page with this body.
     * @param {string} body
     * @param {{ policy?: string, script?: string, styles?: string, options?: import('playwright-core').BrowserContextOptions }} [how]
     */
    async open(body, { policy = STRICT, script = 'npm/element.js', styles = '', options = {} } = {}) {
      const name = `page-${pages++}`;
      writeFileSync(join(folder, `${name}.css`), styles);
      writeFileSync(
        join(folder, `${name}.html`),
        `<!doctype html><meta charset="utf-8"><title>Figures</title><link rel="icon" href="data:,"><meta http-equiv="Content-Security-Policy" content="${policy}">
        <link rel="stylesheet" href="${name}.css"><script ${script.includes('standalone') ? '' : 'type="module"'} src="${script}"></script>${body}`,
      );
      const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, ...options });
      page.setDefaultTimeout(30_000);
      /** @type {string[]} */
      const errors = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.goto(`${host.url}${name}.html`);
      return {
        page,
        errors,
        async close() {
          await page.close();
          assert.deepEqual(errors, []);
        },
      };
    },
  };
}

/** Waits until the first so many figures are drawn. @param {import('playwright-core').Page} page @param {number} [number] */
export async function drawn(page, number = 1) {
  await page.waitForFunction((wanted) => {
    const first = [...document.querySelectorAll('rowscape-figure')].slice(0, wanted);
    return first.length === wanted && first.every((figure) => /** @type {any} */ (figure).drawn);
  }, number);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Different colours in the middle of a heatmap. @param {import('playwright-core').Page} page @param {number} [index] */
export function coloursOf(page, index = 0) {
  return page.evaluate((at) => {
    const figure = document.querySelectorAll('rowscape-figure')[at];
    const canvas = /** @type {HTMLCanvasElement} */ (figure?.shadowRoot?.querySelector('.stage canvas'));
    const { width, height } = canvas;
    const image =
      canvas.getContext('2d')?.getImageData(width * 0.3, height * 0.2, width * 0.4, height * 0.4).data ?? [];
    const colours = new Set();
    for (let i = 0; i < image.length; i += 4) colours.add(`${image[i]} ${image[i + 1]} ${image[i + 2]}`);
    return colours.size;
  }, index);
}

/** The text of a figure. @param {import('playwright-core').Page} page @param {number} [index] */
export function textOf(page, index = 0) {
  return page.locator('rowscape-figure').nth(index).locator('.figure').innerText();
}
