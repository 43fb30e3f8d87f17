import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { calls, choose, ready, tab, withBrowser } from './harness.mjs';

const { open, address } = withBrowser();

/** @import { Page } from 'playwright-core' */

/** The row key formula as typed. @param {Page} page */
const formula = (page) => page.inputValue('.formula textarea');

/** Waits until the formula is this one. @param {Page} page @param {string} text */
const shows = (page, text) =>
  page.waitForFunction(
    (wanted) =>
      /** @type {HTMLTextAreaElement} */ (document.querySelector('.formula textarea')).value === wanted,
    text,
  );

/** The end of an address that holds a design. @param {object} design */
const link = (design) => `#v1.${deflateRawSync(JSON.stringify(design)).toString('base64url')}`;

const CALLS = {
  rowscape: 1,
  name: 'Calls',
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: 'Z' },
  ],
  arrival: 'at',
  rowkey: "phone + '/' + at.format('yyyyMMdd')",
  splits: { points: ['3', '6'] },
};

/** A browser that refuses storage, as a private window can. @param {Page} page */
const refuseStorage = (page) =>
  page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });

test('what was changed is undone and redone, by keys and by buttons', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(400));
  await page.waitForSelector('.verdict dl >> text=400');
  await ready(page);
  const first = await formula(page);
  const regions = (/** @type {string} */ number) =>
    page.waitForSelector(`.verdict dl div:nth-child(2) dd >> text=${number}`);
  await page.fill('.formula textarea', "'a' + phone");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes:has-text("a1341")');
  await page.locator('.slider input[type=range]').fill('5');
  await regions('5');
  await page.locator('body').press('Control+z');
  await regions('16');
  assert.equal(await formula(page), "'a' + phone");
  await page.focus('.formula textarea');
  await page.keyboard.press('Control+z');
  await shows(page, first);
  await page.keyboard.press('Control+Shift+z');
  await shows(page, "'a' + phone");
  await page.getByRole('button', { name: 'Redo' }).click();
  await regions('5');
  assert.ok(await page.getByRole('button', { name: 'Redo' }).isDisabled());
  await close();
});

/**
 * Lets a test hold back requests of a kind to the workers: `hold()`, `isHolding()` and `release()` in the page.
 * @param {string} kind
 */
const holding = (kind) => (/** @type {Page} */ fresh) =>
  fresh.addInitScript((word) => {
    const { postMessage } = Worker.prototype;
    /** Requests are held back while this is a list. @type {(() => void)[] | null} */
    let held = null;
    Object.assign(window, {
      hold: () => (held = []),
      isHolding: () => Boolean(held?.length),
      release() {
        for (const send of held?.splice(0) ?? []) send();
        held = null;
      },
    });
    Worker.prototype.postMessage = function (...args) {
      const send = () => postMessage.apply(this, /** @type {any} */ (args));
      if (held && JSON.stringify(args[0] ?? '').includes(`"${word}"`)) held.push(send);
      else send();
    };
  }, kind);

for (const [what, kind] of [
  ['a formula is checked', 'checkFormula'],
  ['keys are sorted', 'analyze'],
  ['keys are judged', 'findings'],
]) {
  test(`splits that are changed while ${what} are kept and counted`, async () => {
    const { page, close } = await open({ prepare: holding(kind) });
    await choose(page, 'calls.csv', calls(400));
    await page.waitForSelector('.verdict dl >> text=400');
    await ready(page);
    const call = (/** @type {string} */ name) =>
      page.evaluate((of) => void (/** @type {any} */ (window)[of]()), name);
    await call('hold');
    await page.fill('.formula textarea', "'a' + phone");
    await page.waitForFunction(() => /** @type {any} */ (window).isHolding());
    await tab(page, 'Regions and keys');
    await page.getByRole('combobox', { name: 'Regions' }).selectOption('UniformSplit');
    await page.getByLabel('Number of regions', { exact: true }).fill('40');
    await page.keyboard.press('Tab');
    await call('release');
    await page.waitForSelector('.list li .bytes:has-text("a1341")');
    await page.waitForSelector('.verdict dl div:nth-child(2) dd >> text=40');
    assert.equal(await page.getByRole('combobox', { name: 'Regions' }).inputValue(), 'UniformSplit');
    await close();
  });
}

