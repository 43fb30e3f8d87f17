import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calls,
  choose,
  coloursDrawn,
  compareWith,
  contentOf,
  layoutOf,
  lies,
  ready,
  tab,
  withBrowser,
} from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** Where the plot lies on the page. @param {Page} page */
async function plotOf(page) {
  await lies(page, '.stage');
  const box = await page.locator('.stage').boundingBox();
  assert.ok(box);
  const { plot } = await layoutOf(page);
  return { x: box.x + plot.x, y: box.y + plot.y, width: plot.width, height: plot.height };
}

/** The colour at parts of the plot, from its lower left corner. @param {Page} page @param {[number, number][]} places */
async function coloursAt(page, places) {
  const plot = await plotOf(page);
  return page.evaluate(
    async ([box, at]) => {
      // The requested picture is drawn in the next frame.
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.stage canvas'));
      const { left, top } = canvas.getBoundingClientRect();
      const pen = canvas.getContext('2d');
      return at.map(([x, y]) => {
        const across = box.x - left + x * box.width;
        const down = box.y - top + (1 - y) * box.height;
        return String(pen?.getImageData(Math.round(across), Math.round(down), 1, 1).data.slice(0, 3));
      });
    },
    /** @type {const} */ ([plot, places]),
  );
}

/** Waits until the plot has one colour at these places. @param {Page} page @param {[number, number][]} places @param {string} colour */
async function allHave(page, places, colour) {
  let colours = await coloursAt(page, places);
  // On a busy machine the picture comes some frames later.
  for (let turn = 0; turn < 100 && colours.some((one) => one !== colour); turn++)
    colours = await coloursAt(page, places);
  assert.deepEqual(new Set(colours), new Set([colour]));
}

const onShow = (/** @type {Page} */ page) => page.textContent('.on-show');

test('the wheel zooms about the pointer and back, and then scrolls the page', async () => {
  const { page, close } = await open();
  const plot = await plotOf(page);
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + plot.height * 0.5);
  assert.equal(await page.locator('.on-show').count(), 0);
  await page.mouse.wheel(0, -400);
  await page.waitForSelector('.on-show');
  assert.match((await onShow(page)) ?? '', /Visible: regions \d+ to \d+, 2013-01-\d\d.* to 2013-01/);
  for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, 400);
  await page.waitForSelector('.on-show', { state: 'detached' });
  await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => scrollY > 0);
  await close();
});

test('a box that is drawn fills the plot', async () => {
  const { page, close } = await open();
  const plot = await plotOf(page);
  // The story rises from corner to corner: its middle, and what is beside it.
  const [middle, beside] = await coloursAt(page, [
    [0.5, 0.5],
    [0.1, 0.9],
  ]);
  assert.notEqual(middle, beside);
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    /** @type {const} */ ([plot.x + x * plot.width, plot.y + (1 - y) * plot.height]);
  await page.mouse.move(...at(0.02, 0.98));
  await page.mouse.down();
  await page.mouse.move(...at(0.2, 0.8), { steps: 5 });
  await page.mouse.up();
  await page.waitForSelector('.on-show');
  // The corner drawn around has no rows at all.
  const corners = /** @type {[number, number][]} */ ([
    [0.05, 0.05],
    [0.5, 0.45],
    [0.95, 0.9],
  ]);
  await allHave(page, corners, beside);
  await page.focus('.stage');
  await page.keyboard.press('Backspace');
  await page.waitForSelector('.on-show', { state: 'detached' });
  await allHave(page, [[0.1, 0.9]], beside);
  await close();
});

