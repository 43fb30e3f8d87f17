import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { REPORT, report } from '../../../scripts/check/api.mjs';

test('the interface is the one that docs/api.txt records: node scripts/check/api.mjs writes it anew', () => {
  assert.equal(report(), readFileSync(REPORT, 'utf8').replaceAll('\r\n', '\n'));
});
