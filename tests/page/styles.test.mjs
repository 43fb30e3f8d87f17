// The page has one scale of type, one of space and one palette: www/styles/tokens.css.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../../www/styles/', import.meta.url);
const TOKENS = 'tokens.css';
const sheets = readdirSync(folder)
  .filter((name) => name.endsWith('.css') && name !== TOKENS)
  .map((name) => ({ name, lines: readFileSync(new URL(name, folder), 'utf8').split('\n') }));

/** The lines that match, with where they are. @param {RegExp} wrong */
const found = (wrong) =>
  sheets.flatMap(({ name, lines }) =>
    lines.flatMap((line, at) => (wrong.test(line) ? [`${name}:${at + 1} ${line.trim()}`] : [])),
  );

test('every size of text is one of the scale', () => {
  assert.deepEqual(found(/font-size:(?!\s*(var\(--text|inherit))/), []);
});

test('every distance between things is one of the scale', () => {
  // Borders are drawn over with -1px, and the sheet of keys is taller than its frame.
  const allowed = /margin-bottom: -(1px|26rem);|calc\(/;
  const raw = found(/^\s*(padding|margin|gap|row-gap|column-gap)[a-z-]*:.*\d(px|r?em)\b/);
  assert.deepEqual(
    raw.filter((line) => !allowed.test(line)),
    [],
  );
});

test('every colour is one of the palette', () => {
  assert.deepEqual(
    found(/#[0-9a-f]{3,8}\b(?!.*url)/i).filter((line) => !/forced/.test(line)),
    [],
  );
});
