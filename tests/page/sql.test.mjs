// Texts that may be SQL are told before the module that reads it is fetched.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeSql } from '../../www/design/sql.js';

test('statements are found behind comments and frames', () => {
  const statement = 'CREATE TABLE t (a INTEGER NOT NULL PRIMARY KEY)';
  for (const head of [
    '',
    '-- a file\n\n',
    '/* of\nsomebody; */\n',
    '+---+\n| ',
    '\ufeff',
    '// x\n-- y\n/* */',
  ])
    assert.ok(mayBeSql(head + statement), head);
  for (const text of [
    '',
    'phone,at\n105,2024\n',
    'select,from\n1,2\n',
    '{ "rowscape": 1 }',
    '/* no end',
    '-- only\n',
  ])
    assert.ok(!mayBeSql(text), text);
});

test('frames without end are no work without end', () => {
  assert.ok(!mayBeSql(`${'|\n+ |\n'.repeat(10_000)}x`));
  assert.ok(!mayBeSql('/*'.repeat(30_000)));
});
