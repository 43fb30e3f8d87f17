// Suggested row keys through the npm package, as it is built.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as core from '#core';
import { parseDesign, RowscapeError, suggest } from '../../../dist/npm/index.js';
import { ROOT } from '../../../scripts/run.mjs';
import { NATIVE } from '../../native.mjs';

/** @typedef {import('../../../dist/npm/api.js').SuggestProgress} SuggestProgress */

core.initSync({ module: readFileSync(join(ROOT, 'dist', 'wasm', 'whole.wasm')) });

const folder = mkdtempSync(join(tmpdir(), 'rowscape-suggest-'));
after(() => rmSync(folder, { recursive: true }));

const STUDY = {
  rowscape: 1,
  fields: [
    { name: 'host', type: 'text' },
    { name: 'at', type: 'time', format: 'epoch-seconds' },
    { name: 'line', type: 'integer' },
  ],
  arrival: 'at',
  servers: 4,
  queries: [
    { name: 'a host', where: { host: 'web-1', at: { from: '1700000000', to: '1700000600' } }, rate: 5 },
  ],
};

/** A line of a host every second. @param {number} rows */
const columns = (rows) => ({
  host: Array.from({ length: rows }, (_, row) => `web-${(row * 7919) % 40}`),
  at: Array.from({ length: rows }, (_, row) => 1_700_000_000 + row),
  line: Array.from({ length: rows }, (_, row) => row),
});

/** @param {number} rows */
function csv(rows) {
  const { host, at, line } = columns(rows);
  return `host,at,line\n${line.map((row) => `${host[row]},${at[row]},${row}\n`).join('')}`;
}

/** Records of a gallery entry as CSV. @param {any} design @param {number} rows */
function generated({ fields, generate }, rows) {
  const records = core.Records.generate({ ...generate, rows }, fields);
  const names = fields.map((/** @type {{ name: string }} */ { name }) => name);
  const lines = Array.from({ length: records.rows }, (_, row) => records.row(row));
  records.free();
  return [names, ...lines].map((line) => `${line.join(',')}\n`).join('');
}

for (const slug of ['c1-bucket-of-phone-and-month', 'i4-newest-first'])
  test(`${slug}: the package suggests what the native program suggests`, async () => {
    const design = JSON.parse(readFileSync(join(ROOT, 'data', 'gallery', `${slug}.json`), 'utf8'));
    const data = generated(design, 600);
    const { rowkey, splits, generate, ...study } = design;
    const files = [join(folder, `${slug}.json`), join(folder, `${slug}.csv`)];
    writeFileSync(files[0], JSON.stringify(study));
    writeFileSync(files[1], data);
    const native = spawnSync(NATIVE, ['suggest', ...files, '--json', '--options', '{"tables":1}'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    assert.equal(native.status, 0, native.stderr);
    const found = await suggest(study, data, { tables: 1 });
    assert.ok(found.suggestions.length > 0);
    assert.deepEqual(found, JSON.parse(native.stdout));
  });

test('every suggestion is a design, and columns are as good as a file', async () => {
  /** @type {SuggestProgress[]} */
  const told = [];
  const options = { tables: /** @type {const} */ (1), prefer: /** @type {const} */ ('reads') };
  const found = await suggest(STUDY, csv(2000), {
    ...options,
    onProgress: (progress) => told.push(progress),
  });
  assert.equal(found.rows, 2000);
  for (const { design, rowkeys } of found.suggestions)
    assert.deepEqual([parseDesign(design).rowkey], rowkeys);
  // Not `considered`: random salts hang on the place of a record in its file.
  const { suggestions, front, profile } = await suggest(JSON.stringify(STUDY), columns(2000), options);
  assert.deepEqual([suggestions, front, profile], [found.suggestions, found.front, found.profile]);
  // Reading is told first, then a search that only goes on.
  assert.deepEqual(told[0], { stage: 'read', bytes: csv(2000).length, rows: 2000, total: null });
  const search = told.slice(1).map((one) => (one.stage === 'search' ? one.done : Number.NaN));
  assert.ok(search.length > 1 && search[0] === 0);
  assert.ok(
    search.every((done, at) => done <= 1 && done >= (search[at - 1] ?? 0)),
    String(search),
  );
});

test('a row key that the study has is the baseline', async () => {
  const { baseline, suggestions } = await suggest(
    { ...STUDY, rowkey: 'at.seconds().uint32() + host' },
    columns(500),
  );
  assert.equal(baseline?.rowkey, 'at.seconds().uint32() + host');
  assert.ok(suggestions.every(({ moves }) => moves && moves.rewritten <= 500));
});

test('an aborted search ends with the reason, and the next one is as good as new', async () => {
  const reason = new Error('enough');
  await assert.rejects(suggest(STUDY, csv(100), { signal: AbortSignal.abort(reason) }), reason);
  const stop = new AbortController();
  let steps = 0;
  const onProgress = (/** @type {SuggestProgress} */ { stage }) => {
    if (stage === 'search' && ++steps === 3) setTimeout(() => stop.abort(reason));
  };
  await assert.rejects(suggest(STUDY, csv(20_000), { signal: stop.signal, onProgress }), reason);
  assert.ok(steps <= 4, `${steps} steps before the search heard of it`);
  assert.ok((await suggest(STUDY, columns(200), { tables: 1 })).suggestions.length);
});

test('a study with problems is refused with their codes and paths', async () => {
  const [query] = STUDY.queries;
  const wrong = { ...STUDY, arrival: 'line', queries: [query, { name: 'no field', where: { hots: 'a' } }] };
  await assert.rejects(suggest(wrong, csv(10)), (error) => {
    assert.ok(error instanceof RowscapeError);
    const found = error.problems.map(({ code, place }) => `${code} ${place.path}`);
    assert.deepEqual(found, [
      'design.arrival-not-time arrival',
      'formula.unknown-field-near queries[1].where.hots',
    ]);
    assert.equal(error.path, 'arrival');
    return true;
  });
});

test('options and data of another kind are refused', async () => {
  const refused = (/** @type {any} */ data, /** @type {any} */ options, /** @type {object} */ expected) =>
    assert.rejects(suggest(STUDY, data, options), { name: 'RowscapeError', ...expected });
  await refused(csv(10), { tables: 4 }, { code: 'suggest.wrong-options' });
  await refused(csv(10), { salts: 4 }, { code: 'suggest.wrong-options' });
  await refused(csv(10), 4, { code: 'value.wrong-kind', path: 'options' });
  await refused(csv(10), { onProgress: 4 }, { code: 'value.wrong-kind', path: 'onProgress' });
  await refused(columns(10), { signal: {} }, { code: 'value.wrong-kind', path: 'signal' });
  await refused([{ host: 'a' }], {}, { code: 'value.wrong-kind' });
  await refused('', {}, { code: 'input.empty' });
  const packed = new Uint8Array(gzipSync(csv(5000)));
  await refused(packed.subarray(0, packed.length >> 1), {}, { code: 'input.broken-gzip' });
});

test('no records are an answer with a reason', async () => {
  const { suggestions, notes } = await suggest(STUDY, { host: [], at: [], line: [] });
  assert.deepEqual([suggestions, notes[0].code], [[], 'suggest.no-rows']);
  assert.match(notes[0].message, /no records/);
});