test('a box drawn along the time axis keeps all keys, and Escape gives it up', async () => {
  const { page, close } = await open();
  const plot = await plotOf(page);
  const y = plot.y + plot.height * 0.4;
  await page.mouse.move(plot.x + 10, y);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width / 2, y + 3, { steps: 4 });
  await page.focus('.stage');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  assert.equal(await page.locator('.on-show').count(), 0);
  await page.mouse.move(plot.x + 10, y);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width / 2, y + 3, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector('.on-show');
  const regions = Number(
    ((await page.locator('.verdict dl dd').nth(1).textContent()) ?? '').replaceAll(',', ''),
  );
  assert.match((await onShow(page)) ?? '', new RegExp(`regions 0 to ${regions - 1}, 2013-01-01`));
  await close();
});

test('plus, minus and R zoom, and the cell in focus stays on show', async () => {
  const { page, close } = await open();
  await lies(page, '.stage');
  await page.focus('.stage');
  for (let times = 0; times < 4; times++) await page.keyboard.press('+');
  await page.waitForSelector('.on-show');
  const before = await onShow(page);
  await page.keyboard.press('ArrowRight');
  const first = await page.textContent('.heat output[aria-live=polite].unseen');
  assert.match(first ?? '', /rows, [\d.]+% of this interval/);
  await page.keyboard.press('PageUp');
  await page.waitForFunction((text) => document.querySelector('.on-show')?.textContent !== text, before);
  await page.keyboard.press('-');
  await page.keyboard.press('r');
  await page.waitForSelector('.on-show', { state: 'detached' });
  await close();
});

test('looked at closely, moments become finer and no row is lost', async () => {
  const { page, close } = await open();
  const plot = await plotOf(page);
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + plot.height * 0.5);
  await page.mouse.wheel(0, -400);
  await page.mouse.wheel(0, -400);
  await page.waitForSelector('.on-show');
  // Two weeks in 250 moments are 81 minutes each; eight times finer it is ten.
  await page.waitForSelector('.on-show >> text=/intervals of (9\\.\\d|10) min/');
  await close();
});

test('two fingers pinch, one then moves the picture', async () => {
  const { page, close } = await open({ hasTouch: true, viewport: { width: 390, height: 800 } });
  await page.locator('.stage').scrollIntoViewIfNeeded();
  const plot = await plotOf(page);
  const client = await page.context().newCDPSession(page);
  const touch = (/** @type {string} */ type, /** @type {[number, number][]} */ ...places) =>
    client.send('Input.dispatchTouchEvent', {
      type: /** @type {'touchStart'} */ (type),
      touchPoints: places.map(([x, y], id) => ({
        x: plot.x + x * plot.width,
        y: plot.y + y * plot.height,
        id,
      })),
    });
  await touch('touchStart', [0.4, 0.5], [0.6, 0.5]);
  for (const step of [0.05, 0.1, 0.2, 0.3]) await touch('touchMove', [0.4 - step, 0.5], [0.6 + step, 0.5]);
  await touch('touchEnd');
  await page.waitForSelector('.on-show');
  const before = await onShow(page);
  await touch('touchStart', [0.7, 0.5]);
  for (const step of [0.1, 0.2, 0.4]) await touch('touchMove', [0.7 - step, 0.5]);
  await touch('touchEnd');
  await page.waitForFunction((text) => document.querySelector('.on-show')?.textContent !== text, before);
  await close();
});

