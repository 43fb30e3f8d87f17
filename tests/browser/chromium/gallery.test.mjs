import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { holds, ready, withBrowser } from './harness.mjs';

const { open } = withBrowser();
const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
/** @type {{ slug: string, lesson: string, story: string, path?: number, step?: string, better?: string, betterTable?: string }[]} */
const published = read('data/gallery/index.json');
const products = read('data/products/index.json');
const entries = [...published, ...products];
/** @param {string} slug */
const designOf = (slug) =>
  read(
    `data/${products.some((/** @type {any} */ entry) => entry.slug === slug) ? 'products' : 'gallery'}/${slug}.json`,
  );

/** @param {import('playwright-core').Page} page @param {string} hash */
const go = (page, hash) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

test('every entry of the gallery is reached by its link, with a picture and a verdict of each design', async () => {
  const { page, close } = await open({ query: '#gallery', drawn: false });
  await page.waitForSelector('.shelf');
  const links = await page.$$eval('.shelf a', (all) => all.map((link) => link.getAttribute('href')));
  assert.deepEqual([...new Set(links)].toSorted(), entries.map(({ slug }) => `#gallery/${slug}`).toSorted());
  for (const { slug, story, better, betterTable } of entries) {
    const { name, tables } = designOf(slug);
    const designs = [slug, better]
      .filter(Boolean)
      .map((one) => (one === better && betterTable ? 1 : (designOf(one).tables?.length ?? 1)));
    await go(page, `#gallery/${slug}`);
    await page.waitForFunction((title) => document.querySelector('.reading h2')?.textContent === title, name);
    await page.waitForFunction(
      (wanted) => document.querySelectorAll('.design[aria-busy=false] canvas').length === wanted,
      designs.reduce((sum, one) => sum + one, 0),
    );
    assert.equal(await page.textContent('.story'), story);
    assert.equal(await page.locator('.design .sentence').count(), await page.locator('.design').count());
    // Each query asks for something that the records on show hold.
    const returned = await page.locator('.design tbody td:last-child').allTextContents();
    assert.deepEqual(
      returned.filter((rows) => !/[1-9]/.test(rows)),
      [],
      slug,
    );
    // A design shown as better has a good verdict.
    if (betterTable) await page.waitForSelector('.design.better .sentence.good');
    await page.waitForSelector('gallery-records td.bytes');
    assert.equal((await page.locator('gallery-records th').count()) > (tables?.length ?? 1), true, slug);
  }
  await close();
});

test('an entry opened on the bench is there again after a reload, and the back button leads to its story', async () => {
  const { page, close } = await open({ query: '#gallery/f1-message-store-in-order', drawn: false });
  await page.click('text=Open this design');
  await page.waitForSelector('.example option:checked >> text=Messages: sequential keys', {
    state: 'attached',
  });
  await ready(page);
  await holds(page, '.formula textarea', /^sent\.format/);
  await page.reload();
  await ready(page);
  await holds(page, '.formula textarea', /^sent\.format/);
  await page.goBack();
  await page.waitForSelector('.reading h2 >> text=Messages: sequential keys');
  await close();
});

test('the glossary shows the word that a link names', async () => {
  const { page, close } = await open({ query: '#glossary/hot-spot', drawn: false });
  await page.waitForSelector('.glossary .named >> text=Hotspot');
  await page.click('.glossary .named a.word');
  await page.waitForSelector('.glossary .named >> text=Region');
  await close();
});

test('an address that names no entry says so and lists them all', async () => {
  const { page, close } = await open({ query: '#gallery/nowhere', drawn: false });
  await page.waitForSelector('.note >> text=nowhere');
  assert.equal(await page.locator('.shelf:not(.of-path) a').count(), entries.length);
  await close();
});

test('the gallery begins with a path of six steps, then is sorted by lesson, each card with verdict, key and question', async () => {
  const { page, close } = await open({ query: '#gallery', drawn: false });
  await page.waitForSelector('.shelf');
  assert.ok(!(await page.locator('.entry-title').isVisible()), 'the question of what to open');
  const lessons = [...new Set(entries.map(({ lesson }) => lesson))];
  const shelves = await page.locator('.shelf').evaluateAll((all) => all.map((one) => one.className));
  assert.deepEqual(
    shelves,
    ['path', ...lessons].map((lesson) => `shelf of-${lesson}`),
  );
  const path = entries.filter(({ path: at }) => at).toSorted((a, b) => (a.path ?? 0) - (b.path ?? 0));
  const steps = await page.locator('.of-path .step').allTextContents();
  assert.deepEqual(
    steps,
    path.map(({ step }, at) => `Step ${at + 1} of 6. ${step}`),
  );
  const first = page.locator('.of-path a').first();
  await first.locator('.badge.bad').waitFor();
  assert.match((await first.locator('code').textContent()) ?? '', /^ts\.millis/);
  assert.match(
    (await first.locator('.card').textContent()) ?? '',
    /one event of one host in a time range: 1 scan · 1,667 rows/,
  );
  await page.getByLabel('Find').fill('digests');
  assert.equal(await page.locator('.of-path').count(), 0);
  await page.getByLabel('Find').fill('');
  await first.click();
  for (const { slug } of path.slice(1)) {
    await page.locator('.on-path a').click();
    await page.waitForURL(new RegExp(`#gallery/${slug}$`));
  }
  await page.waitForFunction(() => document.querySelectorAll('.on-path a').length === 0);
  await close();
});

test('a file dropped on the gallery or the live table is opened on the bench', async () => {
  const { page, close } = await open({ query: '#gallery', drawn: false });
  await page.waitForSelector('.shelf');
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    const rows = Array.from(
      { length: 300 },
      (_, at) => `${at},2024-01-01 00:${String(at % 60).padStart(2, '0')}:00`,
    );
    transfer.items.add(new File([`id,at\n${rows.join('\n')}\n`], 'mine.csv'));
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
    );
  });
  await page.waitForSelector('.verdict dl >> text=300');
  assert.equal(await page.locator('gallery-view').count(), 0);
  await page.goBack();
  await page.waitForSelector('.shelf');
  await close();
});

test('words of the bench lead to what they mean, and back', async () => {
  const { page, close } = await open();
  const verdict = page.locator('.verdict');
  await verdict.getByText('How measured').click();
  await verdict.locator('p a.word').first().waitFor();
  const meaning = await verdict.locator('p a.word').first().getAttribute('title');
  assert.ok((meaning ?? '').length > 20, 'told where it stands');
  const word = (await verdict.locator('p a.word').first().getAttribute('href')) ?? '';
  await verdict.locator('p a.word').first().click();
  await page.waitForSelector(`#word-${word.replace('#glossary/', '')}`);
  await page.goBack();
  await verdict.waitFor();
  const ids = Object.keys(read('data/messages/glossary.en.json'));
  const links = await page
    .locator('main a.word')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  assert.ok(links.length > 6);
  for (const link of links) assert.ok(ids.includes(String(link).replace('#glossary/', '')), String(link));
  await close();
});
