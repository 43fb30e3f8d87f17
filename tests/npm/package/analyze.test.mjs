// Records from every kind of source, through the built package.
import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DESIGN, RECORDS } from '../../browser/chromium/orders.mjs';

const { DamagedInputError, parseDesign, RowscapeError } = await import('../../../dist/npm/index.js');
const design = parseDesign(DESIGN);
const bytes = new TextEncoder().encode(RECORDS);

/** Rows of each region. @param {import('../../../dist/npm/api.js').Source} source @param {object} [options] */
const rowsOf = async (source, options) =>
  (await design.analyze(source, options)).report.regions.map(({ rows }) => rows);

const folder = mkdtempSync(join(tmpdir(), 'rowscape-'));
const path = join(folder, 'orders.csv');
writeFileSync(path, RECORDS);
test.after(() => rmSync(folder, { recursive: true }));

for (const [kind, source] of /** @type {[string, () => any][]} */ ([
  ['a text', () => RECORDS],
  ['bytes', () => bytes],
  ['gzipped bytes', () => new Uint8Array(gzipSync(bytes))],
  ['a Blob', () => new Blob([bytes])],
  ['a File', () => new File([bytes], 'orders.csv')],
  ['a ReadableStream', () => new Blob([bytes]).stream()],
  ['a stream of Node', () => createReadStream(path, { highWaterMark: 100 })],
  [
    'an async iterable of texts',
    async function* () {
      for (const line of RECORDS.split(/(?<=\n)/)) yield line;
    },
  ],
  ['UTF-16', () => new Uint8Array(Buffer.from(`\ufeff${RECORDS}`, 'utf16le'))],
])) {
  test(`${kind} is read: 60 rows, none, 60 rows`, async () => {
    assert.deepEqual(await rowsOf(source()), [60, 0, 60]);
  });
}

test('the encoding is that of the mark, else as said, else UTF-8 with what is no text told', async () => {
  const latin = new Uint8Array(Buffer.from(RECORDS.replace(/\n[^,\n]+/, '\n1\xfc'), 'latin1'));
  const assumed = await design.analyze(latin);
  assert.deepEqual(assumed.problems.files[0], {
    name: 'records',
    format: 'csv',
    encoding: 'utf-8',
    by: 'assumed',
  });
  assert.equal(assumed.problems.bad_bytes, 1);
  const [told] = assumed.problems.first;
  assert.deepEqual([told.code, told.place?.row], ['field.not-utf8', 1]);
  const said = await design.analyze(latin, { encoding: 'windows-1252' });
  assert.deepEqual([said.problems.bad_bytes, said.problems.files[0].by], [0, 'given']);
  await assert.rejects(design.analyze(latin, { encoding: /** @type {any} */ ('latin1') }), RowscapeError);
});

test('an array that is cut short is kept up to there and refused', async () => {
  const whole = RECORDS.trim().split('\n').slice(1).length;
  assert.ok(whole > 1);
  const cut = RECORDS.trimEnd().slice(0, RECORDS.trimEnd().lastIndexOf(','));
  await assert.rejects(design.analyze(cut), (/** @type {any} */ error) => {
    assert.ok(error instanceof DamagedInputError);
    assert.equal(error.code, 'input.cut-short');
    return true;
  });
});

/** As `cat` and bgzip make them. @param {Buffer[]} parts */
const members = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => gzipSync(part))));
const HALF = Math.floor(bytes.length / 2) + 5;
const [first, second] = [bytes.slice(0, HALF), bytes.slice(HALF)].map((half) => Buffer.from(half));
/** In pieces of a few bytes, once. @param {Uint8Array} all */
async function* once(all) {
  for (let at = 0; at < all.length; at += 50) yield all.subarray(at, at + 50);
}

for (const [kind, of] of /** @type {[string, (all: Uint8Array<ArrayBuffer>) => any][]} */ ([
  ['bytes', (all) => all],
  ['a Blob', (all) => new Blob([all])],
  ['a ReadableStream', (all) => new Blob([all]).stream()],
  ['an async iterable', once],
])) {
  test(`gzip of several members as ${kind} is read whole`, async () => {
    assert.deepEqual(await rowsOf(of(members(first, Buffer.alloc(0), second))), [60, 0, 60]);
  });

  test(`of a damaged second member as ${kind} what comes before is kept and counted`, async () => {
    const damaged = members(first, second);
    damaged[damaged.length - 8] ^= 1;
    const short = damaged.subarray(0, gzipSync(first).length + 30);
    // The line at which the first member ends is no record yet.
    const whole = first.toString().split('\n').length - 2;
    const error = await design.analyze(of(short), { name: 'orders.csv.gz' }).then(
      () => assert.fail('read to its end'),
      (refusal) => refusal,
    );
    assert.ok(error instanceof DamagedInputError && error instanceof RowscapeError);
    assert.equal(error.code, 'input.broken-gzip');
    const { rows } = /** @type {{ rows: string }} */ (error.args);
    assert.match(error.message, new RegExp(`^orders.csv.gz: .* after ${rows} records, which are kept`));
    assert.ok(Number(rows) >= whole && Number(rows) < 120, `${rows} of at least ${whole}`);
    assert.equal(error.analysis.report.rows, Number(rows));
    await assert.rejects(design.analyze(of(damaged)), { code: 'input.broken-gzip' });
  });
}

