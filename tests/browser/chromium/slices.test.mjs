// Files in slices, each read by a worker of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
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
    { name: 'duration', type: 'integer' },
    { name: 'cell_id', type: 'text' },
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
      HEADER.split(',').map((name, at) => [name, name === 'duration' ? Number(values[at]) : values[at]]),
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
