// The page in one file, opened from disk: the same tests as the served page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ONE_FILE } from '../../../scripts/build/one-file.mjs';

test('its policy lets nothing be fetched and no script in but its own', () => {
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(ONE_FILE, 'utf8')) ?? [];
  assert.match(
    policy,
    /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; worker-src blob:;/,
  );
  assert.doesNotMatch(policy, /connect-src|unsafe-inline|'self'/);
});

process.env.ROWSCAPE_PAGE = pathToFileURL(ONE_FILE).href;
await import('../chromium/page.test.mjs');
