// <rowscape-figure> in a plain page under a strict Content Security Policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ships } from '../../../scripts/build/index.mjs';
import { ROOT } from '../../../scripts/run.mjs';
import { coloursOf, drawn, STRICT, textOf, withFigures } from './figures.mjs';
import { DESIGN } from './orders.mjs';

const { open, file } = withFigures();
const FIGURE = '<rowscape-figure src="design.json" data="orders.csv"></rowscape-figure>';

test('a heatmap is drawn under a strict policy, with nothing refused', async () => {
  const { page, close } = await open(FIGURE);
  await drawn(page);
  assert.ok((await coloursOf(page)) >= 2, 'not blank');
  assert.match(await textOf(page), /Orders by customer/);
  await close();
});

test('every view says what follows from the records', async () => {
  const views = ['keys', 'regions', 'bytes', 'queries'];
  const { page, close } = await open(
    views
      .map((view) => `<rowscape-figure src="design.json" data="orders.csv" view="${view}"></rowscape-figure>`)
      .join(''),
    { options: { viewport: { width: 1000, height: 4000 } } },
  );
  await drawn(page, views.length);
  const [keys, regions, bytes, queries] = await Promise.all(views.map((_, index) => textOf(page, index)));
  assert.match(keys, /120 keys of 18 bytes/);
  assert.match(keys, /alice_202405010000/);
  assert.match(regions, /0\s+\(first\)\s+60\s+50%/);
  assert.match(regions, /1\s+b\s+0\s+0%/);
  assert.match(regions, /2\s+c\s+60\s+50%/);
  assert.match(bytes, /61 6c 69 63 65|63 61 72 6f 6c/, 'alice or carol in hexadecimal');
  assert.match(queries, /one customer\s+One scan, in 1 of 3 regions/);
  await close();
});

test('a figure says how many rows have no key, and why the first has none', async () => {
  const short = { ...DESIGN, rowkey: 'customer.text(4) + at.millis().int64()' };
  const { page, close } = await open(
    `<rowscape-figure data="orders.csv"><script type="application/json">${JSON.stringify(short)}</script></rowscape-figure>`,
  );
  await drawn(page);
  const said = await textOf(page);
  assert.match(said, /\d+ rejected rows have no key\. First reason: row 1, customer: the text is longer/);
  assert.doesNotMatch(said, /step\.|\{/);
  await close();
});

test('two designs are compared on the same records', async () => {
  file(
    'hashed.json',
    JSON.stringify({
      ...DESIGN,
      name: 'Hashed',
      rowkey: `customer.md5().hex(4) + '_' + at.format('yyyyMMddHHmm')`,
    }),
  );
  const { page, close } = await open(
    '<rowscape-figure src="design.json" with="hashed.json" data="orders.csv" view="compare"></rowscape-figure>',
  );
  await drawn(page);
  const said = await textOf(page);
  assert.match(said, /“Hashed” compared with “Orders by customer”/);
  assert.match(said, /120 of 120 rows get another key/);
  await close();
});

/** A design that makes up its records. */
const MADE = {
  ...DESIGN,
  generate: {
    rows: 500,
    seed: 1,
    start: '2024-05-01T00:00:00Z',
    span: '1d',
    fields: [
      { name: 'customer', from: { entity: { count: 50, prefix: 'c', digits: 4 } } },
      { name: 'at', from: 'arrival' },
    ],
  },
};

test('a design written inside needs no file', async () => {
  const { page, close } = await open(
    `<rowscape-figure><script type="application/json">${JSON.stringify(MADE)}</script></rowscape-figure>`,
  );
  await drawn(page);
  assert.ok((await coloursOf(page)) >= 2);
  await close();
});

test('a figure waits until it is scrolled to', async () => {
  const { page, close } = await open(`<div class="far"></div>${FIGURE}`, {
    styles: '.far { height: 5000px }',
  });
  await page.waitForTimeout(300);
  assert.equal(page.workers().length, 0);
  await page.locator('rowscape-figure').scrollIntoViewIfNeeded();
  await drawn(page);
  await close();
});

test('figures share one worker, which ends when the last is removed', async () => {
  const { page, close } = await open(FIGURE.repeat(4), {
    options: { viewport: { width: 1000, height: 4000 } },
  });
  await drawn(page, 4);
  assert.equal(page.workers().length, 1);
  const first = page.locator('rowscape-figure').first();
  await first.evaluate((figure) => figure.remove());
  await page.waitForTimeout(100);
  assert.equal(page.workers().length, 1);
  const ended = page.workers()[0].waitForEvent('close');
  await page.evaluate(() => {
    for (const figure of document.querySelectorAll('rowscape-figure')) figure.remove();
  });
  await ended;
  assert.equal(page.workers().length, 0);
  await page.evaluate(() => {
    const figure = document.createElement('rowscape-figure');
    figure.setAttribute('src', 'design.json');
    figure.setAttribute('data', 'orders.csv');
    document.body.append(figure);
  });
  await drawn(page);
  await close();
});

/** An empty page, the files of the module it asks for, and what puts figures into it. */
async function emptyPage() {
  const { page, close, errors } = await open('', { options: { viewport: { width: 1000, height: 4000 } } });
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => {
    const name = request.url().split('/').pop() ?? '';
    if (name.endsWith('.wasm')) asked.push(name);
  });
  const add = (/** @type {string} */ view, other = {}) =>
    page.evaluate(
      (attributes) => {
        const figure = document.createElement('rowscape-figure');
        for (const [name, value] of Object.entries(attributes)) figure.setAttribute(name, value);
        document.body.append(figure);
      },
      { src: 'design.json', data: 'orders.csv', view, ...other },
    );
  return { page, close, errors, asked, add };
}
const [FIRST, REST] = ['rowscape-first.wasm', 'rowscape-rest.wasm'];

