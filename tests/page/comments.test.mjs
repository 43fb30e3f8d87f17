// Comments start with the item that they describe.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = /\.(rs|m?js|ts|java)$/;
const RIDDLE = /^\s*(\/\/[/!]?|\*|\/\*\*)\s*(What|Of|Whether)\s/;

test('no comment starts with “What”, “Of” or “Whether”', () => {
  const found = ['src', 'www', 'bindings', 'scripts', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => SOURCES.test(name) && !name.includes('node_modules'))
      .flatMap((name) =>
        readFileSync(join(root, folder, name), 'utf8')
          .split('\n')
          .flatMap((line, at) => (RIDDLE.test(line) ? [`${folder}/${name}:${at + 1} ${line.trim()}`] : [])),
      ),
  );
  assert.deepEqual(found, []);
});
