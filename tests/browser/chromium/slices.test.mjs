// Files in slices, each read by a worker of its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../../../scripts/run.mjs';
import { openBrowser } from '../../../scripts/setup/chromium.mjs';
import { opened } from '../sliced.mjs';
import { calls, withBrowser } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../sliced.mjs').Opening} Opening */

const { open } = withBrowser();

const DESIGN = {
  rowscape: 1,
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'call_time', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: 'Z' },
    { name: 'seconds', type: 'integer' },
  ],
  arrival: 'call_time',
  rowkey: "phone.md5().hex(8) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')",
  splits: { algorithm: 'HexStringSplit', regions: 16 },
};
const CALLS = calls(20_000);
const lines = CALLS.trimEnd().split('\n');
const [HEADER] = lines;
const asJson = (/** @type {string} */ line) => {
  const values = line.split(',');
  return JSON.stringify(
    Object.fromEntries(
      HEADER.split(',').map((name, at) => [name, name === 'seconds' ? Number(values[at]) : values[at]]),
    ),
  );
};

/** Files of 20,000 records, and how many of their three slices others can read. @type {Record<string, { text: string | Buffer, slices: number, input?: object }>} */
const FILES = {
  plain: { text: CALLS, slices: 2 },
  'CR and LF, without a last line end': { text: lines.join('\r\n'), slices: 2 },
  'CR alone': { text: lines.join('\r'), slices: 0 },
  quoted: { text: lines.map((line) => `"${line.split(',').join('","')}"`).join('\n'), slices: 2 },
  'problems in all parts': {
    text: lines
      .map((line, at) => (at % 997 === 5 ? `${line},more` : at % 997 === 9 ? line.replace(/,.*/, '') : line))
      .map((line, at) => (at % 1009 === 7 ? line.replace(/:\d\d,/, ':99,') : line))
      .join('\n'),
    slices: 2,
  },
  // The end of a line lies in a quoted value wherever the file is cut.
  'line ends in values': {
    text: [
      HEADER,
      ...lines.slice(1, 200).map((line) => `"${'1\n'.repeat(9000)}${line.replace(',', '",')}`),
    ].join('\n'),
    slices: 0,
  },
  'JSON lines': { text: lines.slice(1).map(asJson).join('\n'), slices: 2, input: { format: 'jsonl' } },
  'a JSON array': {
    text: `[${lines.slice(1).map(asJson).join(',\n')}]`,
    slices: 0,
    input: { format: 'jsonl' },
  },
  'UTF-16': { text: Buffer.from(`\ufeff${CALLS}`, 'utf16le'), slices: 0 },
  gzip: { text: gzipSync(CALLS), slices: 0 },
};

const GOLDEN = join(ROOT, 'tests', 'formats', 'golden');
const json = (/** @type {string} */ name) => JSON.parse(readFileSync(join(GOLDEN, name), 'utf8'));

/** @param {Page} page @param {string | Buffer} text @param {Partial<Opening>} [more] */
async function openedIn(page, text, more) {
  await page.evaluate(() => {
    document.querySelector('#sliced')?.remove();
    document.body.insertAdjacentHTML('beforeend', '<input type="file" id="sliced">');
  });
  const buffer = Buffer.from(text);
  await page.setInputFiles('#sliced', { name: 'calls.csv', mimeType: 'text/csv', buffer });
  return page.evaluate(opened, { design: DESIGN, workers: 1, step: 1 << 12, ...more });
}

for (const [name, { text, slices, input }] of Object.entries(FILES)) {
  test(`a file is read in slices as by one worker: ${name}`, async () => {
    const { page, close } = await open();
    const alone = await openedIn(page, text, { input });
    assert.equal(alone.loaded.slices, undefined);
    for (const workers of [3, 4]) {
      const sliced = await openedIn(page, text, { input, workers });
      const { slices: found = 0, ...loaded } = sliced.loaded;
      assert.equal(found, slices && workers - 1);
      assert.deepEqual(
        { ...loaded, milliseconds: 0, memory: 0 },
        { ...alone.loaded, milliseconds: 0, memory: 0 },
      );
      assert.equal(sliced.found, alone.found);
    }
    await close();
  });
}

/** Keys of records in row groups. @type {Record<string, { rowkey?: string, kinds?: object }>} */
const TABLES = {
  'as the golden file': {},
  // A random salt depends on where a record lies in the text of all row groups.
  'with a random salt': { rowkey: "salt(16) + '_' + count" },
  'of kinds, one with a random salt': {
    rowkey: undefined,
    kinds: {
      even: { when: { field: 'text', is: ['plain', 'user1', 'user5'] }, rowkey: "salt(16) + '_' + count" },
      odd: { when: { field: 'text', is: ['üñí', 'user2', 'user4'] }, rowkey: "'b' + count" },
    },
  },
  'of one column': { rowkey: 'count' },
};

for (const [name, more] of Object.entries(TABLES)) {
  test(`row groups are read in slices as by one worker: ${name}`, async () => {
    const { page, close } = await open();
    const own = json('groups.csv.json');
    const design = { ...own, splits: { points: ['2', '7'] }, ...more };
    const buffer = readFileSync(join(GOLDEN, 'groups.parquet'));
    const opening = { design, input: { format: 'parquet' }, step: 512 };
    const alone = await openedIn(page, buffer, opening);
    assert.equal(alone.loaded.rows, 40);
    assert.equal(alone.loaded.slices, undefined);
    for (const workers of [2, 3, 4]) {
      const sliced = await openedIn(page, buffer, { ...opening, workers });
      const { slices, read, ...loaded } = sliced.loaded;
      assert.equal(slices, workers - 1);
      assert.deepEqual(
        { ...loaded, read, milliseconds: 0, memory: 0 },
        { ...alone.loaded, milliseconds: 0, memory: 0 },
      );
      assert.equal(sliced.found, alone.found);
    }
    await close();
  });
}

