// The module in two parts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ANSWERS = fileURLToPath(new URL('module/answers.mjs', import.meta.url));
const PKG = new URL('../../dist/pkg/', import.meta.url);

/** @param {string} which */
function answersOf(which) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [ANSWERS, which], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test('both parts answer what the whole module answers, and the rest is loaded once, when it is needed', () => {
  const whole = answersOf('whole');
  const parts = answersOf('parts');
  assert.equal(parts.answers, whole.answers);
  assert.deepEqual([whole.loads, parts.atStart, parts.loads], [0, 0, 1]);
});

test('the first part imports no more than what loads the rest, and the rest nothing but the first part and the glue', () => {
  const [whole, first, rest] = ['rowscape_bg', 'first', 'rest'].map(
    (name) => new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, PKG))),
  );
  const modules = (/** @type {WebAssembly.Module} */ module) =>
    [...new Set(WebAssembly.Module.imports(module).map((one) => one.module))].sort();
  assert.deepEqual(modules(first), [...modules(whole), 'rest'].sort());
  assert.deepEqual(modules(rest), [...modules(whole), 'first'].sort());
  const names = new Set(WebAssembly.Module.exports(first).map(({ name }) => name));
  for (const { name } of WebAssembly.Module.exports(whole)) assert.ok(names.has(name), name);
  assert.deepEqual(WebAssembly.Module.exports(rest), []);
});
