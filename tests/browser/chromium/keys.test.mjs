// The section of suggested row keys: from records and queries to a key that is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, ready, violations, withBrowser } from './harness.mjs';

/** @import { Page } from 'playwright-core' */

const { open } = withBrowser();

const QUERIES = [
  {
    name: 'ten minutes',
    rate: 50,
    where: { at: { from: '2026-01-01 00:20:00', to: '2026-01-01 00:30:00' } },
  },
  {
    name: 'a host',
    rate: 5,
    where: { host: 'web-03', at: { from: '2026-01-01 00:20:00', to: '2026-01-01 00:40:00' } },
  },
];

/** A CSV of log lines: at, host, seq. @param {number} rows */
function logs(rows) {
  const lines = Array.from({ length: rows }, (_, row) => {
    const at = new Date(Date.UTC(2026, 0, 1) + row * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `${at},web-${String((row * 7919) % 40).padStart(2, '0')},${row}`;
  });
  return `at,host,seq\n${lines.join('\n')}\n`;
}

/** Edits the document as its dialog does. @param {Page} page @param {object} members */
async function edit(page, members) {
  await page.click('design-dialog button');
  const text = page.locator('design-dialog textarea');
  await text.fill(JSON.stringify({ ...JSON.parse(await text.inputValue()), ...members }));
  await page.click('design-dialog button.main');
}

/** Opens a file of log lines. @param {Page} page @param {number} [rows] */
async function openLogs(page, rows = 2000) {
  await choose(page, 'logs.csv', logs(rows));
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('host'));
  await ready(page);
}

/** Opens log lines with two queries and waits for keys. @param {Page} page */
async function suggested(page) {
  await openLogs(page);
  await edit(page, { servers: 4, queries: QUERIES });
  await found(page);
}

/** @param {Page} page */
const found = (page) => page.waitForSelector('.shortlist[aria-busy=false] tbody input', { timeout: 120_000 });

/** @param {Page} page */
const formula = (page) => page.inputValue('formula-text textarea');

/** Notes what moves without a person's doing. @param {Page} page */
const watchShifts = (page) =>
  page.evaluate(() => {
    const { shifts } = Object.assign(globalThis, { shifts: /** @type {unknown[]} */ ([]) });
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of /** @type {any[]} */ (list.getEntries()))
        if (!hadRecentInput)
          shifts.push([
            value,
            ...sources.map((/** @type {any} */ { node }) => node?.className || node?.localName),
          ]);
    }).observe({ type: 'layout-shift' });
  });
/** All that moved, with how far. @param {Page} page @returns {Promise<[number, ...string[]][]>} */
const shifts = (page) => page.evaluate('shifts');

test('without queries the section offers a search, and asks for a question', async () => {
  const { page, close } = await open();
  await page.waitForSelector('.shortlist button');
  await openLogs(page);
  await page.click('.shortlist button');
  await found(page);
  assert.match((await page.textContent('.shortlist')) ?? '', /Writes only\. Add a query/);
  assert.deepEqual(await page.locator('.shortlist [role=columnheader]').allTextContents(), [
    'Row key',
    'Servers sharing writes',
    'Bytes per row',
    'Comparison',
  ]);
  await close();
});

test('keys are suggested for a file with two queries, beside its own', async () => {
  const { page, close } = await open();
  await suggested(page);
  const heads = await page.locator('.shortlist [role=columnheader]').allTextContents();
  assert.deepEqual(heads.slice(3), ['ten minutes', 'a host', 'Comparison']);
  assert.equal(await page.textContent('.shortlist tr.is-own .rowkeys'), await formula(page));
  assert.match((await page.textContent('.shortlist tr.is-own .tag')) ?? '', /your key/);
  // The key that a file begins with has a hash of the host in front.
  assert.match((await page.textContent('.shortlist tr.is-own td:nth-child(4)')) ?? '', /FULL\s+2,000 rows/);
  assert.match(
    (await page.textContent('.shortlist tr.is-chosen td:nth-child(4)')) ?? '',
    /\d scans?\s+\d+ rows/,
  );
  assert.ok((await page.locator('.shortlist tr.is-chosen mark[class^=part-]').count()) > 1);
  assert.deepEqual(await violations(page, 'key-shortlist'), []);
  await page.click('.shortlist summary >> nth=0');
  await page.click('.shortlist summary >> nth=1');
  await page.waitForSelector('.shortlist table.sides tbody tr');
  assert.deepEqual(await violations(page, 'key-shortlist'), []);
  await close();
});