test('row groups that are damaged end a file in slices as they end one', async () => {
  const { page, close } = await open();
  const design = { ...json('groups.csv.json'), splits: { points: [] } };
  const buffer = Buffer.from(readFileSync(join(GOLDEN, 'groups.parquet')));
  for (const place of [0.2, 0.5, 0.8]) {
    const bad = Buffer.from(buffer);
    // The footer takes the last third.
    bad.fill(0x5a, Math.floor(bad.length * 0.6 * place), Math.floor(bad.length * 0.6 * place) + 40);
    const opening = { design, input: { format: 'parquet' }, step: 512 };
    const alone = await openedIn(page, bad, opening);
    assert.equal(alone.loaded.problems.first[0]?.code, 'input.broken-table');
    const sliced = await openedIn(page, bad, { ...opening, workers: 4 });
    assert.deepEqual(sliced.loaded.problems, alone.loaded.problems);
    assert.equal(sliced.loaded.rows, alone.loaded.rows);
    assert.equal(sliced.found, alone.found);
  }
  await close();
});

/**
 * Begins to read a file of 400 MB that takes no room, and stops once some of it was read. Runs in the page.
 * @param {{ design: typeof DESIGN, text: string, workers: number }} asked
 */
async function stopped({ design, text, workers }) {
  const at = (/** @type {string} */ name) => new URL(name, document.baseURI).href;
  const worker = new Worker(at('worker.js'), { type: 'module' });
  worker.postMessage({
    type: 'first',
    module: null,
    parts: ['first', 'rest', 'formats'].map((name) => at(`pkg/${name}.wasm`)),
  });
  worker.postMessage({
    type: 'rest',
    module: await WebAssembly.compileStreaming(fetch(at('pkg/rest.wasm'))),
  });
  const part = new Blob([text]);
  const file = new File(Array(Math.ceil(400_000_000 / text.length)).fill(part), 'calls.csv');
  const source = { kind: 'file', name: file.name, files: [file] };
  const ask = {
    source,
    input: { format: 'csv', fields: design.fields },
    document: JSON.stringify(design),
    table: 0,
    workers,
  };
  /** @type {{ bytes: number, rows: number, total: number }[]} */
  const seen = [];
  let asked = 0;
  const error = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      if ('given' in data || data.error) resolve(data.error);
      else if (data.progress && seen.push(data.progress) === 5) {
        asked = performance.now();
        worker.postMessage({ type: 'cancel' });
      }
    };
    worker.postMessage({ id: 1, type: 'read', ask });
  });
  const took = performance.now() - asked;
  worker.terminate();
  return { error, took, seen };
}

test('a file in slices is stopped at once, and what all workers have read is told', async () => {
  const { page, close } = await open();
  const { error, took, seen } = await page.evaluate(stopped, { design: DESIGN, text: CALLS, workers: 3 });
  assert.equal(error?.cancelled, true);
  // Reading all of it takes several times as long.
  assert.ok(took < 2000, `${took} ms`);
  for (const [at, { bytes, rows, total }] of seen.entries()) {
    assert.ok(bytes >= (seen[at - 1]?.bytes ?? 0) && bytes <= total, `${bytes} bytes of ${total}`);
    assert.ok(rows >= (seen[at - 1]?.rows ?? 0));
  }
  await close();
});

test('records that are more than the memory they may take are counted as they pass', async () => {
  const { page, close } = await open();
  // A sample of fewer would hold them all.
  const many = calls(300_000);
  const alone = await openedIn(page, many, { budget: 1_000_000 });
  const sliced = await openedIn(page, many, { budget: 1_000_000, workers: 3 });
  assert.equal(alone.loaded.sampled, true);
  assert.equal(sliced.found, alone.found);
  await close();
});

test('where no other worker starts, one reads alone', async () => {
  /** Sent in place of the worker's script, but to the first that asks. @type {string | null} */
  let wrong = null;
  let asked = 0;
  const types = { js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer((request, response) => {
    const path = String(request.url);
    const type = types[/** @type {keyof typeof types} */ (path.split('.').pop())] ?? 'text/html';
    response.setHeader('content-type', type);
    const isWrong = path === '/worker.js' && ++asked > 1 && wrong !== null;
    if (isWrong) response.statusCode = wrong ? 200 : 500;
    response.end(
      /^\/(favicon.ico)?$/.test(path)
        ? '<body>'
        : isWrong
          ? wrong
          : readFileSync(join(ROOT, 'dist', 'site', path)),
    );
  }).listen(0);
  await once(server, 'listening');
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(
      `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`,
    );
    const alone = await openedIn(page, CALLS);
    for (wrong of [null, '', 'nonsense(', 'postMessage({ id: 1, error: {} })']) {
      asked = 0;
      const { loaded, found } = await openedIn(page, CALLS, { workers: 3 });
      assert.equal(asked, 3);
      assert.equal(loaded.slices, wrong === null ? 2 : undefined);
      assert.equal(found, alone.found);
    }
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
});
