// The check of designs in a pull request, as the action runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../../scripts/run.mjs';
import { NATIVE } from '../../native.mjs';

const CHECK = join(ROOT, '.github', 'actions', 'designs', 'check.mjs');

/** A design whose records are made up. @param {string} rowkey @param {object} splits */
const design = (rowkey, splits) =>
  JSON.stringify({
    rowscape: 1,
    name: 'Calls | of `phones`',
    fields: [
      { name: 'phone', type: 'text' },
      { name: 'at', type: 'time', format: 'iso8601' },
    ],
    arrival: 'at',
    rowkey,
    splits,
    generate: {
      rows: 5000,
      fields: [
        { name: 'phone', from: { entity: { count: 500, prefix: '1380', digits: 7 } } },
        { name: 'at', from: 'arrival' },
      ],
    },
  });

test('a pull request that cures a hotspot is told so, and one that adds one fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-action-'));
  const git = (/** @type {string[]} */ ...args) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const check = (/** @type {string} */ base) => {
    const env = { ...process.env, DESIGNS: '.', ROWSCAPE: NATIVE, BASE: base, REPORTS: 'reports' };
    const { status } = spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8', env });
    return { status, comment: readFileSync(join(folder, 'reports', 'comment.md'), 'utf8') };
  };
  try {
    const byTime = design("at.format('yyyyMMddHHmmss') + phone", { sample: 4 });
    const bucketed = design("bucket(phone, 4).uint8() + phone + '_' + at.format('yyyyMMddHHmmss')", {
      salts: 4,
    });
    git('init', '-q');
    writeFileSync(join(folder, 'calls.json'), byTime);
    writeFileSync(join(folder, 'package.json'), '{}');
    git('add', '.');
    git('commit', '-qm', 'Add the table');
    const base = git('rev-parse', 'HEAD');
    assert.match(check(base).comment, /No design changed/);

    writeFileSync(join(folder, 'calls.json'), bucketed);
    const cured = check(base);
    assert.equal(cured.status, 0, cured.comment);
    assert.match(cured.comment, /\| before \| .*(One region|writes).*\n\| after \| Writes spread/);
    assert.match(cured.comment, /Rows by region and time, after/);
    assert.ok(existsSync(join(folder, 'reports', '1-calls.html')));

    git('commit', '-qam', 'Spread the writes');
    writeFileSync(join(folder, 'calls.json'), byTime);
    assert.equal(check(git('rev-parse', 'HEAD')).status, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