/** Tests of the module in two parts. */
const inParts = { skip: !ships() && 'the module for tests is whole' };

test(
  'most figures are drawn with the first part of the module; the rest is fetched once for those that need it',
  inParts,
  async () => {
    const { page, close, asked, add } = await emptyPage();
    for (const view of ['heatmap', 'keys', 'regions', 'bytes']) await add(view);
    await drawn(page, 4);
    assert.deepEqual(asked, [FIRST]);
    for (const view of ['queries', 'queries', 'heatmap']) await add(view);
    await drawn(page, 7);
    assert.deepEqual(asked, [FIRST, REST]);
    await close();
  },
);

test(
  'a figure whose part of the module can’t be had says so, the others stay, and the next one tries again',
  inParts,
  async () => {
    const { page, add } = await emptyPage();
    await page.route(`**/${REST}`, (route) => route.abort());
    await add('heatmap');
    await drawn(page);
    await add('queries');
    await page.waitForSelector('rowscape-figure .error');
    assert.match(await textOf(page, 1), /rowscape-rest\.wasm can’t be fetched/);
    assert.ok((await coloursOf(page)) >= 2);
    await page.unroute(`**/${REST}`);
    await page.evaluate(() => document.querySelectorAll('rowscape-figure')[1].remove());
    await add('queries');
    await drawn(page, 2);
    await page.close();
  },
);

test(
  'what a view does not take in most figures is had all the same, while the worker waits',
  inParts,
  async () => {
    file('made.json', JSON.stringify(MADE));
    const { page, close, asked, add } = await emptyPage();
    await add('heatmap', { src: 'made.json' });
    await drawn(page);
    assert.ok((await coloursOf(page)) >= 2);
    assert.deepEqual(asked, [FIRST, REST]);
    await close();
  },
);

test('parts of two versions are told from each other', inParts, async () => {
  const first = readFileSync(join(ROOT, 'dist', 'npm', FIRST));
  const rest = readFileSync(join(ROOT, 'dist', 'npm', REST));
  const stamp = WebAssembly.Module.exports(new WebAssembly.Module(first)).find(({ name }) =>
    /^[0-9a-f]{16}$/.test(name),
  );
  rest.write('0'.repeat(16), rest.indexOf(stamp?.name ?? 'none'));
  const { page, add } = await emptyPage();
  await page.route(`**/${REST}`, (route) => route.fulfill({ body: rest, contentType: 'application/wasm' }));
  await add('queries');
  await page.waitForSelector('rowscape-figure .error');
  assert.match(await textOf(page), /different versions/);
  await add('heatmap');
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelectorAll('rowscape-figure')[1]).drawn,
  );
  await page.close();
});

test('where no worker is allowed it is drawn all the same', async () => {
  const policy = STRICT.replace("worker-src 'self' blob:", "worker-src 'none'");
  const { page, errors } = await open(FIGURE, { policy });
  await drawn(page);
  assert.ok((await coloursOf(page)) >= 2);
  assert.equal(page.workers().length, 0);
  assert.ok(
    errors.every((text) => /worker/i.test(text)),
    errors.join('\n'),
  );
  await page.close();
});

