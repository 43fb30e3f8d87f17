// The module in two parts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ships } from '../../../scripts/build/index.mjs';

const PAGE = new URL('../../../dist/wasm/', import.meta.url);

// The module for tests is whole.
const skip = !ships();

/** @param {string} program @param {'whole' | 'parts'} which */
function answersOf(program, which) {
  const path = fileURLToPath(new URL(`module/${program}.mjs`, import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [path, which], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test('both parts answer what the whole module answers, and the rest is loaded once, when it is needed', {
  skip,
}, () => {
  const whole = answersOf('answers', 'whole');
  const parts = answersOf('answers', 'parts');
  assert.equal(parts.answers, whole.answers);
  assert.deepEqual([whole.loads, parts.atStart, parts.loads], [0, 0, 1]);
});

test('figures of every design of the gallery are drawn, and what figures have of the module shows what the whole shows', {
  skip,
}, () => {
  const whole = answersOf('figures', 'whole');
  const parts = answersOf('figures', 'parts');
  assert.ok(whole.figures > 60, `${whole.figures} figures`);
  assert.deepEqual(parts, { ...whole, loads: 1 });
});

test('the first part imports no more than what loads the rest, and the rest nothing but the first part and the glue', {
  skip,
}, () => {
  const [whole, first, rest] = ['page', 'page-first', 'page-rest'].map(
    (name) => new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, PAGE))),
  );
  const modules = (/** @type {WebAssembly.Module} */ module) =>
    [...new Set(WebAssembly.Module.imports(module).map((one) => one.module))].sort();
  assert.deepEqual(modules(first), [...modules(whole), 'rest'].sort());
  assert.deepEqual(modules(rest), [...modules(whole), 'first'].sort());
  const names = new Set(WebAssembly.Module.exports(first).map(({ name }) => name));
  for (const { name } of WebAssembly.Module.exports(whole)) assert.ok(names.has(name), name);
  assert.deepEqual(WebAssembly.Module.exports(rest), []);
});
