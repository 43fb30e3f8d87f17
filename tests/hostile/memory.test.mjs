// Memory that is stated is kept to: the measured peak is at most 1.3 times that, whatever the file holds.
//   node --test tests/hostile/memory.test.mjs     MEBIBYTES=512,1024 states other amounts; larger ones take longer
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NATIVE } from '../native.mjs';

/** The measured peak over what is stated. */
const MOST = 1.3;
const MEBIBYTES = (process.env.MEBIBYTES ?? '128').split(',').map(Number);
/** Rows for each MiB stated: enough that all of them do not fit. */
const ROWS = 24_000;
/** Rows written at a time, and milliseconds between two looks at the memory. */
const PORTION = 10_000;
const PAUSE = 10;

const rowscape = process.env.ROWSCAPE ?? NATIVE;
const folder = mkdtempSync(join(tmpdir(), 'rowscape-memory-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'design.json'),
  JSON.stringify({
    rowscape: 1,
    fields: [
      { name: 'id', type: 'text' },
      { name: 'at', type: 'time', format: 'epoch-millis' },
      { name: 'kind', type: 'text' },
    ],
    arrival: 'at',
    rowkey: "id + '_' + at.format('yyyyMMddHHmmss')",
    splits: { sample: 16 },
    queries: [{ name: 'one', where: { id: '7' } }],
  }),
);

/** Records with a text of their own each, or with few texts. @param {boolean} isUnique @param {number} row */
const line = (isUnique, row) =>
  `${isUnique ? ((row * 2654435761) % 2 ** 32).toString(16) : row % 9973},${17e11 + row * 7},k${row % 17}\n`;

/** Bytes at the peak of a process; 0 once it has ended. @param {number} pid */
function peak(pid) {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs a command on records from its standard input.
 * @param {string[]} args
 * @param {{ rows: number, isUnique: boolean }} records
 */
async function measured(args, { rows, isUnique }) {
  const child = spawn(rowscape, args, { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] });
  let [most, said] = [0, ''];
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdin.on('error', () => {});
  const look = () => {
    most = Math.max(most, peak(child.pid ?? 0));
  };
  const timer = setInterval(look, PAUSE);
  const ended = once(child, 'exit');
  child.stdin.write('id,at,kind\n');
  for (let row = 0; row < rows && !child.stdin.destroyed; row += PORTION) {
    const lines = Array.from({ length: PORTION }, (_, at) => line(isUnique, row + at));
    if (!child.stdin.write(lines.join(''))) await Promise.race([once(child.stdin, 'drain'), ended]);
  }
  child.stdin.end();
  const [status] = await ended;
  clearInterval(timer);
  return { status, said, most };
}

for (const mebibytes of MEBIBYTES)
  for (const isUnique of [true, false])
    for (const [name, ...rest] of [
      ['analyze', 'design.json', '-'],
      ['encode', 'design.json', '-'],
      ['splits', 'design.json', '-'],
      ['plan', 'design.json', '-'],
      ['compare', 'design.json', 'design.json', '--data', '-'],
      ['sweep', 'design.json', '-', '--vary', 'regions', '--values', '8,16'],
      ['size', 'design.json', '-'],
      ['migrate', 'design.json', 'design.json', '-'],
      ['suggest', 'design.json', '-'],
      ['suggest', '-'],
    ])
      test(`${name} ${rest.join(' ')} in ${mebibytes} MiB, ${isUnique ? 'a text for each row' : 'few texts'}`, {
        skip: process.platform !== 'linux',
      }, async (told) => {
        const records = { rows: ROWS * mebibytes, isUnique };
        const { status, said, most } = await measured([name, ...rest, '--memory', `${mebibytes}M`], records);
        const share = most / 2 ** 20 / mebibytes;
        told.diagnostic(`${(most / 2 ** 20).toFixed(0)} MiB, ${share.toFixed(2)} times`);
        assert.equal(status, 0, said.slice(0, 400));
        assert.ok(share <= MOST, `${share.toFixed(2)} times`);
      });
