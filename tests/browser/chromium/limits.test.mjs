import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, calls, choose, ready, tab, withBrowser } from './harness.mjs';

const { open } = withBrowser();

test('a worker that crashes is replaced, the design kept, the person told', async () => {
  const { page, close } = await open({
    expectErrors: true,
    prepare: (fresh) =>
      fresh.route('**/worker.js', async (route) => {
        const response = await route.fetch();
        const trap =
          'const post = self.postMessage.bind(self); self.addEventListener("message", (event) => { if (event.data.type === "report" && JSON.parse(event.data.ask.splits).sample === 77) { event.stopImmediatePropagation(); post({ id: event.data.id, error: { fatal: true, message: "unreachable" } }); } });\n';
        await route.fulfill({ response, body: trap + (await response.text()) });
      }),
  });
  await choose(page, 'calls.csv', calls(1000));
  await page.waitForSelector('.verdict dl >> text=1,000');
  await ready(page);
  const formula = await page.inputValue('.formula textarea');
  await tab(page, 'Regions and keys');
  await page.locator('.slider input[type=range]').fill('77');
  await page.waitForSelector('.status.bad >> text=restarted');
  assert.equal(await page.inputValue('.formula textarea'), formula);
  await page.locator('.slider input[type=range]').fill('78');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=78');
  await close();
});

test('an empty file is refused in words', async () => {
  const { page, close } = await open();
  await choose(page, 'empty.csv', '');
  await page.waitForSelector('.notice, .chip.issues');
  await close();
});

test('a file with nothing but a header is refused in words', async () => {
  const { page, close } = await open();
  await choose(page, 'header.csv', 'a,b,c\n');
  await page.waitForSelector('.verdict.unknown >> text=No rows to judge yet');
  await close();
});

test('binary junk does not break the page', async () => {
  const { page, close } = await open();
  await choose(
    page,
    'junk.bin',
    Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919 + (at >> 3)) & 255)),
  );
  await page.waitForSelector('.notice, .heat[aria-busy=false]');
  await choose(page, 'calls.csv', calls(100));
  await page.waitForSelector('.chip.source >> text=calls.csv');
  await page.waitForSelector('.verdict dl >> text=100');
  await close();
});

test('a file in UTF-16 is read', async () => {
  const { page, close } = await open();
  await choose(
    page,
    'utf16.csv',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(calls(400), 'utf16le')]),
  );
  await page.waitForSelector('.verdict dl >> text=400');
  await about(page, 'source');
  await page.waitForSelector('.facts >> text=UTF-16LE, by its byte order mark');
  await close();
});

test('a file in Latin-1 is read once its encoding is chosen, and what is no text is told until then', async () => {
  const { page, close } = await open();
  await choose(page, 'latin.csv', Buffer.from(calls(400).replaceAll('1341234', 'Zürich'), 'latin1'));
  await about(page, 'issues');
  await page.waitForSelector('.note.warning >> text=not text in the encoding');
  await about(page, 'phone');
  assert.doesNotMatch((await page.textContent('.fields')) ?? '', /Zürich/);
  await about(page, 'source');
  await page.getByLabel('Encoding').selectOption('windows-1252');
  await page.waitForSelector('.facts >> text=WINDOWS-1252');
  await ready(page);
  await page.waitForSelector('.verdict dl >> text=400');
  await about(page, 'phone');
  assert.match((await page.textContent('.fields')) ?? '', /Zürich/);
  assert.equal(await page.locator('.chip.issues').count(), 0);
  await close();
});

test('when all rows are refused, the reasons are shown', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(300));
  await page.waitForSelector('.verdict dl >> text=300');
  await ready(page);
  await about(page, 'call_time');
  await page.getByLabel('Time format of call_time').fill('dd.MM.yyyy HH:mm');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.chip.issues >> text=300');
  // A form that a person said is not called one that every value has.
  assert.match((await page.textContent('.fields')) ?? '', /set by you or the design/);
  assert.doesNotMatch((await page.textContent('.fields')) ?? '', /every value is a time/);
  await about(page, 'issues');
  const reason = await page.textContent('.rejected li');
  assert.match(reason?.replace(/\s+/g, ' ') ?? '', /call_time: .* × 300 · rows 1 “2024-05-01 00:00:00”, 2 “/);
  await page.keyboard.press('Escape');
  // In place of an empty picture: why there is none, and where the reasons are.
  const picture = page.locator('.picture');
  await picture.getByText('All 300 records were rejected').waitFor();
  assert.equal(await picture.locator('canvas').count(), 0);
  await picture.getByRole('button', { name: 'See reasons' }).click();
  await page.locator('data-about .rejected').waitFor();
  await about(page, 'call_time');
  await page.getByLabel('Time format of call_time').fill('yyyy-MM-dd HH:mm:ss');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.picture canvas');
  await close();
});

test('a million regions are drawn', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(20_000));
  await page.waitForSelector('.verdict dl >> text=20,000');
  await ready(page);
  await tab(page, 'Regions and keys');
  await page.getByRole('combobox', { name: 'Regions' }).selectOption('UniformSplit');
  await page.getByLabel('Number of regions', { exact: true }).fill('1000000');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict dl >> text=1,000,000');
  await page.waitForSelector('.regions >> text=busiest of 1,000,000');
  await ready(page);
  await close();
});

test('a field name that is markup stays text', async () => {
  const { page, close } = await open();
  let alerted = false;
  page.on('dialog', (dialog) => {
    alerted = true;
    dialog.dismiss();
  });
  await choose(page, '<b>odd<b>.csv', calls(100).replace('phone', '<img src=x onerror=alert(1)>'));
  await page.waitForSelector('.chip.field >> text=<img src=x onerror=alert(1)>');
  await page.waitForSelector('.heat[aria-busy=false], .status.bad');
  assert.equal(await page.locator('rowscape-page img').count(), 0);
  assert.equal(alerted, false);
  await close();
});
