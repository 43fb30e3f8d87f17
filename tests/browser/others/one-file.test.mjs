// The page in one file, opened from disk: the same tests as the served page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ONE_FILE } from '../../../scripts/build/one-file.mjs';
import { ROOT } from '../../../scripts/run.mjs';
import { openBrowser } from '../../../scripts/setup/chromium.mjs';
import { NATIVE } from '../../native.mjs';

test('its policy lets nothing be fetched and no script in but its own', () => {
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(ONE_FILE, 'utf8')) ?? [];
  assert.match(
    policy,
    /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; worker-src blob:;/,
  );
  assert.doesNotMatch(policy, /connect-src|unsafe-inline|'self'/);
});

test('files that `rowscape open` puts into it are opened: records, and files of HBase', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-open-'));
  const browser = await openBrowser();
  try {
    for (const [files, shown] of /** @type {const} */ ([
      [[join('www', 'examples', 'nyc-flights-2013-01.csv')], /nyc-flights-2013-01\.csv[\s\S]*12,208/],
      [[join('tests', 'data', 'store', 'wal-plain.wal')], /write-ahead log/],
    ])) {
      const out = join(folder, 'out.html');
      const { status, stderr } = spawnSync(NATIVE, ['open', '--page', ONE_FILE, '-o', out, ...files], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      const page = await browser.newPage();
      await page.goto(pathToFileURL(out).href);
      await page.waitForFunction(
        ([source, flags]) => new RegExp(source, flags).test(document.body.innerText),
        [shown.source, shown.flags],
        { timeout: 60_000 },
      );
      await page.close();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

process.env.ROWSCAPE_PAGE = pathToFileURL(ONE_FILE).href;
await import('../chromium/page.test.mjs');