test('the metric, the scale and the brightness change the colours and the words', async () => {
  const { page, close } = await open();
  const drawn = () => page.evaluate(() => document.querySelector('canvas')?.toDataURL());
  /** Waits until another picture is drawn. @param {() => Promise<unknown>} act */
  const redraws = async (act) => {
    const before = await drawn();
    await act();
    await page.waitForFunction((old) => document.querySelector('canvas')?.toDataURL() !== old, before);
  };
  await page.waitForSelector('.scale >> text=8×+');
  const even = await page.evaluate(async () => {
    const drawn = () => document.querySelector('canvas')?.toDataURL();
    // On a busy machine the last marks come some frames later.
    let [picture, since] = [drawn(), 0];
    while (since < 30) {
      await new Promise((frame) => requestAnimationFrame(frame));
      const now = drawn();
      [picture, since] = [now, now === picture ? since + 1 : 0];
    }
    return picture;
  });
  await page.getByText('View and save').click();
  const metric = page.getByLabel('Color shows');
  await redraws(() => metric.selectOption('rows'));
  const first = await drawn();
  await redraws(() => page.locator('.heat-tools label', { hasText: 'Linear' }).click());
  await redraws(() => page.locator('.heat-tools label', { hasText: 'Log' }).click());
  assert.equal(await drawn(), first);
  // The busiest cell has 109 rows: twice as bright, 55 rows and more have its colour.
  await redraws(() => page.getByRole('button', { name: 'More contrast' }).click());
  await page.waitForSelector('.scale >> text=/5[45]\\+/');
  await redraws(() => page.getByRole('button', { name: 'Less contrast' }).click());
  assert.equal(await drawn(), first);
  await metric.selectOption('bytes');
  await page.waitForSelector('.scale >> text=/KiB|MiB/');
  await page.focus('.stage');
  await page.keyboard.press('ArrowRight');
  assert.match((await page.textContent('.tooltip')) ?? '', /\d.(B|KiB), .*of this interval/);
  await metric.selectOption('share');
  await page.waitForSelector('.scale >> text=100%');
  await metric.selectOption('even');
  await page.waitForSelector('.scale >> text=8×+');
  await page.focus('.stage');
  await page.keyboard.press('Escape');
  await page.waitForFunction((old) => document.querySelector('canvas')?.toDataURL() === old, even);
  await close();
});

test('playback covers what comes later, can be scrubbed and ended', async () => {
  // Six times slower: on a busy machine it would be over before it is paused.
  const prepare = (/** @type {import('playwright-core').Page} */ fresh) =>
    fresh.addInitScript(() => {
      const { requestAnimationFrame: frame } = window;
      const now = performance.now.bind(performance);
      performance.now = () => now() / 6;
      window.requestAnimationFrame = (draw) => frame((time) => draw(time / 6));
    });
  const { page, close } = await open({ prepare });
  const places = /** @type {[number, number][]} */ ([
    [0.03, 0.03],
    [0.5, 0.53],
    [0.97, 0.97],
  ]);
  const all = await coloursAt(page, places);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForSelector('.player input');
  await page.waitForFunction(
    () => {
      const value = Number(/** @type {HTMLInputElement} */ (document.querySelector('.player input')).value);
      return value > 30 && value < 900;
    },
    undefined,
    { polling: 50 },
  );
  // The picture moves with it.
  const playing = () => page.evaluate(() => document.querySelector('canvas')?.toDataURL());
  const moved = await playing();
  await page.waitForFunction((old) => document.querySelector('canvas')?.toDataURL() !== old, moved);
  await page.getByRole('button', { name: 'Pause' }).click();
  const paused = await page.inputValue('.player input');
  await page.waitForTimeout(100);
  assert.equal(await page.inputValue('.player input'), paused);
  await page.locator('.player input').fill('700');
  const [early, middle, late] = await coloursAt(page, places);
  assert.deepEqual([early, middle], all.slice(0, 2));
  assert.notEqual(late, all[2]);
  assert.match((await page.textContent('.player output')) ?? '', /2013-01-1\d \d\d:\d\d/);
  await page.getByRole('button', { name: 'End playback' }).click();
  assert.deepEqual(await coloursAt(page, places), all);
  await close();
});