test('another example is left again by undo and by the back button, as it was left', async () => {
  const { page, close } = await open();
  const changed = "tailnum + 'z'";
  await page.fill('.formula textarea', changed);
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.selectOption('.example select', 'call-records');
  await page.waitForSelector('.chip.source >> text=Call records');
  await ready(page);
  const other = await formula(page);
  assert.notEqual(other, changed);
  await page.goBack();
  await shows(page, changed);
  await ready(page);
  assert.equal(await page.inputValue('.example select'), 'nyc-flights');
  await page.goForward();
  await shows(page, other);
  await page.waitForSelector('.chip.source >> text=Call records');
  await ready(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows(page, changed);
  await page.waitForSelector('.chip.source >> text=nyc-flights');
  await close();
});

test('a formula that is wrong is still there after a reload', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', 'tailnum + nosuchfi');
  await page.reload();
  await ready(page);
  assert.equal(await formula(page), 'tailnum + nosuchfi');
  assert.equal(await page.textContent('.formula mark.wrong'), 'nosuchfi');
  await close();
});

test('a private window works and says that nothing is kept', async () => {
  const { page, close } = await open({ prepare: refuseStorage });
  await page.fill('.formula textarea', "tailnum + 'z'");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.waitForSelector('.note >> text=can’t store anything');
  await page.locator('body').press('Control+z');
  await page.waitForFunction(
    () => !document.querySelector('.formula textarea')?.matches(':placeholder-shown'),
  );
  await close();
});

test('starting over takes everything out of storage', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', "tailnum + 'z'");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes span >> text=z');
  await page.waitForFunction(() => localStorage.length > 0);
  await page.click('text=Start over');
  await page.waitForSelector('.list li .bytes span >> text=z', { state: 'detached' });
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows(page, "tailnum + 'z'");
  await close();
});

test('a link made in one tab opens in another, with the design and no records', async () => {
  const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await choose(page, 'calls.csv', calls(400));
  await page.waitForSelector('.verdict dl >> text=400');
  await ready(page);
  await page.fill('.formula textarea', "phone.reverse() + '/' + call_time.format('yyyyMMdd')");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes:has-text("4321431")');
  const verdict = await page.textContent('.verdict p');
  await page.getByRole('button', { name: 'Share link' }).click();
  const dialog = page.getByRole('dialog', { name: 'The link carries' });
  await dialog.getByText('Profile of 400 records').waitFor();
  assert.match((await dialog.textContent()) ?? '', /3 fields.*never carries a record.*characters/s);
  await dialog.getByText('The receiver sees the same verdict.').waitFor();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await dialog.getByRole('button', { name: 'Link copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith(`${address()}#v1.`));
  const held = JSON.parse(inflateRawSync(Buffer.from(copied.split('#v1.')[1], 'base64url')).toString());
  assert.equal(held.rowkey, "phone.reverse() + '/' + call_time.format('yyyyMMdd')");
  assert.ok(!JSON.stringify(held).includes('1341234'), 'no record in the link');
  assert.equal(held.generate.profile, 400);
  assert.ok(JSON.stringify(held.generate).length <= 4096);

  const other = await /** @type {import('playwright-core').Browser} */ (page.context().browser()).newPage();
  await other.goto(copied);
  await ready(other);
  assert.equal(await formula(other), "phone.reverse() + '/' + call_time.format('yyyyMMdd')");
  await other.waitForSelector('.verdict >> text=Profile of the author’s 400 records; values are generated.');
  // Figures of single intervals are near; the rest is the same.
  const told = (/** @type {string | null} */ text) => text?.slice(0, text.indexOf(', and'));
  assert.equal(told(await other.textContent('.verdict p')), told(verdict));
  await other.waitForSelector('.chip.source >> text=Profile of 400 records');

  // Without the profile the link opens as it always did.
  await dialog.getByRole('checkbox').uncheck();
  await dialog.getByText('can lead to another verdict').waitFor();
  await dialog.getByRole('button', { name: /Copy link|Link copied/ }).click();
  await page.waitForFunction(async (before) => (await navigator.clipboard.readText()) !== before, copied);
  const bare = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(bare.length < copied.length);
  await other.goto('about:blank');
  await other.goto(bare);
  await ready(other);
  await other.waitForSelector('.notice >> text=are generated');
  assert.equal(await other.locator('.profiled').count(), 0);
  await other.close();
  await close();
});

test('a bad profile in a link is named, and its design is still opened', async () => {
  const { page, close } = await open();
  const from = { shares: { values: [['a', 1]] } };
  const good = { rows: 100, profile: 100, fields: [{ name: 'phone', from }] };
  for (const [generate, why] of /** @type {const} */ ([
    [{ ...good, rows: 4_000_000_000 }, /4,000,000,000 records are too many/],
    [{ ...good, rhythm: { curve: Array(1500).fill(1) } }, /curve of arrivals: 1,?500;/],
    [{ ...good, rhythm: { curve: Array(5000).fill(1) } }, /10,?\d{3} bytes is too large/],
    [{ ...good, fields: [{ name: 'phone', from: { shares: {} } }] }, /invalid shares/],
    [{ ...good, surprise: 1 }, /surprise/],
  ])) {
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      link({ ...CALLS, generate }),
    );
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.notice')?.textContent ?? ''),
      why.source,
    );
    assert.match((await page.textContent('.notice')) ?? '', /profile in the link is invalid/);
    await ready(page);
    assert.equal(await formula(page), CALLS.rowkey);
    assert.equal(await page.locator('.profiled').count(), 0);
    await page.click('.notice button');
  }
  await close();
});

