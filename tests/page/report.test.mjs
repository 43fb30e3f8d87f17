// The report that the page saves: nothing in it is run, and its policy lets in its own style alone.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the policy of a report names the hash of its style', () => {
  const source = readFileSync(new URL('../../www/actions/figure-report.js', import.meta.url), 'utf8');
  const [, style] = /STYLE = `([^`]*)`/.exec(source) ?? [];
  const [, hash] = /HASH = 'sha256-([^']*)'/.exec(source) ?? [];
  assert.equal(hash, createHash('sha256').update(style).digest('base64'));
});
