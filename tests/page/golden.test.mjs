// A link of version 1 opens in every later build.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/run.mjs';
import { textOf } from '../../www/design/design-link.js';

const golden = (/** @type {string} */ name) =>
  readFileSync(join(ROOT, 'tests', 'data', 'golden', name), 'utf8');

test('a link of version 1 holds the document of version 1', async () => {
  const found = await textOf(golden('link-1.txt').trim());
  assert.ok(found && 'text' in found);
  assert.deepEqual(JSON.parse(found.text), JSON.parse(golden('design-1.json')));
});