test('with less motion asked for, playback goes in few steps', async () => {
  const { page, close } = await open({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Play' }).click();
  const values = await page.evaluate(async () => {
    const seen = new Set();
    const end = performance.now() + 2500;
    while (performance.now() < end) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      seen.add(/** @type {HTMLInputElement | null} */ (document.querySelector('.player input'))?.value);
    }
    return [...seen];
  });
  assert.ok(values.length >= 2 && values.length <= 5, `${values.length} positions in 2.5 s`);
  await close();
});

test('a line of the pinned tooltip is copied by a click', async () => {
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  const plot = await plotOf(page);
  await page.mouse.click(plot.x + plot.width * 0.5, plot.y + plot.height * 0.5);
  await page.waitForSelector('.tooltip.pinned');
  const line = page.locator('.tooltip .line', { hasText: 'of this interval' });
  const text = await line.textContent();
  await line.click();
  await page.waitForSelector('.tooltip em >> text=Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await close();
});

test('regions without rows are hatched and counted, hot ones striped', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', `${calls(3000)}13412349999,2024-05-02 00:00:00,1\n`);
  await page.waitForSelector('.verdict dl >> text=3,001');
  await ready(page);
  await page.fill('.formula textarea', "phone + '_' + call_time.format('yyyyMMddHHmmss')");
  await tab(page, 'Regions and keys');
  await page.getByRole('combobox', { name: 'Regions' }).selectOption('DecimalStringSplit');
  await page.getByLabel('Number of regions', { exact: true }).fill('40');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=40');
  await page.waitForSelector('.swatch.dead');
  assert.match((await page.textContent('.heat figcaption')) ?? '', /regions without rows: \d+/);
  await close();
});

test('a million regions are drawn, folded, and said to be', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(4000));
  await page.waitForSelector('.verdict dl >> text=4,000');
  await ready(page);
  await tab(page, 'Regions and keys');
  await page.getByRole('combobox', { name: 'Regions' }).selectOption('UniformSplit');
  await page.getByLabel('Number of regions', { exact: true }).fill('1000000');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict dl >> text=1,000,000');
  await ready(page);
  assert.match((await page.textContent('.heat figcaption')) ?? '', /up to \d{3,} regions/);
  await page.focus('.stage');
  for (let times = 0; times < 6; times++) await page.keyboard.press('+');
  await page.waitForSelector('.on-show');
  await close();
});

test('the figure is saved as pictures and its numbers as text', async () => {
  const { page, close } = await open();
  const rows = Number(((await page.textContent('.verdict dd')) ?? '').replaceAll(',', ''));
  const taken = async (/** @type {string} */ name) => {
    await page.locator('.save').evaluate((menu) => {
      /** @type {HTMLDetailsElement} */ (menu).open = true;
    });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.save button', { hasText: name }).click(),
    ]);
    return contentOf(file);
  };
  const png = await taken('PNG');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const svg = String(await taken('SVG'));
  assert.equal(svg.match(/<svg/g)?.length, 1);
  assert.equal(svg.match(/<g /g)?.length, svg.match(/<\/g>/g)?.length);
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [parsed.querySelector('parsererror')?.textContent, parsed.querySelectorAll('text').length];
  }, svg);
  assert.equal(read[0], undefined);
  assert.ok(Number(read[1]) > 10);
  const lines = String(await taken('CSV'))
    .trim()
    .split('\r\n');
  const cells = lines.slice(1).map((line) => line.split(',').slice(4).map(Number));
  assert.equal(
    cells.flat().reduce((sum, cell) => sum + cell, 0),
    rows,
  );
  const json = JSON.parse(String(await taken('JSON')));
  assert.equal(json.lines.length, json.regionCount);
  assert.deepEqual(
    json.lines.map((/** @type {{ cells: number[] }} */ line) => line.cells),
    cells,
  );
  assert.equal(json.time.moments.length, cells[0].length);
  await close();
});

