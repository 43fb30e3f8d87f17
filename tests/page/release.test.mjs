// The notes of a release.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { version } from '../../scripts/release/index.mjs';
import { bill, licences, shipped } from '../../scripts/release/inside.mjs';
import { packed } from '../../scripts/release/tar.mjs';
import { run, which } from '../../scripts/run.mjs';

test('all files state one version', () => {
  assert.match(version(), /^\d+\.\d+\.\d+$/);
});

test('the bill lists what is linked and bundled, not what only builds and tests, the same each time', () => {
  const inside = shipped();
  const names = inside.map(({ name }) => name);
  for (const name of ['serde_json', 'flate2', 'wasm-bindgen', 'lit-html', 'fflate']) {
    assert.ok(names.includes(name), name);
  }
  for (const name of ['proptest', 'playwright-core', 'esbuild']) assert.ok(!names.includes(name), name);
  const written = bill('1.2.3', inside);
  assert.equal(bill('1.2.3', shipped()), written);
  /** @type {{ bomFormat: string, serialNumber: string, components: { purl: string }[] }} */
  const list = JSON.parse(written);
  assert.equal(list.bomFormat, 'CycloneDX');
  assert.match(list.serialNumber, /^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  assert.equal(list.components.length, new Set(list.components.map(({ purl }) => purl)).size);
  const texts = licences(inside);
  for (const { name, version } of inside) assert.ok(texts.includes(`${name} ${version} (`), name);
});

test('tar files are read by tar and the same each time', { skip: !which('tar') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-tar-'));
  try {
    const long = `${'folder-of-a-long-name/'.repeat(5)}file.txt`;
    mkdirSync(join(folder, 'in', long, '..'), { recursive: true });
    writeFileSync(join(folder, 'in', long), 'deep');
    writeFileSync(join(folder, 'in', 'a.txt'), 'x'.repeat(513));
    const file = packed(join(folder, 'in'), 'top');
    assert.deepEqual(packed(join(folder, 'in'), 'top'), file);
    writeFileSync(join(folder, 'all.tar.gz'), file);
    const listed = run('tar', ['-tzf', join(folder, 'all.tar.gz')], { quiet: true });
    assert.deepEqual(listed.trim().split('\n').sort(), ['top/a.txt', `top/${long}`]);
    run('tar', ['-xzf', join(folder, 'all.tar.gz'), '-C', folder], { quiet: true });
    run('diff', ['-r', join(folder, 'in'), join(folder, 'top')], { quiet: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
