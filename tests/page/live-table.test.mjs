// The verdict on a live table, by server and region.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from '../../www/design/live-table.js';
import { spreadCommands } from '../../www/design/shell-commands.js';

/** Regions as list_regions tells them. @param {[server: string, requests: number, megabytes: number][]} rows */
const table = (rows) =>
  rows.map(([server, requests, megabytes], at) => ({
    start: at ? String(at) : '',
    stop: String(at + 1),
    server: `${server}.example,16020,1`,
    requests,
    megabytes,
    encoded: `e${at}`,
  }));

test('regions that take most requests from one server are named with their server, and moved', () => {
  const regions = table([
    ['rs1', 4800, 900],
    ['rs2', 100, 800],
    ['rs3', 100, 800],
    ['rs4', 100, 800],
    ['rs1', 4600, 900],
    ['rs2', 100, 800],
    ['rs3', 100, 800],
    ['rs4', 100, 800],
  ]);
  const health = healthOf(regions);
  assert.equal(health?.severity, 'bad');
  assert.deepEqual([health?.server, health?.regions], ['rs1.example,16020,1', [0, 4]]);
  assert.equal(health?.share, 0.94);
  const commands = spreadCommands(health?.acts ?? [], regions);
  assert.match(commands, /^move 'e[04]', 'rs[234]\.example,16020,1'$/m);
  assert.match(commands, /^split 'e0'$/m);
});

test('an even table needs nothing, and one without requests is not judged', () => {
  const even = table([
    ['rs1', 100, 10],
    ['rs2', 110, 10],
    ['rs3', 90, 10],
  ]);
  assert.deepEqual([healthOf(even)?.severity, healthOf(even)?.acts], ['good', []]);
  assert.equal(
    healthOf(
      table([
        ['rs1', 0, 10],
        ['rs2', 0, 10],
      ]),
    ),
    null,
  );
});

test('on one server the busiest region is judged, and idle neighbors are merged', () => {
  const health = healthOf(
    table([
      ['rs1', 0, 0],
      ['rs1', 0, 0],
      ['rs1', 1000, 500],
      ['rs1', 20, 400],
    ]),
  );
  assert.deepEqual([health?.by, health?.regions], ['region', [2]]);
  assert.deepEqual(
    health?.acts.filter(({ act }) => act === 'merge'),
    [{ act: 'merge', first: 0, last: 1 }],
  );
  assert.ok(!health?.acts.some(({ act }) => act === 'move'));
});