test('an example’s own records need no profile', async () => {
  const { page, close } = await open();
  await page.getByRole('button', { name: 'Share link' }).click();
  const dialog = page.getByRole('dialog', { name: 'The link carries' });
  await dialog.getByText('The example’s records').waitFor();
  assert.equal(await dialog.getByRole('checkbox').count(), 0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await close();
});

test('a link pasted into the address is opened, and the back button returns', async () => {
  const { page, close } = await open();
  const before = await formula(page);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link(CALLS));
  await shows(page, CALLS.rowkey);
  await ready(page);
  await page.goBack();
  await shows(page, before);
  await page.goForward();
  await shows(page, CALLS.rowkey);
  // A change makes it one's own: a reload brings the change back, not the link.
  await page.fill('.formula textarea', 'phone');
  await page.reload();
  await ready(page);
  assert.equal(await formula(page), 'phone');
  await close();
});

test('a link that can’t be opened says why and loses nothing', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', 'dest');
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes:has-text("AL")');
  const broken = /damaged or truncated/;
  const wrong = /** @type {const} */ ([
    [link(CALLS).slice(0, 60), broken],
    ['#v1.%%%', broken],
    ['#v1.', broken],
    [link({ ...CALLS, name: 'a'.repeat(8_000_000) }), broken],
    ['#v2.abc', /newer version/],
    [link({ ...CALLS, rowscape: 2 }), /newer version/],
    [link({ ...CALLS, rowkey: 'nosuchfield' }), /nosuchfield/],
  ]);
  for (const [hash, sentence] of wrong) {
    await page.evaluate((end) => {
      location.hash = end;
    }, hash);
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.notice')?.textContent ?? ''),
      sentence.source,
    );
    assert.equal(await formula(page), 'dest');
    await page.click('.notice button');
  }
  await page.reload();
  await page.waitForSelector('.notice >> text=nosuchfield');
  await ready(page);
  assert.equal(await formula(page), 'dest');
  await close();
});

