// A large `Blob` that several threads of Node read gives what one thread reads of it.
import assert from 'node:assert/strict';
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseDesign } from '../../../dist/npm/index.js';
import { given, running, started } from './threads.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rowscape-threads-'));
after(() => rmSync(folder, { recursive: true }));

const DESIGN = {
  rowscape: 1,
  fields: [
    { name: 'device', type: 'text' },
    { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: 'Z' },
    { name: 'value', type: 'integer' },
  ],
  arrival: 'at',
  rowkey: "device.md5().hex(8) + '_' + device + '_' + at.format('yyyyMMddHHmmss')",
  splits: { algorithm: 'HexStringSplit', regions: 16 },
};
const START = Date.UTC(2024, 0, 1);
/** Rows of about 50 bytes: three slices of 16 MiB. */
const ROWS = 1_000_000;

/**
 * Lines of readings.
 * @param {(line: string, row: number) => string} [changed]
 */
function readings(changed = (line) => line) {
  const lines = ['device,at,value'];
  for (let row = 0; row < ROWS; row++) {
    const at = new Date(START + Math.floor(row / 7) * 1000).toISOString();
    const time = `${at.slice(0, 10)} ${at.slice(11, 19)}`;
    lines.push(changed(`device-number-${(row * 7919) % 10_007},${time},${row % 1000 ? row : ''}`, row));
  }
  return lines.join('\n');
}

/** @param {string} text @param {string} [name] */
async function fileOf(text, name = 'readings.csv') {
  writeFileSync(join(folder, name), text);
  return openAsBlob(join(folder, name));
}

/** All that an analysis tells, but for the names of its arrays' types. @param {unknown} found */
const told = (found) =>
  JSON.stringify(found, (_, value) => (ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value));

/** @type {Record<string, string>} */
const FILES = {
  plain: readings(),
  'with refused rows and values': readings((line, row) =>
    row % 9973 === 5 ? `${line},more` : row % 9967 === 7 ? line.replace(/:\d\d,/, ':99,') : line,
  ),
  // A slice can't begin where a line ends within a value: the first thread reads on.
  'with line ends in values': readings((line, row) => (row % 3 ? line : `"${line.replace(',', '\n",')}`)),
};

for (const [name, text] of Object.entries(FILES)) {
  const areSlices = name !== 'with line ends in values';
  test(`several threads read what one reads: ${name}`, async () => {
    const file = await fileOf(text);
    const design = parseDesign(DESIGN);
    const alone = told(await design.analyze(file, { threads: 1 }));
    for (const threads of areSlices ? [2, 3] : [2]) {
      /** @type {import('../../../dist/npm/reading.js').Progress[]} */
      const seen = [];
      const before = given();
      const found = await design.analyze(file, {
        threads,
        onProgress: (progress) => void seen.push(progress),
      });
      if (areSlices) assert.equal(given() - before, Math.min(threads, Math.floor(file.size / 2 ** 24)) - 1);
      assert.ok(told(found) === alone, `${threads} threads find something else`);
      for (const [at, { bytes, rows, total }] of seen.entries()) {
        assert.equal(total, file.size);
        assert.ok(bytes >= (seen[at - 1]?.bytes ?? 0) && bytes <= file.size, JSON.stringify(seen));
        assert.ok(rows >= (seen[at - 1]?.rows ?? 0) && rows <= ROWS, JSON.stringify(seen));
      }
      assert.equal(seen.at(-1)?.bytes, file.size);
    }
  });
}

test('a summary counts what several threads read', async () => {
  const file = await fileOf(FILES.plain);
  const design = parseDesign(DESIGN);
  const before = given();
  const [one, two] = await Promise.all([1, 2].map((threads) => design.summarize(file, { threads })));
  assert.equal(given() - before, 1);
  assert.deepEqual(one.toBytes(), two.toBytes());
});

test('reading by several threads ends when it is told to', async () => {
  const file = await fileOf(FILES.plain);
  const design = parseDesign(DESIGN);
  const stop = new AbortController();
  const before = started();
  const reading = design.analyze(file, { threads: 3, signal: stop.signal, onProgress: () => stop.abort() });
  await assert.rejects(reading, { name: 'AbortError' });
  assert.equal(started() - before, 1);
  for (let waited = 0; running() > 0 && waited < 5000; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(running(), 0);
});

test('a number of threads that is none is refused', async () => {
  for (const threads of [0, 1.5, 65, /** @type {any} */ ('2')])
    await assert.rejects(parseDesign(DESIGN).analyze('device\n', { threads }), /threads/);
});
