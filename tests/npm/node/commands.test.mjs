// Commands of the HBase shell that the page gives to copy, and its months ahead: both come from the core.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as core from '#core';

/** @typedef {import('../../../www/types.d.ts').RegionStep} RegionStep */

const ROOT = new URL('../../../', import.meta.url);
core.initSync({ module: readFileSync(new URL('dist/wasm/whole.wasm', ROOT)) });

/** @param {number} round @param {string} at @returns {RegionStep} */
const split = (round, at) => ({ round, action: 'split', start: '', stop: '', at: [at] });

test('a row with bytes stands in double quotes, which split reads, and one of text in single quotes', () => {
  const steps = ['13|', '\\x00\\xFF', `it's`, '\\x01"#{x}'].map((at) => split(1, at));
  assert.deepEqual(core.reshapeCommands("it's", steps, []).trimEnd().split('\n').slice(1), [
    "split 'it\\'s', '13|'",
    `split 'it\\'s', "\\x00\\xFF"`,
    "split 'it\\'s', 'it\\'s'",
    `split 'it\\'s', "\\x01\\x22\\x23{x}"`,
  ]);
});

test('regions are merged by the encoded names they have, and looked up when they were made on the way', () => {
  const region = { server: null, megabytes: null, requests: null };
  const regions = [
    { ...region, start: '', stop: '\\x00\\x01', encoded: 'da4d5186cb352082705d08bec7c8c3d5' },
    { ...region, start: '\\x00\\x01', stop: 'm', encoded: '118f0ff2177cdbd44d683e208b0ba68c' },
    { ...region, start: 'm', stop: '', encoded: '0347bc92e69407a43f18b66a484b9e08' },
  ];
  /** @type {RegionStep[]} */
  const steps = [
    split(1, 'c'),
    { round: 2, action: 'merge', start: '', stop: 'c', at: ['\\x00\\x01'] },
    { round: 2, action: 'merge', start: '\\x00\\x01', stop: '', at: ['m'] },
  ];
  const lines = core.reshapeCommands('t', steps, regions).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('merge_region')),
    [
      "merge_region 'da4d5186cb352082705d08bec7c8c3d5', region_at.call('t', '\\\\x00\\\\x01')",
      "merge_region '118f0ff2177cdbd44d683e208b0ba68c', '0347bc92e69407a43f18b66a484b9e08'",
    ],
  );
  assert.equal(lines.filter((line) => line.startsWith('region_at')).length, 1);
  assert.equal(lines.filter((line) => line.startsWith('#')).length, 2, 'a line for each round');
});

const study = (/** @type {object} */ more) => ({
  rowscape: 1,
  fields: [
    { name: 'host', type: 'text' },
    { name: 'at', type: 'time', format: 'epoch-millis' },
  ],
  arrival: 'at',
  rowkey: 'host.terminated() + at.millis().int64()',
  table: { name: 'cdr', families: [{ name: 'd', ttl: 864_000, cells: [{ qualifier: 'q', bytes: 40 }] }] },
  ...more,
});

test('settings are one command, with each family once', () => {
  const family = (/** @type {string} */ name) => ({
    name,
    versions: 3,
    cells: [{ qualifier: 'q', bytes: 40 }],
  });
  const document = JSON.stringify(study({ table: { name: 'cdr', families: [family('d'), family('e')] } }));
  /** @type {{ family?: string, name: string, value: string }[]} */
  const settings = core.settings(document, 0, undefined);
  assert.deepEqual(
    settings.map(({ family, name, value }) => [family, name, value]),
    [
      ['d', 'VERSIONS', '1'],
      ['e', 'VERSIONS', '1'],
    ],
  );
  const command = "alter 'cdr',\n  {NAME => 'd', VERSIONS => 1},\n  {NAME => 'e', VERSIONS => 1}";
  assert.equal(core.settingsCommand(document, 0, undefined), command);
});

test('the months ahead on the page are those of the command line', () => {
  const growth = { rowsNow: 4_000_000, rowsPerDay: 3_000_000, months: 8 };
  const document = study({ growth, servers: 3, splits: { points: ['b', 'm', 't'] } });
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-outlook-'));
  try {
    const file = join(folder, 'design.json');
    writeFileSync(file, JSON.stringify(document));
    const program = new URL('dist/npm/cli/bin.js', ROOT).pathname;
    const { stdout, stderr } = spawnSync(process.execPath, [program, 'grow', file, '--json'], {
      encoding: 'utf8',
    });
    const told = JSON.parse(stdout || JSON.stringify(stderr));
    const asked = { arrivals: 'spread', servers: 3, regions: 4 };
    const found = core.outlook(JSON.stringify(document), 0, undefined, asked);
    assert.deepEqual(found, told);
    assert.ok(found.days.length > 200 && found.bytesPerDay > 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
