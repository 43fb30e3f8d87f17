// The notes of a release.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { version } from '../../scripts/release/index.mjs';
import { bill, licences, shipped } from '../../scripts/release/inside.mjs';
import { MANIFESTS, nameRepository } from '../../scripts/release/repository.mjs';
import { packed } from '../../scripts/release/tar.mjs';
import { ROOT, readJson, run, which } from '../../scripts/run.mjs';

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

test('one command names the repository in each manifest, also in place of another', () => {
  const address = 'https://github.com/someone/rowscape';
  for (const [name, change] of Object.entries(MANIFESTS)) {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const named = change(text, address);
    assert.equal(named.split(address).length, 2, name);
    assert.equal(change(change(text, 'https://example.com/a/b'), address), named, name);
  }
  assert.throws(() => nameRepository('someone/rowscape'), /give the address/);
});

test('workflows run scripts that are there', () => {
  const folder = join(ROOT, '.github', 'workflows');
  const { scripts } = readJson(join(ROOT, 'package.json'));
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, script] of text.matchAll(/npm run (\S+)/g))
      assert.ok(scripts[script], `${name}: ${script}`);
    for (const [, path] of text.matchAll(/node (scripts\/\S+)/g))
      assert.ok(existsSync(join(ROOT, path)), `${name}: ${path}`);
    assert.doesNotMatch(text, /\t/, name);
  }
});