test('a key is used in one step, which Undo takes back', async () => {
  const { page, close } = await open();
  await suggested(page);
  const before = await formula(page);
  const chosen = await page.textContent('.shortlist tr.is-chosen .rowkeys');
  await page.click('.shortlist button.main');
  await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, chosen);
  await page.waitForSelector('.verdict button >> text=Undo');
  assert.match((await page.textContent('.shortlist .actions')) ?? '', /This is your key/);
  assert.equal(await page.textContent('.shortlist tr.is-own .rowkeys'), chosen);
  // The list stays: it has the key already.
  await page.waitForTimeout(1500);
  assert.equal(await page.getAttribute('.shortlist', 'aria-busy'), 'false');
  await page.click('.verdict button >> text=Undo');
  await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, before);
  assert.equal(await page.textContent('.shortlist tr.is-own .rowkeys'), before);
  await close();
});

test('two pinned keys are compared, the questions first', async () => {
  const { page, close } = await open();
  await suggested(page);
  const pins = page.locator('.shortlist .pin');
  await pins.nth(0).click();
  await page.getByText('Pin another key to compare.').waitFor();
  await pins.nth(1).click();
  await page.waitForSelector('.compare table.sides');
  const sides = (await page.locator('.compare table.sides thead th').allTextContents()).join(' ');
  assert.match(sides, /your key/);
  assert.match(sides, /balanced/);
  const [first] = await page.locator('.compare .query-name').allTextContents();
  assert.equal(first.trim(), 'ten minutes');
  assert.ok((await page.locator('.compare td.is-worse').count()) > 0);
  await page.waitForSelector('compare-maps canvas');
  await pins.nth(1).click();
  await page.waitForSelector('.compare', { state: 'detached' });
  await close();
});

test('each key has a small heatmap, and the key on show is always in the list', async () => {
  const { page, close } = await open();
  await suggested(page);
  const rows = await page.locator('.shortlist tbody tr[data-id]').count();
  await page.waitForFunction(
    (all) => document.querySelectorAll('.shortlist tr:has(heat-miniature canvas)').length === all,
    rows,
  );
  await page.fill('.formula textarea', "seq.decimal(6) + '_' + host");
  const own = page.locator('.shortlist tr.is-own .rowkeys', { hasText: 'seq.decimal(6)' });
  await own.waitFor();
  assert.equal(await page.locator('.shortlist tbody tr[data-id]').count(), rows);
  await close();
});

test('the keys 1 to 6 choose a row, unless a field has the focus or they are turned off', async () => {
  const { page, close } = await open();
  await suggested(page);
  const rows = page.locator('.shortlist tbody tr[data-id]');
  const isChosen = (/** @type {number} */ at) =>
    rows.nth(at).evaluate((row) => row.classList.contains('is-chosen'));
  await page.keyboard.press('3');
  assert.ok(await isChosen(2));
  await page.keyboard.press('1');
  assert.ok(await isChosen(0));
  await page.locator('.formula textarea').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('2');
  assert.ok(await isChosen(0));
  await page.evaluate(() => {
    /** @type {HTMLElement} */ (document.activeElement).blur();
    localStorage.setItem('rowscape.shortcuts.v1', 'off');
  });
  await page.keyboard.press('3');
  assert.ok(await isChosen(0));
  await close();
});

test('the arrow keys go from row to row', async () => {
  const { page, close } = await open();
  await suggested(page);
  const chosen = () => page.textContent('.shortlist tr.is-chosen .rowkeys');
  const first = await chosen();
  await page.focus('.shortlist input:checked');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(
    (before) => document.querySelector('.shortlist tr.is-chosen .rowkeys')?.textContent !== before,
    first,
  );
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(
    (before) => document.querySelector('.shortlist tr.is-chosen .rowkeys')?.textContent === before,
    first,
  );
  await close();
});

