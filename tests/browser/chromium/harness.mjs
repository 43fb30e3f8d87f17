// Serves the built page and opens it in Chromium.
import { after, before } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { serve } from '../../../scripts/build/serve.mjs';
import { openBrowser } from '../../../scripts/setup/chromium.mjs';

/** @import { Page } from 'playwright-core' */

/** The built page. */
export const SITE = new URL('../../../dist/site/', import.meta.url);

/**
 * Starts a browser and a server for the tests of a file.
 * @param {URL | string} [root] the page, by default the built one
 * @returns what each test opens its pages with
 */
export function withBrowser(root = SITE) {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {{ url: string, close: () => Promise<void> }} */
  let site;
  before(async () => {
    browser = await openBrowser();
    // The page in one file is judged by the same tests: ROWSCAPE_PAGE is then its address.
    const address = process.env.ROWSCAPE_PAGE;
    site = address ? { url: address, close: async () => {} } : await serve({ root, base: '/some/where/' });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  return {
    /** The address of the page. */
    address: () => site.url,
    /**
     * Opens the page and the example that it offers, and waits until that is drawn. Anything the page logs as an error fails the test, and so does any
     * request to somewhere else.
     * @param {import('playwright-core').BrowserContextOptions & { prepare?: (page: import('playwright-core').Page) => Promise<unknown>, expectErrors?: boolean, drawn?: boolean, opened?: boolean, query?: string }} [options] opened: false stays where the page asks what to open
     */
    async open({ prepare, expectErrors = false, drawn = true, opened = true, query = '', ...options } = {}) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
      // On a busy machine what comes is waited for.
      page.setDefaultTimeout(60_000);
      /** @type {string[]} */
      const errors = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      /** @type {string[]} */
      const elsewhere = [];
      const own = [site.url, 'blob:', 'data:'];
      page.on('request', (request) => {
        const address = request.url();
        if (!own.some((start) => address.startsWith(start))) elsewhere.push(address);
      });
      await prepare?.(page);
      await page.goto(site.url + query);
      if (opened && drawn) await openOffered(page);
      if (drawn) await (opened ? ready(page) : page.waitForSelector('.is-entry .verdict .actions'));
      return {
        page,
        async close() {
          await page.close();
          if (elsewhere.length) throw new Error(`the page asked elsewhere: ${elsewhere.join('\n')}`);
          if (!expectErrors && errors.length) throw new Error(`the page logged: ${errors.join('\n')}`);
        },
      };
    },
  };
}

/** Opens the example beside the first question, if the page asks it. @param {import('playwright-core').Page} page */
export async function openOffered(page) {
  await page.waitForSelector('.entry-open, main:not(.is-first) data-line', { state: 'attached' });
  const open = page.locator('.entry-open');
  if (await open.count()) await open.click();
}

/** Waits until nothing is being read, sorted or counted. @param {import('playwright-core').Page} page */
export async function ready(page) {
  // Other tabs than the first three don't show the heatmap.
  await page.waitForSelector('.heat[aria-busy=false]', { state: 'attached' });
  await page.waitForFunction(
    () => !document.querySelector('key-list .list') || document.querySelector('.list li .bytes'),
  );
  await page.waitForSelector('findings-panel .is-waiting', { state: 'detached' });
  // The table of the regions follows the picture.
  await page.evaluate(() => {
    const table = /** @type {import('lit').LitElement | null} */ (document.querySelector('region-table'));
    return table?.updateComplete;
  });
}

/**
 * Chooses a file as the file picker would.
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {string | Buffer} content
 */
export function choose(page, name, content) {
  return page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/**
 * Violations that axe reports.
 * @param {import('playwright-core').Page} page
 * @param {string} [part] of the page
 */
export async function violations(page, part = 'html') {
  const axe = new AxeBuilder({ page: /** @type {any} */ (page) }).setLegacyMode().include(part);
  // Skip the description of passes: it takes as long as the check.
  axe.options({ resultTypes: ['violations'] });
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** The bytes of a download, also of a browser that is driven from afar. @param {import('playwright-core').Download} download */
export async function contentOf(download) {
  return Buffer.concat(await (await download.createReadStream()).toArray());
}

/** Where the parts of the figure lie, once it is drawn. @param {import('playwright-core').Page} page */
export function layoutOf(page) {
  return page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return /** @type {import('../../../www/elements/map/heat-map.js').HeatMap} */ (
      document.querySelector('heat-map')
    ).layout;
  });
}

/** Different colours inside the plot. @param {import('playwright-core').Page} page */
export function coloursDrawn(page) {
  return page.evaluate(async () => {
    const colours = new Set();
    // On a busy machine the figure is drawn some frames later.
    for (let frame = 0; frame < 120 && colours.size < 2; frame++) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.stage canvas'));
      const { width, height } = canvas;
      const [left, top] = [width * 0.3, height * 0.2];
      const image = canvas.getContext('2d')?.getImageData(left, top, width * 0.4, height * 0.4).data ?? [];
      for (let at = 0; at < image.length; at += 4)
        colours.add(`${image[at]} ${image[at + 1]} ${image[at + 2]}`);
    }
    return colours.size;
  });
}