test('a formula is completed by keyboard alone: fields, steps that fit, and what they guarantee', async () => {
  const { page, close } = await open();
  await page.focus('.formula textarea');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('car');
  await page.waitForSelector('[role=option][aria-selected=true] >> text=carrier');
  assert.equal(await page.getAttribute('.formula textarea', 'aria-controls'), 'formula-options');
  await page.waitForSelector('formula-text [role=status] >> text=Suggestions: 1.');
  await page.keyboard.press('Enter');
  assert.equal(await formula(page), 'carrier');
  await page.keyboard.type('.');
  await page.waitForSelector('[role=option] >> text=md5()');
  // A time step does not fit a text.
  assert.equal(await page.locator('[role=option]', { hasText: 'truncate' }).count(), 0);
  await page.keyboard.type('sha');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('[aria-selected=true] >> text=sha256()');
  const active = await page.getAttribute('.formula textarea', 'aria-activedescendant');
  assert.equal(await page.getAttribute(`#${active}`, 'aria-selected'), 'true');
  await page.waitForSelector('.hints .about >> text=This record');
  assert.match((await page.textContent('.hints .about')) ?? '', /SHA-256.*loses order.*any.*This record/s);
  await page.keyboard.press('Tab');
  assert.equal(await formula(page), 'carrier.sha256()');
  await page.keyboard.type('.he');
  await page.keyboard.press('Enter');
  assert.equal(await formula(page), 'carrier.sha256().hex(4)');
  await page.keyboard.type('6');
  assert.equal(await formula(page), 'carrier.sha256().hex(6)', 'the argument is selected, to be typed over');
  await page.keyboard.type(') + dep');
  await page.waitForSelector('[role=option] >> text=departure');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('[role=option]').count(), 0);
  await close();
});

test('a step under the pointer and one under the caret are explained', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', 'carrier.md5().hex(4)');
  await page.waitForSelector('.formula mark [data-at="8"]');
  await page.waitForFunction(() => document.querySelector('.sample .bytes')?.textContent?.length === 4);
  const box = await page.locator('.formula [data-at="8"]').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.waitForSelector('.about >> text=MD5');
  await page.waitForSelector('.about >> text=16 bytes');
  await page.mouse.move(5, 5);
  await page.waitForSelector('.about', { state: 'detached' });
  await page.focus('.formula textarea');
  await page.keyboard.press('End');
  await page.waitForSelector('.about >> text=0-9 a-f');
  // The first four digits of the MD5 of the record on show.
  const carrier = (await page.textContent('.sample dd')) ?? '';
  const { createHash } = await import('node:crypto');
  const digits = createHash('md5').update(carrier).digest('hex').slice(0, 4);
  await page.waitForSelector(`.about .value >> text=${digits}`);
  assert.equal(await page.textContent('.sample .bytes'), digits);
  await close();
});

test('parts are dragged, moved by keys, opened, changed, added and removed, and the text says the same', async () => {
  const { page, close } = await open();
  await page.fill('.formula textarea', "carrier + '_' + origin.lower()");
  await page.waitForFunction(() => document.querySelectorAll('.parts .part').length === 3);
  const parts = () => page.locator('.parts .open code').allTextContents();
  assert.deepEqual(await parts(), ['carrier', "'_'", 'origin.lower()']);

  const grip = await page.locator('.grip').nth(2).boundingBox();
  const first = await page.locator('.parts .part').first().boundingBox();
  assert.ok(grip && first);
  await page.mouse.move(grip.x + 5, grip.y + 8);
  await page.mouse.down();
  await page.mouse.move(first.x + 30, first.y + 8, { steps: 4 });
  await page.mouse.move(first.x + 2, first.y + 8);
  await page.waitForSelector('.part.before');
  await page.mouse.up();
  await shows(page, "origin.lower() + carrier + '_'");
  assert.deepEqual(await parts(), ['origin.lower()', 'carrier', "'_'"]);

  await page.locator('.grip').nth(2).focus();
  await page.keyboard.press('ArrowLeft');
  await shows(page, "origin.lower() + '_' + carrier");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), "Move '_'");

  await page
    .locator('.parts')
    .getByRole('button', { name: /^carrier/ })
    .click();
  await page.getByLabel('Add a step…').selectOption('reverse');
  await shows(page, "origin.lower() + '_' + carrier.reverse()");
  await page.waitForSelector('.opened .about >> text=Reversed characters');
  await page.getByLabel('Formula of this part').fill('carrier.md5()');
  await page.keyboard.press('Enter');
  await shows(page, "origin.lower() + '_' + carrier.md5()");
  await page.getByRole('button', { name: 'Remove the step md5' }).click();
  await shows(page, "origin.lower() + '_' + carrier");
  await page.getByRole('button', { name: 'Remove the part' }).click();
  await shows(page, "origin.lower() + '_'");
  await page.getByLabel('Add a part…').selectOption({ label: 'departure' });
  await shows(page, "origin.lower() + '_' + departure.format('yyyyMMddHHmmss')");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes:has-text("ewr_2013")');
  // Parts, keys and the live line have the same colours.
  const colours = await page.evaluate(() =>
    ['.parts .part', '.list .bytes span', '.sample .bytes span', '.formula mark'].map((of) =>
      [...document.querySelectorAll(of)]
        .slice(0, 3)
        .map((one) => [...one.classList].find((name) => /^part-\w+$/.test(name))),
    ),
  );
  for (const other of colours) assert.deepEqual(other, ['part-1', 'part-fixed', 'part-2']);
  // Unfinished input is in the row as well.
  await page.fill('.formula textarea', 'origin.lo + carrier');
  await page.waitForFunction(() => document.querySelectorAll('.parts .part').length === 2);
  assert.deepEqual(await parts(), ['origin.lo', 'carrier']);
  await close();
});

