import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, calls, choose, coloursDrawn, openOffered, ready, tab, withBrowser } from './harness.mjs';

const { open, address } = withBrowser();

test('the first example is drawn on load, with a verdict', async () => {
  const { page, close } = await open();
  assert.ok((await coloursDrawn(page)) > 3);
  assert.match((await page.textContent('.verdict p')) ?? '', /\w{3,}/);
  assert.match((await page.textContent('.verdict dl')) ?? '', /rows/);
  await tab(page, 'Regions and keys');
  await page.locator('.list li .bytes').nth(5).waitFor();
  await close();
});

test('every example can be chosen and is drawn', async () => {
  const { page, close } = await open();
  const ids = await page
    .locator('.example option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
  assert.ok(ids.length >= 5, 'at least five examples');
  const index = await page.evaluate(async () => (await fetch('examples/index.json')).json());
  const name = page.locator('.chip.source strong');
  for (const id of ids) {
    await page.selectOption('.example select', id);
    // The page has taken the choice when it names its records: until then the picture is the last one's.
    const { title, data } = index.find((/** @type {{ id: string }} */ example) => example.id === id);
    await name.filter({ hasText: data ?? title }).waitFor();
    await ready(page);
    await page.waitForSelector('.stage canvas');
    assert.ok((await coloursDrawn(page)) > 1, `${id} has a picture`);
    assert.equal(await page.locator('.note.bad, .status.bad').count(), 0, `${id} has no problem`);
  }
  await close();
});

test('a dropped file is read and drawn', async () => {
  const { page, close } = await open();
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'calls.csv', { type: 'text/csv' }));
    return data;
  }, calls(5000));
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.waitForSelector('.drop-veil');
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await page.waitForSelector('.chip.source >> text=calls.csv');
  await page.waitForSelector('.verdict dl >> text=5,000');
  await ready(page);
  assert.ok((await coloursDrawn(page)) > 3);
  assert.equal(await page.locator('.drop-veil').count(), 0);
  await about(page, 'call_time');
  assert.equal(await page.getByLabel('Type of call_time').inputValue(), 'time');
  await close();
});

test('a gzipped file is read as what it holds', async () => {
  const { gzipSync } = await import('node:zlib');
  const { page, close } = await open();
  await choose(page, 'calls.txt', gzipSync(calls(3000)));
  await page.waitForSelector('.verdict dl >> text=3,000');
  await close();
});

test('a finding says why, and its fix is applied and measured again', async () => {
  const { page, close } = await open();
  await page.waitForSelector('.finding.is-bad summary >> text=Concurrent writes go to the same region');
  assert.match((await page.textContent('.finding.is-bad')) ?? '', /RS101/);
  await page.click('.finding.is-bad button');
  await page.waitForSelector('.verdict.good');
  await page.waitForFunction(() => !document.querySelector('.finding.is-bad'));
  assert.match(await page.inputValue('.formula textarea'), /^bucket\(/);
  await close();
});

test('a gzip file of several members is read whole, of a broken one what comes before the damage', async () => {
  const { gzipSync } = await import('node:zlib');
  const { page, close } = await open({ expectErrors: true });
  const text = calls(5000);
  const cuts = [0, 17, 40_000, 40_000, 100_000, text.length];
  const parts = cuts.slice(1).map((cut, index) => gzipSync(text.slice(cuts[index], cut)));
  await choose(page, 'calls.csv.gz', Buffer.concat(parts));
  await page.waitForSelector('.verdict dl >> text=5,000');
  await ready(page);
  await choose(page, 'broken.csv.gz', Buffer.concat(parts).subarray(0, -3000));
  await page.waitForSelector('.chip.issues >> text=Damaged file');
  await about(page, 'issues');
  await page.waitForSelector(
    '.note.bad >> text=/the compressed data is damaged .* after [1-4],\\d{3} records, which are kept/',
  );
  await ready(page);
  await choose(page, 'no.csv.gz', Buffer.concat([parts[0].subarray(0, 10), Buffer.from('nothing')]));
  await page.waitForSelector('.notice >> text=could not be unpacked');
  await close();
});

test('a corrected field is read again', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(500));
  await page.waitForSelector('.verdict dl >> text=500');
  await about(page, 'seconds');
  await page.getByLabel('Type of seconds').selectOption('text');
  await ready(page);
  assert.equal(await page.getByLabel('Type of seconds').inputValue(), 'text');
  assert.match((await page.textContent('.verdict dl')) ?? '', /500/);
  await close();
});

