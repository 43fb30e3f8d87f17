// Summaries: counted, merged and opened, the same as the command line makes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, ROOT } from '../../../scripts/run.mjs';

const { mergeSummaries, openSummary, parseDesign, RowscapeError, Summary } = await import(
  '../../../dist/npm/index.js'
);

const DOCUMENT = {
  rowscape: 1,
  fields: [
    { name: 'id', type: 'text' },
    { name: 'at', type: 'time', format: 'epoch-millis' },
  ],
  arrival: 'at',
  tables: [
    { name: 'ids', rowkey: "id + '-' + at.millis().decimal(13)", splits: { points: ['4', '8'] } },
    { name: 'times', rowkey: 'at.millis().decimal(13) + id', splits: { points: ['17000001'] } },
  ],
};

/** @param {number} from @param {number} to */
const csv = (from, to) =>
  `id,at\n${Array.from({ length: to - from }, (_, row) => `${((from + row) * 7919) % 1000},${1_700_000_000_000 + (from + row) * 60_000}\n`).join('')}`;

test('parts add up to the whole, and a file is that of the command line', async () => {
  const design = parseDesign(DOCUMENT, { table: 'ids' });
  const [a, b, all] = await Promise.all(
    [csv(0, 700), csv(700, 2000), csv(0, 2000)].map((text, part) =>
      design.summarize(text, { part: String(part) }),
    ),
  );
  const whole = mergeSummaries([a, b.toBytes()]);
  assert.deepEqual([whole.rows, whole.sampled, whole.parts.length], [2000, 2000, 2]);
  assert.deepEqual([a.rows, a.parts.length], [700, 1], 'a part is not changed by being merged');
  for (const table of ['ids', 'times', 1]) {
    const [merged, one] = [whole.analyze({ table }), all.analyze({ table })];
    assert.deepEqual(merged.report.heat, one.report.heat);
    assert.deepEqual(merged.report.regions, one.report.regions);
    assert.deepEqual(merged.headline, one.headline);
    assert.deepEqual(merged.findings, one.findings);
  }
  const { report } = await design.analyze(csv(0, 2000));
  assert.deepEqual(whole.analyze().report.regions, report.regions);
  assert.deepEqual(openSummary(whole.toBytes()).document, whole.document);

  const folder = mkdtempSync(join(tmpdir(), 'rowscape-summary-'));
  try {
    writeFileSync(join(folder, 'design.json'), JSON.stringify(DOCUMENT));
    writeFileSync(join(folder, 'a.csv'), csv(0, 700));
    const cli = join(ROOT, 'dist', 'npm', 'cli', 'bin.js');
    const [out, data] = ['a.rowscape', 'a.csv'].map((name) => join(folder, name));
    ask(process.execPath, [cli, 'summarize', join(folder, 'design.json'), data, '-o', out]);
    const named = await design.summarize(csv(0, 700), { name: data });
    assert.deepEqual(new Uint8Array(readFileSync(out)), named.toBytes());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what does not belong together is refused', async () => {
  const design = parseDesign(DOCUMENT);
  const part = await design.summarize(csv(0, 10));
  const code =
    (/** @type {string} */ wanted, path = '') =>
    (/** @type {unknown} */ error) =>
      error instanceof RowscapeError && error.code === wanted && (error.path ?? '') === path;
  assert.throws(() => mergeSummaries([part, part]), code('summary.part-twice'));
  const other = parseDesign({ ...DOCUMENT, name: 'other' });
  const foreign = await other.summarize(csv(10, 20));
  assert.throws(() => mergeSummaries([part, foreign]), code('summary.other-design', 'name'));
  assert.throws(() => openSummary(new Uint8Array(10)), code('summary.not-one'));
  assert.throws(() => openSummary(part.toBytes().subarray(0, 50)), code('summary.cut-short'));
  assert.throws(() => mergeSummaries([]), code('value.wrong-kind', 'parts'));
  part.free();
  assert.throws(() => part.toBytes(), code('value.freed'));
});

test('split points that follow from records are fixed first', async () => {
  const splits = { sample: 3 };
  const design = parseDesign({ ...DOCUMENT, tables: [{ ...DOCUMENT.tables[0], splits }] });
  await assert.rejects(design.summarize(csv(0, 100)), { code: 'summary.splits-follow' });
  const fixed = parseDesign(await design.fixSplits(csv(0, 100)));
  assert.equal(fixed.splitPoints.length, 2);
  const summary = await fixed.summarize(csv(0, 500), { samples: false });
  assert.ok(summary instanceof Summary && summary.sampled === null);
  assert.equal(summary.analyze().report.regionCount, 3);
});