test('a damaged gzip file nothing of which can be read is refused', async () => {
  const nothing = Uint8Array.of(...gzipSync(bytes).subarray(0, 10), 255, 255, 255);
  await assert.rejects(design.analyze(nothing), { name: 'RowscapeError', code: 'input.broken-gzip' });
});

test('progress ends with all rows', async () => {
  /** @type {import('../../../dist/npm/api.js').Progress[]} */
  const told = [];
  await rowsOf(bytes, { onProgress: (/** @type {any} */ progress) => told.push(progress) });
  assert.deepEqual(told.at(-1), { bytes: bytes.length, rows: 120, total: bytes.length });
});

test('an aborted read ends with the reason, even while nothing comes, and lets the source go', async () => {
  let released = false;
  const hanging = new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    cancel() {
      released = true;
    },
  });
  const stop = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => stop.abort(reason), 20);
  await assert.rejects(design.analyze(hanging, { signal: stop.signal }), reason);
  assert.ok(released, 'the source is let go');
  await assert.rejects(design.analyze(RECORDS, { signal: AbortSignal.abort(reason) }), reason);
});

test('what holds no records is refused with a code, and what is no source by its kind', async () => {
  await assert.rejects(design.analyze(''), (error) => error instanceof RowscapeError && Boolean(error.code));
  await assert.rejects(design.analyze(/** @type {any} */ (5)), { code: 'value.wrong-kind', path: 'source' });
});

test('findings speak of the records', async () => {
  const { findings, report } = await design.analyze(RECORDS);
  assert.ok(findings.length > 0 && findings.every(({ code, message }) => code && message));
  assert.equal(report.keys.count, 120);
  assert.equal(report.skew.empty, 1);
});

test('one of a thing is said as one', async () => {
  const { report } = await design.analyze(RECORDS.split('\n').slice(0, 2).join('\n'));
  assert.match(report.verdict.message, /^One row is too few/);
});

test('a field of a date and a time of day in two columns is read as one', async () => {
  const joined = parseDesign({
    rowscape: 1,
    fields: [
      { name: 'who', type: 'text' },
      { name: 'called', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', from: ['date', 'time'] },
    ],
    arrival: 'called',
    rowkey: "called.format('yyyyMMddHHmmss') + who",
  });
  const rows = 'who,date,time\na,2024-05-01,13:45:10\nb,2024-05-02,noon\nc,2024-05-03,00:00:00\n';
  const { report, problems } = await joined.analyze(rows);
  assert.deepEqual(
    report.regions.map((region) => region.rows),
    [2],
  );
  assert.deepEqual(
    joined.encode({ who: 'a', called: '2024-05-01 13:45:10' }),
    joined.encode({ who: 'a', called: new Date('2024-05-01T13:45:10Z') }),
  );
  assert.ok(problems);
});

test('what the shell prints of a scan is read, with the time of writing', async () => {
  const scanned = parseDesign({
    rowscape: 1,
    fields: [
      { name: 'key', type: 'bytes', format: 'escaped' },
      { name: 'written', type: 'time', format: 'epoch-millis' },
    ],
    arrival: 'written',
    rowkey: 'key',
    splits: { points: ['\\x01'] },
  });
  const cells = ['\\x00a', '\\x00a', '\\x00b', 'c'].map(
    (key, at) => ` ${key}  column=d:c, timestamp=${1_767_268_800_000 + at}, value=`,
  );
  const { report } = await scanned.analyze(['ROW   COLUMN+CELL', ...cells, '3 row(s)'].join('\n'));
  assert.deepEqual(
    report.regions.map(({ rows }) => rows),
    [2, 1],
  );
  assert.equal(report.time?.start, 1_767_268_800_000);
});

test('ids without a time have a verdict of their own, as their finding says', async () => {
  const ids = parseDesign({
    rowscape: 1,
    fields: [{ name: 'id', type: 'integer' }],
    rowkey: 'id.decimal(10)',
    splits: { sample: 8 },
  });
  const rows = Array.from({ length: 1000 }, (_, at) => 5_000_000 + at).join('\n');
  const { headline, report, findings } = await ids.analyze(`id\n${rows}\n`);
  assert.equal(report.verdict.code, 'verdict.counting');
  assert.deepEqual([headline.code, headline.severity], ['verdict.counting', 'bad']);
  assert.ok(findings.some(({ code, severity }) => code === 'RS101' && severity === 'bad'));
});