test('a wrong formula is underlined at its column and the picture stays', async () => {
  const { page, close } = await open();
  const before = await page.inputValue('.formula textarea');
  await page.fill('.formula textarea', `${before} + nosuchfield`);
  await page.waitForSelector('.formula mark.wrong');
  assert.equal(await page.textContent('.formula mark.wrong'), 'nosuchfield');
  assert.match((await page.textContent('#formula-problem')) ?? '', new RegExp(`column ${before.length + 4}`));
  assert.equal(await page.getAttribute('.formula textarea', 'aria-invalid'), 'true');
  assert.ok((await coloursDrawn(page)) > 1);
  await page.fill('.formula textarea', before);
  await page.waitForSelector('.formula mark.wrong', { state: 'detached' });
  await close();
});

test('a new formula sorts anew and its parts colour the keys', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(2000));
  await page.waitForSelector('.verdict dl >> text=2,000');
  await ready(page);
  await page.fill('.formula textarea', "phone + '/' + call_time.format('yyyyMMdd')");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes >> text=13412340000');
  const spans = await page.locator('.list li .bytes').first().locator('span').allTextContents();
  assert.deepEqual(spans, ['13412340000', '/', '20240501']);
  await close();
});

test('the slider redraws without reading again', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(5000));
  await page.waitForSelector('.verdict dl >> text=5,000');
  await ready(page);
  await tab(page, 'Regions and keys');
  const slider = page.locator('.slider input[type=range]');
  await slider.fill('40');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=40');
  await page.getByLabel('Number of regions', { exact: true }).fill('300');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=300');
  await close();
});

test('the table of regions grows as it is scrolled, by mouse and by keyboard, up to all that are listed', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(2000));
  await page.waitForSelector('.verdict dl >> text=2,000');
  await tab(page, 'Regions and keys');
  await page.locator('.slider input[type=range]').fill('256');
  await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=256');
  await ready(page);
  const rows = page.locator('region-table tbody tr');
  const first = await rows.count();
  assert.ok(first >= 20 && first < 100, `${first} rows`);
  // The last one's button is reached by the keyboard; what follows it is then there.
  await rows.last().locator('button').focus();
  await page.waitForFunction(
    (before) => document.querySelectorAll('region-table tbody tr').length > before,
    first,
  );
  while ((await rows.count()) < 100) await rows.last().scrollIntoViewIfNeeded();
  assert.equal(await rows.count(), 100);
  await close();
});

test('a long read can be cancelled and begun again', async () => {
  const { page, close } = await open();
  // A file of 2 GB that takes no room: the same two megabytes again and again.
  await page.evaluate((rows) => {
    const part = new Blob([rows.repeat(Math.ceil(2_000_000 / rows.length))]);
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array(1000).fill(part), 'big.csv'));
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
    );
  }, calls(1000));
  await page.waitForSelector('.status .figures >> text=left');
  await page.click('.status button');
  await page.waitForSelector('.status >> text=Stopped');
  await page.click('.status button.main');
  await page.waitForSelector('.status >> text=Reading');
  await page.waitForSelector('.status .figures');
  await choose(page, 'small.csv', calls(200));
  await page.waitForSelector('.verdict dl >> text=200');
  await close();
});

test('the picture follows the width of the window', async () => {
  const { page, close } = await open();
  for (const width of [320, 1280, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.stage canvas'));
      return Math.abs(canvas.width - canvas.getBoundingClientRect().width) < 2;
    });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `no sideways scrolling at ${width}`);
    assert.ok((await coloursDrawn(page)) > 1);
  }
  await close();
});

test('arrow keys move from cell to cell and are read out', async () => {
  const { page, close } = await open();
  await coloursDrawn(page);
  await page.focus('.stage');
  await page.keyboard.press('ArrowRight');
  const told = (/** @type {string} */ words) =>
    page.locator(`.heat output.unseen >> text=${words}`).waitFor();
  await told('/Region 0.*rows, [\\d.]+% of this interval/');
  await page.keyboard.press('ArrowUp');
  await told('/Region 1/');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.tooltip').count(), 0);
  await close();
});

