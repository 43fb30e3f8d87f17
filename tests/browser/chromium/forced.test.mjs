// The heatmap in a person's own colours, without motion, and by keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloursDrawn, layoutOf, ready, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { open } = withBrowser();

/** Relative luminance, as WCAG has it. @param {number[]} colour */
const luminance = (colour) =>
  colour
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);

/** @param {number[]} one @param {number[]} other */
const contrast = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

/** The greatest contrast to what is behind the figure that each part of it has. @param {Page} page */
async function contrasts(page) {
  const { plot, keys, byTime, byRegion, axisY } = await layoutOf(page);
  /** @type {Record<string, number[]>} */
  const parts = {
    keys: [0, plot.y, keys - 16, plot.height],
    moments: [plot.x, axisY + 8, plot.width, 14],
    caption: [byTime.x, 0, 200, 13],
    'bars over time': [byTime.x, byTime.y, byTime.width, byTime.height],
    'bars by region': [byRegion.x, byRegion.y, byRegion.width, byRegion.height],
  };
  const look = (/** @type {typeof parts} */ all) =>
    page.evaluate(async (boxes) => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.stage canvas'));
      const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      const behind = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
      const colours = Object.entries(boxes).map(([name, [x, y, wide, high]]) => {
        const { data } = pen.getImageData(x, y, wide, high);
        /** @type {Set<string>} */
        const found = new Set();
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join());
        return /** @type {const} */ ([name, [...found]]);
      });
      return { behind, colours };
    }, all);
  let seen = await look(parts);
  // The labels of keys are drawn once the keys are there.
  for (let tries = 0; tries < 50 && seen.colours.some(([, found]) => !found.length); tries++) {
    await page.waitForTimeout(100);
    seen = await look(parts);
  }
  return Object.fromEntries(
    seen.colours.map(([name, found]) => [
      name,
      Math.max(...found.map((text) => contrast(text.split(',').map(Number), seen.behind))),
    ]),
  );
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`in ${colorScheme} forced colours all that is drawn is read, and the heat keeps its scale`, async () => {
    const { page, close } = await open({ forcedColors: 'active', colorScheme });
    const found = await contrasts(page);
    for (const [part, most] of Object.entries(found))
      assert.ok(most >= (part.startsWith('bars') ? 3 : 7), `${part}: ${most.toFixed(1)}`);
    assert.ok((await coloursDrawn(page)) > 8);
    const text = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(
        /** @type {Element} */ (document.querySelector('.heat figcaption')),
      );
      const canvas = getComputedStyle(document.body).backgroundColor;
      return { color, backgroundColor, canvas };
    });
    assert.notEqual(text.color, text.canvas);
    await close();
  });
}

test('forced colours that are switched on while the page is open are taken', async () => {
  const { page, close } = await open();
  const before = await page.evaluate(() => document.querySelector('canvas')?.toDataURL());
  await page.emulateMedia({ forcedColors: 'active' });
  await page.waitForFunction((old) => document.querySelector('canvas')?.toDataURL() !== old, before);
  const found = await contrasts(page);
  assert.ok(found.keys >= 7 && found.moments >= 7);
  await close();
});

test('with less motion asked for nothing of the figure moves by itself', async () => {
  const { page, close } = await open({ reducedMotion: 'reduce' });
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('.heat, .heat *')].flatMap((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one);
      return transitionDuration === '0s' && animationName === 'none' ? [] : [one.className];
    }),
  );
  assert.deepEqual(moving, []);
  await close();
});

test('by keyboard alone a cell is found, looked into, read out and let go', async () => {
  const { page, close } = await open({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.focus('.save summary');
  for (let times = 0; times < 20; times++) {
    if (await page.evaluate(() => document.activeElement?.matches('.stage'))) break;
    await page.keyboard.press('Tab');
  }
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.stage')), 'Tab comes to the figure');
  const outline = await page.locator('.stage').evaluate((stage) => getComputedStyle(stage).outlineStyle);
  assert.notEqual(outline, 'none');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');

  await page.waitForFunction(() =>
    /Region 0,/.test(document.querySelector('.heat output.unseen')?.textContent ?? ''),
  );
  for (let times = 0; times < 5; times++) await page.keyboard.press('+');
  await page.waitForFunction(() =>
    /Region 0, part \d+ of \d+/.test(document.querySelector('.heat output.unseen')?.textContent ?? ''),
  );
  await page.keyboard.press('Escape');
  await page.waitForSelector('.tooltip', { state: 'detached' });
  await page.keyboard.press('Backspace');
  await page.waitForSelector('.on-show', { state: 'detached' });
  await ready(page);
  await close();
});