/**
 * A CSV of calls: phone, call_time, seconds.
 * @param {number} rows
 */
export function calls(rows) {
  const lines = ['phone,call_time,seconds'];
  for (let row = 0; row < rows; row++) {
    const time = new Date(Date.UTC(2024, 4, 1) + row * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    lines.push(`1341234${String((row * 7919) % 10_000).padStart(4, '0')},${time},${row % 900}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Opens what is told of the records below their line.
 * @param {Page} page
 * @param {string} what `source`, `issues`, `all` fields, or the name of one
 */
export async function about(page, what) {
  const isField = !['source', 'issues', 'all'].includes(what);
  const chip = page.locator(`data-line .chip.${isField ? 'field' : what}`, isField ? { hasText: what } : {});
  await page.waitForSelector('.data[aria-busy=false]');
  await chip.first().click();
  await page.waitForSelector('data-about:popover-open');
}

/** Opens a tab of the review. @param {Page} page @param {string} name */
export const tab = (page, name) => page.getByRole('tab', { name }).click();

/** Opens a tab of what can be taken away. @param {Page} page @param {string} [name] */
export async function take(page, name = 'Create command') {
  await page.locator('key-bar .take').click();
  await tab(page, name);
}

/** Opens the view of a live table. @param {Page} page */
export const liveTable = (page) => page.getByRole('link', { name: 'Live table' }).click();

/** Pins the key on show and compares it with another. @param {Page} page @param {string | ((before: string) => string)} rowkey */
export async function compareWith(page, rowkey) {
  const formula = page.locator('.formula textarea');
  await page.getByRole('button', { name: 'Pin this key' }).click();
  const other = typeof rowkey === 'string' ? rowkey : rowkey(await formula.inputValue());
  await formula.fill(other);
  // The design has the formula only after a pause in typing and a check.
  await page.waitForFunction((taken) => document.querySelector('key-bar .key')?.textContent === taken, other);
  await page.getByRole('button', { name: 'Compare with your key' }).click();
}

/**
 * Waits for a text that an element is to have.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} text
 */
export function shows(page, selector, text) {
  return page.waitForFunction(
    ([of, pattern]) => new RegExp(pattern, 's').test(document.querySelector(of)?.textContent ?? ''),
    [selector, text.source],
  );
}

/**
 * Waits for a value that a control is to have.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} value
 */
export function holds(page, selector, value) {
  return page.waitForFunction(
    ([of, pattern]) => {
      const control = /** @type {HTMLInputElement | null} */ (document.querySelector(of));
      return new RegExp(pattern, 's').test(control?.value ?? '');
    },
    [selector, value.source],
  );
}

/**
 * Opens a page anew with another document. A page that is left keeps its own: what is put in its place meanwhile could be lost.
 * @param {Page} page
 * @param {object} design
 * @param {string | null} [example] that it is of
 */
export async function reopen(page, design, example = null) {
  const kept = JSON.stringify({ text: JSON.stringify(design), example });
  // Once: later reloads find what the page has kept itself.
  await page.addInitScript((text) => {
    if (sessionStorage.getItem('reopened')) return;
    sessionStorage.setItem('reopened', 'yes');
    localStorage.setItem('rowscape.document.v1', text);
  }, kept);
  await page.reload();
}

/** Waits until an element lies where it will stay: what is above it may still be on its way. @param {Page} page @param {string} selector */
export function lies(page, selector) {
  return page.waitForFunction(
    (of) =>
      new Promise((settled) => {
        let [before, alike] = ['', 0];
        const look = () => {
          const { x, y, width, height } = document.querySelector(of)?.getBoundingClientRect() ?? {};
          const now = String([x, y, width, height]);
          alike = now === before ? alike + 1 : 0;
          before = now;
          if (alike > 5) settled(true);
          else requestAnimationFrame(look);
        };
        look();
      }),
    selector,
  );
}

/**
 * Gives a page 5,000 calls with a key of phone and time.
 * @param {Page} page
 * @param {string[]} points split points
 */
export async function keyCallsByPhone(page, points) {
  await choose(page, 'calls.csv', calls(5000));
  await page.waitForSelector('.verdict dl >> text=5,000');
  await ready(page);
  await page.fill('.formula textarea', "phone + '_' + call_time.format('yyyyMMddHHmmss')");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes >> text=13412340000_2024');
  await page.getByRole('combobox', { name: 'Regions' }).selectOption('points');
  await page.fill('.points textarea', points.join('\n'));
  await page.keyboard.press('Tab');
  await page.waitForSelector(`.verdict dl div:nth-child(2) dd >> text=${points.length + 1}`);
  await tab(page, 'Writes');
  await ready(page);
}
