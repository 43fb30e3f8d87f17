// The npm package names mistaken arguments, and its generated types are those of the schema.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, existingTables, guess, parseDesign, RowscapeError } from '../../../dist/npm/index.js';
import { areCurrent } from '../../../scripts/build/schema-types.mjs';

const design = parseDesign({ rowscape: 1, fields: [{ name: 'id', type: 'text' }], rowkey: 'id' });
const CSV = 'id\na\nb\n';

/** @param {string} code @param {RegExp} message */
const refused = (code, message) => (/** @type {unknown} */ error) => {
  assert.ok(error instanceof RowscapeError);
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test('an option that there is not is named, with those that there are', async () => {
  const unknown = /** @type {any} */ ({ timebuckets: 3 });
  const named = refused(
    'value.unknown-option',
    /^options\.timebuckets: there is no option timebuckets; the options: /,
  );
  for (const use of [
    () => design.analyze(CSV, unknown),
    () => design.summarize(CSV, unknown),
    () => design.fixSplits(CSV, unknown),
    () => guess(CSV, unknown),
    async () => design.emit('shell', unknown),
    async () => design.plan({ where: {} }, unknown),
    async () => parseDesign('{}', unknown),
    async () => existingTables('', unknown),
    async () => compare([design, design], { id: ['a'] }, unknown),
  ])
    await assert.rejects(use, named);
  await assert.rejects(
    design.analyze(CSV, unknown),
    /signal, onProgress, name, encoding, threads, timeBuckets$/,
  );
  const { report } = await design.analyze(CSV, /** @type {any} */ (null));
  assert.equal(report.rows, 2);
});

test('a path in place of records is said to be one', async () => {
  for (const path of ['calls.csv', './data/calls.csv.gz', 'C:\\calls.parquet'])
    await assert.rejects(
      design.analyze(path),
      refused('value.path', /is the path of a file, not its records/),
    );
  // Text that only ends so is read.
  const { report } = await design.analyze('id\na.csv\n');
  assert.equal(report.rows, 1);
});

test('the types of a design document are those of its schema', () => {
  assert.ok(areCurrent(), 'run node scripts/build/schema-types.mjs');
});