test('an edit ends a search, and the page answers meanwhile', async (t) => {
  const { page, close } = await open();
  await openLogs(page, 60_000);
  await edit(page, { servers: 4, queries: QUERIES });
  await page.waitForFunction(() => {
    const progress = /** @type {HTMLProgressElement | null} */ (
      document.querySelector('.shortlist progress')
    );
    return (progress?.value ?? 0) > 0.02;
  });
  const began = Date.now();
  await page.fill('formula-text textarea', "host + '_' + at.format('yyyyMMddHHmmss')");
  await page.waitForFunction(() => {
    const progress = /** @type {HTMLProgressElement | null} */ (
      document.querySelector('.shortlist progress')
    );
    return progress?.value === 0;
  });
  t.diagnostic(`given up after ${Date.now() - began} ms`);
  await ready(page);
  await page.click('.shortlist button >> text=Cancel');
  await page.waitForSelector('.shortlist[aria-busy=false]');
  assert.match((await page.textContent('.shortlist [role=status]')) ?? '', /cancelled/);
  await page.click('.shortlist button >> text=Suggest keys');
  await page.waitForSelector('.shortlist[aria-busy=true]');
  await page.click('.shortlist button >> text=Cancel');
  await close();
});

for (const [width, height] of [
  [390, 844],
  [1280, 800],
])
  test(`keys that come move nothing at ${width} pixels`, async () => {
    const { page, close } = await open({ viewport: { width, height } });
    await openLogs(page);
    await edit(page, { servers: 4, queries: QUERIES });
    await page.waitForTimeout(500);
    await page.evaluate(() => scrollTo(0, 0));
    await watchShifts(page);
    await found(page);
    await page.waitForTimeout(300);
    const moved = await shifts(page);
    const sum = moved.reduce((total, [value]) => total + value, 0);
    assert.ok(sum <= 0.05, JSON.stringify(moved));
    // Cards lie side by side, and the page does not scroll sideways.
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} px`);
    await close();
  });

/** A CSV of readings: 40 sensors, one every ten minutes each for four days. */
function readings() {
  const lines = Array.from({ length: 24_000 }, (_, row) => {
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(row / 40) * 600_000);
    return `s${String(row % 40).padStart(2, '0')},${at.toISOString().slice(0, 19).replace('T', ' ')},${(row * 7919) % 1000}`;
  });
  return `sensor,at,v\n${lines.join('\n')}\n`;
}

test('pages of records are suggested where cells are known, and used as one step', async () => {
  const { page, close } = await open();
  await choose(page, 'readings.csv', readings());
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('sensor'));
  await ready(page);
  const cells = [{ qualifier: 'v', bytes: 8 }];
  const time = { from: '2026-01-02 00:00:00', to: '2026-01-03 00:00:00' };
  await edit(page, {
    servers: 4,
    table: { name: 'readings', families: [{ name: 'd', cells }] },
    queries: [{ name: 'a day', rate: 50, where: { sensor: 's01', at: time } }],
  });
  await found(page);
  const more = page.locator('.shortlist .actions .quiet');
  if (await more.count()) await more.click();
  const row = page.locator('.shortlist tr', { hasText: 'pages of records' });
  await row.locator('input').check();
  const before = await formula(page);
  await page.locator('.shortlist .chosen details summary').click();
  assert.match(
    await page.innerText('.shortlist .reasons'),
    /Each new record reads its page and writes it back/,
  );
  await page.click('.shortlist .actions .main');
  await page.waitForFunction((key) => document.querySelector('textarea')?.value !== key, before);
  await ready(page);
  const [table] = JSON.parse(await documentOf(page)).tables;
  assert.deepEqual(table.families[0].cells[1], { qualifier: 'v', packed: 8 });
  assert.equal(table.writes, 'upsert');
  await page.waitForSelector('.shortlist >> text=This is your key');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await page.waitForFunction((key) => document.querySelector('textarea')?.value === key, before);
  await close();
});

/** The document as its dialog has it. @param {Page} page */
async function documentOf(page) {
  await page.click('design-dialog button');
  const text = await page.locator('design-dialog textarea').inputValue();
  await page.keyboard.press('Escape');
  return text;
}
