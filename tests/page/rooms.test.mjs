// The rooms of www/: each uses only those before it, and the npm package only those that know nothing of the page's state.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The rooms in order: each may use those before it. Rooms in one list are neighbors, and neighbors don't use each other. @type {(string | string[])[]} */
const ROOMS = [
  'types',
  'text',
  'design',
  'heat',
  'worker',
  'state',
  'actions',
  'elements/shared',
  [
    'elements/records',
    'elements/formula',
    'elements/map',
    'elements/keys',
    'elements/review',
    'elements/gallery',
  ],
  'elements/page',
  'entries',
];
/** Scripts at the root: a page, a worker or the loading of later parts starts with one, and no room uses them. */
const ENTRIES = ['www/main.js', 'www/worker.js', 'www/later.js'];
/** The last room that the npm package may use: later ones need the page. */
const LAST_OF_PACKAGE = 'worker';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A static or dynamic import, an import of types in a comment, or the address of a neighboring file. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)(['"])(\.{1,2}\/[^'"]+)\1/g;

/** @typedef {{ file: string, line: number, target: string }} Arrow */

/** Scripts and declarations below a folder, as paths from the root. @param {string} folder */
const scripts = (folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /\.(js|d\.ts)$/.test(path))
    .sort();

/** Imports of files that exist; the build makes the others. @param {string} file @returns {Arrow[]} */
function arrowsOf(file) {
  const source = readFileSync(ROOT + file, 'utf8');
  return Array.from(source.matchAll(IMPORT), (match) => ({
    file,
    line: source.slice(0, match.index).split('\n').length,
    target: posix.join(posix.dirname(file), match[2]),
  })).filter(({ target }) => existsSync(ROOT + target));
}

/** @param {string} file below `www/` */
function roomOf(file) {
  if (file === 'www/types.d.ts') return 'types';
  if (ENTRIES.includes(file)) return 'entries';
  const [, folder, panel, inPanel] = file.split('/');
  return inPanel ? `${folder}/${panel}` : folder;
}

/** Place of a room in the order; -1 for an unknown one. @param {string} room */
const placeOf = (room) => ROOMS.findIndex((one) => [one].flat().includes(room));

/** Fails with every wrong arrow on a line of its own. @param {Arrow[]} wrong @param {(arrow: Arrow) => string} why */
function none(wrong, why) {
  const lines = wrong.map((arrow) => `${arrow.file}:${arrow.line} → ${arrow.target}: ${why(arrow)}`);
  assert.ok(!lines.length, `\n${lines.join('\n')}`);
}

const page = scripts('www').flatMap(arrowsOf);
const npm = scripts('bindings/npm').flatMap(arrowsOf);
const inPage = (/** @type {Arrow} */ { target }) => target.startsWith('www/');

test('every script of the page is in a room', () => {
  assert.deepEqual(
    scripts('www').filter((file) => placeOf(roomOf(file)) < 0),
    [],
  );
});

test('every script has a name of its own', () => {
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const file of [...scripts('www'), ...scripts('bindings/npm')].filter((path) => path.endsWith('.js')))
    byName.set(posix.basename(file), [...(byName.get(posix.basename(file)) ?? []), file]);
  assert.deepEqual(
    [...byName.values()].filter((files) => files.length > 1),
    [],
  );
});

test('no import of the page points up', () => {
  const up = page.filter(inPage).filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return from !== to && placeOf(to) >= placeOf(from);
  });
  none(up, ({ file, target }) => `${roomOf(file)} may not use ${roomOf(target)}`);
});

test('the npm package uses only rooms that work without the page', () => {
  const wrong = npm.filter(inPage).filter(({ target }) => placeOf(roomOf(target)) > placeOf(LAST_OF_PACKAGE));
  none(wrong, ({ target }) => `the npm package may not use ${roomOf(target)}`);
});

test('the page does not use the npm package', () => {
  none(
    page.filter(({ target }) => target.startsWith('bindings/')),
    () => 'the page may not use the npm package',
  );
});

test('no cycle of imports has more than two files', () => {
  /** @type {Map<string, string[]>} */
  const uses = new Map();
  for (const { file, target } of [...page, ...npm]) uses.set(file, [...(uses.get(file) ?? []), target]);
  const cycles = cyclesOf(uses).filter((files) => files.length > 2);
  assert.ok(!cycles.length, `\n${cycles.map((files) => files.join(' ⇄ ')).join('\n')}`);
});

/** Groups of files that reach each other (Tarjan's strongly connected components). @param {Map<string, string[]>} uses */
function cyclesOf(uses) {
  /** @type {Map<string, { at: number, low: number, open: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const path = [];
  /** @type {string[][]} */
  const found = [];
  const visit = (/** @type {string} */ file) => {
    const own = { at: seen.size, low: seen.size, open: true };
    seen.set(file, own);
    path.push(file);
    for (const target of uses.get(file) ?? []) {
      const other = seen.get(target) ?? visit(target);
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.at) {
      const group = path.splice(path.indexOf(file));
      for (const one of group) /** @type {typeof own} */ (seen.get(one)).open = false;
      found.push(group.sort());
    }
    return own;
  };
  for (const file of uses.keys()) if (!seen.has(file)) visit(file);
  return found;
}