test('the report is a page of its own that needs nothing beside it', async () => {
  const { page, close } = await open();
  await page.waitForSelector('.finding');
  await page.locator('.save').evaluate((menu) => menu.toggleAttribute('open', true));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.click('.save >> text=Report (HTML)'),
  ]);
  assert.match(file.suggestedFilename(), /\.html$/);
  const text = String(await contentOf(file));
  assert.doesNotMatch(text, /<script|<link|\son\w+=|src="|href="(?!data:)/);
  const told = {
    verdict: await page.textContent('.verdict p'),
    finding: await page.locator('.finding summary span').nth(1).textContent(),
    key: '',
  };
  await tab(page, 'Regions and keys');
  told.key = (await page.locator('region-table tbody .key').first().textContent()) ?? '';
  /** @type {string[]} */
  const wrong = [];
  const report = await /** @type {import('playwright-core').Browser} */ (page.context().browser()).newPage();
  report.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  await report.setContent(text);
  const shown = await report.evaluate(() => ({
    text: document.body.textContent ?? '',
    drawn: document.querySelectorAll('svg image, svg rect').length,
    // Its own style is let in by its policy.
    border: getComputedStyle(/** @type {Element} */ (document.querySelector('.verdict'))).borderLeftStyle,
    over: document.documentElement.scrollWidth - innerWidth,
  }));
  for (const words of Object.values(told)) assert.ok(shown.text.includes(words?.trim() ?? '?'), words ?? '');
  assert.ok(shown.drawn > 100);
  assert.equal(shown.border, 'solid');
  assert.ok(shown.over <= 0);
  assert.deepEqual(wrong, []);
  await report.close();
  await close();
});

test('two designs are drawn side by side on one scale, with what changes', async () => {
  const { page, close } = await open();
  await compareWith(page, "carrier + '_' + departure.format('yyyyMMddHHmm')");
  const drawn = () =>
    page.locator('.maps canvas[data-map]').evaluateAll((all) =>
      all.map((one) => {
        const canvas = /** @type {HTMLCanvasElement} */ (one);
        const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
          0,
          0,
          canvas.width,
          canvas.height,
        );
        const seen = { warm: 0, cold: 0 };
        for (let at = 0; at < data.length; at += 4) {
          if (data[at] > data[at + 2] + 60) seen.warm++;
          if (data[at + 2] > data[at] + 60) seen.cold++;
        }
        return seen;
      }),
    );
  await page.waitForSelector('.maps canvas[data-map=change]');
  await page.waitForFunction(() => {
    const [one, other] = [...document.querySelectorAll('.maps canvas[data-map]')].map((canvas) =>
      /** @type {HTMLCanvasElement} */ (canvas).toDataURL(),
    );
    return one && one !== other;
  });
  const change = (await drawn())[2];
  assert.ok(change.warm > 20 && change.cold > 20, 'regions with more rows and regions with fewer');
  await page.focus('.side-by-side');
  await page.keyboard.press('ArrowUp');
  assert.match((await page.textContent('.maps output')) ?? '', /rows in “earlier key”, [\d,]+ in “now”/);
  await close();
});

test('an even table is pale and a hot region strong, in light and in dark', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const { page, close } = await open({ colorScheme });
    /** How far the colors of the cells with rows are from the page, from 0 to 255. */
    const strength = () =>
      page.evaluate(async () => {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.stage canvas'));
        const { plot } = /** @type {any} */ (document.querySelector('heat-map')).layout;
        const all = canvas.getContext('2d')?.getImageData(plot.x, plot.y, plot.width, plot.height).data ?? [];
        const dark = matchMedia('(prefers-color-scheme: dark)').matches;
        const far = [];
        for (let at = 0; at < all.length; at += 4 * 97) {
          const light = 0.21 * all[at] + 0.72 * all[at + 1] + 0.07 * all[at + 2];
          // Without rows a cell has the color of the page, and borders of regions are near it.
          const distance = dark ? light : 255 - light;
          if (distance > 30) far.push(distance);
        }
        return far.sort((a, b) => a - b)[far.length >> 1];
      });
    await coloursDrawn(page);
    const hot = await strength();
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.getByRole('button', { name: 'Compare with before' }).waitFor();
    await ready(page);
    const even = await strength();
    assert.ok(hot > 170 && even < 110, `${colorScheme}: hot ${hot}, even ${even}`);
    await close();
  }
});
