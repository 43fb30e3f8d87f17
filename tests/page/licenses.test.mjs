// A wheel is built from its own folder, so that folder holds copies of the licences.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

for (const name of ['LICENSE-APACHE', 'LICENSE-MIT', 'NOTICE']) {
  test(`bindings/python/${name} is a copy of ${name}`, () => {
    const read = (/** @type {string} */ folder) =>
      readFileSync(new URL(`../../${folder}${name}`, import.meta.url), 'utf8');
    assert.equal(read('bindings/python/'), read(''), `cp ${name} bindings/python/`);
  });
}
