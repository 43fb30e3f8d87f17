// Records of a person's own: the row key that the page makes of the columns is a first guess, and no verdict is passed on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, violations, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** Readings of a grid, each hour of each cell once: only the decimal places and the hour together tell them apart. */
function grid() {
  let seed = 7;
  const chance = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const lines = ['lat,lon,hour,rain'];
  for (let row = 0; row < 6000; row++) {
    const [cell, hour] = [row % 200, Math.floor(row / 200)];
    const at = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');
    const [lat, lon] = [47 + (cell % 20) * 0.25, 8 + Math.floor(cell / 20) * 0.25];
    lines.push(`${lat.toFixed(2)},${lon.toFixed(2)},${at},${Math.floor(chance() * 60) / 10}`);
  }
  return `${lines.join('\n')}\n`;
}

test('the key that the page makes is no verdict, and the best key for the questions takes its place', async () => {
  const { page, close } = await open({ viewport: { width: 1280, height: 800 } });
  const lines = Array.from({ length: 3000 }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 30_000).toISOString().slice(0, 19).replace('T', ' ');
    return `web-${String((row * 7) % 40).padStart(3, '0')},${at},${row}`;
  });
  await choose(page, 'logs.csv', `host,at,seq\n${lines.join('\n')}\n`);
  await page.waitForSelector('.verdict dl >> text=3,000');
  await ready(page);
  const verdict = page.locator('.verdict');
  await verdict.getByText('A first guess at the row key').waitFor();
  assert.equal(await page.locator('.verdict.bad, .verdict.warning, .verdict.good').count(), 0);
  assert.equal(await verdict.getByRole('button', { name: 'Apply fix' }).count(), 0);
  await page.getByRole('button', { name: 'One host, a time range' }).click();
  const use = verdict.getByRole('button', { name: 'Use this key' });
  await use.waitFor();
  const box = await use.boundingBox();
  assert.ok(box && box.y + box.height <= 800, 'in the first window');
  assert.deepEqual(await violations(page, 'verdict-line'), []);
  const wanted = await verdict.locator('code').first().textContent();
  await use.click();
  await page.waitForSelector('.verdict:not(.is-guess)');
  assert.equal(await page.inputValue('.formula textarea'), wanted);
  await close();
});

test('fields that look measured are confirmed as identity with one click', async () => {
  const { page, close } = await open({ viewport: { width: 1280, height: 800 } });
  await choose(page, 'grid.csv', grid());
  await page.waitForSelector('.verdict dl >> text=6,000');
  await ready(page);
  await page.getByRole('button', { name: 'Rows of a time range' }).click();
  const ask = page.locator('.shortlist .note', {
    has: page.getByRole('button', { name: 'Confirm identity' }),
  });
  await ask.waitFor();
  assert.match((await ask.textContent()) ?? '', /lat.*lon|lon.*lat/);
  await ask.getByRole('button').click();
  await ask.waitFor({ state: 'detached' });
  await page.waitForSelector('.shortlist[aria-busy=false] tr.is-chosen');
  assert.match((await page.textContent('.shortlist tr.is-chosen .rowkeys')) ?? '', /lat/);
  await close();
});