test('a click pins a cell and the list goes to its keys', async () => {
  const { page, close } = await open();
  await coloursDrawn(page);
  const box = await page.locator('.stage').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.3);
  await page.waitForSelector('.tooltip.pinned');
  assert.ok(await page.locator('.tooltip button >> text=Copy').isVisible());
  await page.mouse.move(0, 0);
  assert.equal(await page.locator('.tooltip.pinned').count(), 1);
  await close();
});

test('the list reaches the last of very many keys', async () => {
  const { page, close } = await open();
  await tab(page, 'Regions and keys');
  await page.focus('.list');
  await page.keyboard.press('End');
  const all = Number(((await page.textContent('.verdict dd')) ?? '').replaceAll(',', ''));
  await page.waitForSelector(`.list .index >> text=${(all - 1).toLocaleString('en-US')}`);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.list .index')?.textContent === '0');
  await close();
});

test('the head stands in one line from 768 pixels on, and fits a narrow phone, in every language', async () => {
  const { page, close } = await open();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  for (const language of ['en', 'zh', 'ko']) {
    await page.selectOption('.language select', language);
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
    for (const width of [320, 768, 900, 1024, 1120, 1280, 1920]) {
      await page.setViewportSize({ width, height: 600 });
      const { middles, over } = await page.evaluate(() => {
        const parts = [...document.querySelectorAll('header > :not(.tagline)')];
        const boxes = parts.map((part) => part.getBoundingClientRect());
        const over = document.documentElement.scrollWidth - innerWidth;
        return { middles: boxes.map(({ top, height }) => top + height / 2), over };
      });
      const place = `${language}, ${width} pixels`;
      assert.ok(over <= 0, `${place}: nothing lies outside`);
      const apart = Math.max(...middles) - Math.min(...middles);
      if (width >= 768) assert.ok(apart < 8, `${place}: one line`);
    }
  }
  await close();
});

test('the theme follows the system and the switch', async () => {
  const { page, close } = await open({ colorScheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('radio', { name: 'Light' }).check({ force: true });
  const light = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await ready(page);
  assert.equal(await ground(), light);
  await close();
});

test('the document survives a reload and can be given up', async () => {
  const { page, close } = await open();
  await tab(page, 'Regions and keys');
  await page.locator('input[type=number]').or(page.locator('.points textarea')).first().waitFor();
  const before = await page.inputValue('.formula textarea');
  const changed = `${before} + 'z'`;
  await page.fill('.formula textarea', changed);
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.reload();
  await ready(page);
  assert.equal(await page.inputValue('.formula textarea'), changed);
  await page.click('text=Start over');
  await openOffered(page);
  await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, before);
  await close();
});

test('a document with two tables shows one or the other', async () => {
  const { page, close } = await open();
  await page.selectOption('.example select', 'message-store');
  await page.waitForSelector('.tables label');
  await ready(page);
  const first = await page.inputValue('.formula textarea');
  await page.locator('.tables label').nth(1).click();
  await page.waitForFunction((text) => document.querySelector('textarea')?.value !== text, first);
  await ready(page);
  assert.match(await page.inputValue('.formula textarea'), /md5/);
  await close();
});

test('a wrong document is refused with the path of what is wrong', async () => {
  const { page, close } = await open();
  await page.click('text=Design as JSON');
  const text = await page.inputValue('dialog textarea');
  await page.fill('dialog textarea', text.replace('"rowscape": 1', '"rowscape": 1, "nosuchmember": true'));
  await page.waitForSelector('dialog .note.bad >> text=nosuchmember');
  assert.ok(await page.locator('dialog button.main').isDisabled());
  await close();
});

test('no request goes to another origin, and the page works under a sub-path', async () => {
  /** @type {string[]} */
  const addresses = [];
  const { page, close } = await open({
    prepare: async (fresh) => {
      fresh.on('request', (request) => addresses.push(request.url()));
    },
  });
  await choose(page, 'calls.csv', calls(100));
  await page.waitForSelector('.verdict dl >> text=100');
  const base = address();
  assert.ok(new URL(base).pathname.length > 1, 'served under a sub-path');
  assert.deepEqual(
    addresses.filter((one) => !one.startsWith(base) && !one.startsWith('blob:')),
    [],
  );
  await close();
});