test('a policy that forbids wasm is named, with what to add to it, beside what the author wrote', async () => {
  const policy = STRICT.replace(" 'wasm-unsafe-eval'", '');
  const { page } = await open(
    '<rowscape-figure src="design.json" data="orders.csv"><table><tr><td>60 rows</td></tr></table></rowscape-figure>',
    { policy },
  );
  await page.waitForSelector('rowscape-figure .error');
  assert.match(
    await textOf(page),
    /Content Security Policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src/,
  );
  assert.ok(await page.locator('rowscape-figure td').isVisible());
  await page.close();
});

for (const [what, figure, said] of [
  [
    'a missing file',
    '<rowscape-figure src="nowhere.json"></rowscape-figure>',
    /nowhere\.json can’t be read: the server returned 404/,
  ],
  [
    'wrong JSON',
    '<rowscape-figure><script type="application/json">{ "rowscape": 1, }</script></rowscape-figure>',
    /is not JSON/,
  ],
  [
    'a wrong design',
    '<rowscape-figure><script type="application/json">{ "rowscape": 1, "nosuch": 1 }</script></rowscape-figure>',
    /nosuch/,
  ],
  ['no records', '<rowscape-figure src="design.json"></rowscape-figure>', /needs records/],
  ['no design', '<rowscape-figure></rowscape-figure>', /No design\./],
  [
    'an unknown view',
    '<rowscape-figure src="design.json" view="pie"></rowscape-figure>',
    /Unknown view “pie”/,
  ],
]) {
  test(`${what} is said`, async () => {
    const { page } = await open(String(figure));
    await page.waitForSelector('rowscape-figure .error');
    assert.match(await textOf(page), /** @type {RegExp} */ (said));
    await page.close();
  });
}

test('without script what the author wrote is shown', async () => {
  const { page } = await open(
    '<rowscape-figure src="design.json"><table><tr><td>60 rows</td></tr></table></rowscape-figure>',
    {
      options: { javaScriptEnabled: false },
    },
  );
  assert.ok(await page.locator('td').isVisible());
  await page.close();
});

test('it is dark where the site is, and follows when that changes', async () => {
  const styles = 'body { background: #fff; color: #111 } html.dark body { background: #111; color: #eee }';
  const { page, close } = await open(FIGURE, { styles });
  await drawn(page);
  await page.waitForSelector('rowscape-figure .is-light');
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await page.waitForSelector('rowscape-figure .is-dark');
  await close();
});

test('one classic script with everything inside draws every view too, as sites load it', async () => {
  file('made.json', JSON.stringify(MADE));
  file('hashed.json', JSON.stringify({ ...DESIGN, name: 'Hashed', rowkey: 'customer.md5()' }));
  const views = ['heatmap', 'keys', 'regions', 'bytes', 'queries', 'compare'];
  const figures = views.map(
    (view) =>
      `<rowscape-figure src="design.json" with="hashed.json" data="orders.csv" view="${view}"></rowscape-figure>`,
  );
  const { page, close } = await open(
    `${figures.join('')}<rowscape-figure src="made.json"></rowscape-figure>`,
    {
      script: 'npm/standalone.js',
      options: { viewport: { width: 1000, height: 6000 } },
    },
  );
  await drawn(page, views.length + 1);
  for (const index of [0, views.length]) assert.ok((await coloursOf(page, index)) >= 2);
  await close();
});

test('printed, it is drawn for white paper', async () => {
  const { page, close } = await open(FIGURE, { styles: 'body { background: #111; color: #eee }' });
  await drawn(page);
  await page.waitForSelector('rowscape-figure .is-dark');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.waitForSelector('rowscape-figure .is-light');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.waitForSelector('rowscape-figure .is-dark');
  await close();
});

test('the embed code of the page is a figure that draws the design', async () => {
  const { embedOf } = await import('./embed-code.mjs');
  const spec = { rows: 300, seed: 1, start: '2024-05-01T00:00:00Z', span: '1d' };
  const fields = [
    { name: 'customer', from: { entity: { count: 50, prefix: 'c', digits: 4 } } },
    { name: 'at', from: 'arrival' },
  ];
  const design = { ...DESIGN, name: '</script><b>' };
  const code = await embedOf(design, { kind: 'generator', name: 'made up', spec: { ...spec, fields } });
  const { page, close } = await open(code.replace('rowscape/element.js', 'npm/element.js'));
  await drawn(page);
  assert.ok((await coloursOf(page)) >= 2);
  assert.match(await textOf(page), /<\/script><b>/);
  await close();
});