test('Java and Scala are recognised, and the matching formula is offered', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(50));
  await page.waitForSelector('.verdict dl >> text=50');
  await ready(page);
  const code = [
    [
      'byte[] key = Bytes.toBytes(MD5Hash.getMD5AsHex(Bytes.toBytes(call.getPhone())).substring(0, 4) + "_" + phone);',
      "phone.md5().hex(4) + '_' + phone",
    ],
    [
      'Bytes.add(Bytes.toBytes(phone), Bytes.toBytes(Long.MAX_VALUE - callTime))',
      'phone + call_time.millis().reverseLong().int64()',
    ],
    [
      'String.format("%02d_%s", Math.floorMod(phone.hashCode(), 6), phone)',
      "phone.javaHash().floorMod(6).decimal(2) + '_' + phone",
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Scala.
    ['val key = s"${phone.reverse}_$seconds"', "phone.reverse() + '_' + seconds.decimal()"],
    ['new StringBuilder(phone).reverse().toString() + "|"', "phone.reverse() + '|'"],
  ];
  for (const [java, wanted] of code) {
    await page.fill('.formula textarea', java);
    await page.waitForFunction(
      (text) => document.querySelector('#formula-problem code')?.textContent === text,
      wanted,
    );
    assert.equal(await formula(page), java, 'nothing is changed unasked');
  }
  await page.click('text=Use formula');
  await shows(page, "phone.reverse() + '|'");
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes:has-text("4321431|")');
  await page.fill('.formula textarea', 'System.out.println("hello")');
  await page.waitForSelector('#formula-problem .bad');
  assert.equal(await page.locator('#formula-problem code').count(), 0);
  await close();
});

test('the tour has six steps, is taken by keyboard, and once skipped is never offered again', async () => {
  const { page, close } = await open({ viewport: { width: 1440, height: 900 } });
  const offer = page.locator('button', { hasText: 'Tour: six steps' }).first();
  await offer.focus();
  await page.keyboard.press('Enter');
  const titles = [];
  for (let step = 1; step <= 6; step++) {
    await page.waitForSelector(`.tour >> text=${step} of 6`);
    titles.push(await page.textContent('.tour h2'));
    assert.equal(await page.locator('.toured').count(), 1);
    if (step < 6) await page.keyboard.press('ArrowRight');
  }
  assert.equal(new Set(titles).size, 6);
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('.tour >> text=5 of 6');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.tour, .toured').count(), 0);
  await page.reload();
  await ready(page);
  assert.ok(!(await offer.isVisible()));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Help' }).click();
  await offer.click();
  await page.waitForSelector('.tour >> text=1 of 6');
  await page.click('.tour >> text=Skip');
  assert.equal(await page.locator('.tour').count(), 0);
  await close();
});
