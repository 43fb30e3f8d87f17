// The command line by npx against the native program: the same bytes, the same exit codes, the same files.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { nameFiles } from '../../../bindings/npm/cli/paths.js';
import { NPM } from '../../../scripts/build/package.mjs';
import { NATIVE } from '../../native.mjs';

const BIN = join(NPM, 'cli', 'bin.js');

const DESIGN = {
  rowscape: 1,
  name: 'Phones',
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm' },
  ],
  arrival: 'at',
  rowkey: "phone.reverse() + '_' + at.format('yyyyMMdd')",
  splits: { points: ['3', '6'] },
  queries: [{ name: 'a phone', where: { phone: { eq: '105' } } }],
};
/** Records of a week, the minutes of which repeat. */
const LINES = Array.from({ length: 5000 }, (_, row) => {
  const day = String(1 + (row % 7)).padStart(2, '0');
  const minute = String(row % 60).padStart(2, '0');
  return `${100 + ((row * 7919) % 900)},2024-05-${day} 1${row % 10}:${minute}\n`;
});
const RECORDS = `phone,at\n${LINES.join('')}`;

/** The same files in a folder for each of the two. */
const folders = ['native', 'node'].map((name) => {
  const folder = mkdtempSync(join(tmpdir(), `rowscape-cli-${name}-`));
  const bytes = Buffer.from(RECORDS);
  const files = {
    'design.json': JSON.stringify(DESIGN, null, 2),
    'other.json': JSON.stringify({ ...DESIGN, rowkey: "at.format('yyyyMMdd') + phone" }),
    'wrong.json': JSON.stringify({ ...DESIGN, rowkey: 'phone.revers()' }, null, 2),
    'broken.json': '{ "rowscape": 1,',
    'records.csv': bytes,
    'members.csv.gz': Buffer.concat([gzipSync(bytes.subarray(0, 999)), gzipSync(bytes.subarray(999))]),
    'short.csv.gz': gzipSync(bytes).subarray(0, 500),
    'utf16.csv': Buffer.from(`\ufeff${RECORDS}`, 'utf16le'),
    'odd.csv': 'phone,at\n105,2024-05-02 12:00\n106,yesterday\n107\n',
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** @param {string} input */
const typed = (input) => ({ input });

/** @type {[string, Partial<import('node:child_process').SpawnSyncOptions>?][]} */
const COMMANDS = [
  ['help'],
  ['help analyze'],
  ['--version'],
  ['lint design.json other.json'],
  ['lint other.json --json'],
  ['lint other.json --sarif log.sarif'],
  ['analyze design.json records.csv'],
  ['analyze other.json members.csv.gz --fail-on warning'],
  ['analyze design.json utf16.csv --json'],
  ['analyze design.json records.csv --color always'],
  ['analyze design.json records.csv --color always', { env: { ...process.env, COLORTERM: 'truecolor' } }],
  ['analyze other.json records.csv --html report.html --svg heat.svg'],
  ['analyze design.json -', typed(RECORDS)],
  ['encode design.json members.csv.gz'],
  ['encode design.json odd.csv'],
  ['encode design.json records.csv --json -o keys.jsonl'],
  ['decode design.json', typed('501_20240502\n999_20240503\nnone\n')],
  ['decode design.json 501_20240502 --json'],
  ['explain design.json 501_20240502'],
  ['explain RS101'],
  ['splits --algorithm UniformSplit --regions 5'],
  ['splits design.json --json'],
  ['plan design.json records.csv'],
  ['emit design.json --as java'],
  ['plan design.json --json'],
  ['guess records.csv'],
  ['guess - --keys', typed('a_1\nb_2\n')],
  ['compare design.json other.json --data records.csv'],
  ['compare design.json other.json --data records.csv --json'],
  [''],
  ['analise'],
  ['analyze none.json'],
  ['analyze design.json .'],
  ['analyze design.json short.csv.gz'],
  ['lint wrong.json'],
  ['lint broken.json'],
  ['splits design.json -o none/points'],
];

/** @param {string} folder */
const held = (folder) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]));

for (const [line, options] of COMMANDS) {
  test(`rowscape ${line} is the same natively and by npx`, () => {
    const args = line.split(' ').filter(Boolean);
    const [native, node] = [
      [NATIVE, ...args],
      [process.execPath, BIN, ...args],
    ].map(([program, ...rest], index) => {
      const { status, stdout, stderr } = spawnSync(program, rest, {
        cwd: folders[index],
        encoding: 'utf8',
        ...options,
      });
      return { status, stdout, stderr };
    });
    assert.deepEqual(node, native);
    const toFile = line.includes('-o keys') || line.includes('--html');
    assert.ok(toFile || `${node.stdout}${node.stderr}`);
    assert.deepEqual(held(folders[1]), held(folders[0]));
  });
}

/** Ends as soon as the folder holds a file. @param {string} folder */
async function begun(folder) {
  while (!readdirSync(folder).some((name) => name.endsWith('.part'))) await pause(10);
}

test('a signal while a file is written leaves it whole or as it was, and none beside it', {
  skip: process.platform === 'win32',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-interrupted-'));
  // The signal comes after half of the file.
  const half = `import fs from 'node:fs';
    const write = fs.writeSync;
    fs.writeSync = (file, bytes, at) => {
      if (file < 3) return write(file, bytes, at);
      const written = write(file, bytes, at, at ? undefined : bytes.length >> 1);
      if (!at) process.kill(process.pid, 'SIGINT');
      return written;
    };`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(half)}`, BIN];
  const report = join(folder, 'report.html');
  writeFileSync(report, 'before');
  const command = ['analyze', 'design.json', 'records.csv', '--html', report];
  spawnSync(process.execPath, [...args, ...command], { cwd: folders[1] });
  assert.deepEqual(readdirSync(folder), ['report.html']);
  assert.match(readFileSync(report, 'utf8'), /^before$|<\/html>\s*$/);
  rmSync(folder, { recursive: true });
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  test(`${signal} ends the program while it waits for input, and leaves nothing behind`, {
    skip: process.platform === 'win32',
    timeout: 30_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowscape-waiting-'));
    const keys = join(folder, 'keys');
    writeFileSync(keys, 'before');
    const child = spawn(process.execPath, [BIN, 'encode', 'design.json', '-', '-o', keys], {
      cwd: folders[1],
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Not closed: more may come.
    child.stdin.write(RECORDS);
    await begun(folder);
    child.kill(signal);
    const ended = await new Promise((resolve) => child.on('exit', (_, by) => resolve(by)));
    assert.equal(ended, signal);
    assert.deepEqual(readdirSync(folder), ['keys']);
    assert.equal(readFileSync(keys, 'utf8'), 'before');
    rmSync(folder, { recursive: true });
  });

test('each option that names a file to write is known to bring one', () => {
  const help = (/** @type {string[]} */ ...args) => spawnSync(NATIVE, args, { encoding: 'utf8' }).stdout;
  const commands = [...help('help').matchAll(/^ {2,}([a-z]+) /gm)].map(([, name]) => name);
  assert.ok(commands.length > 10, `${commands}`);
  const read = ['data', 'design', 'options', 'page'];
  const options = commands.flatMap((name) => [...help('help', name).matchAll(/--([a-z-]+) \S*FILE/g)]);
  const written = [...new Set(options.map(([, name]) => name))].filter((name) => !read.includes(name));
  assert.deepEqual(written.sort(), ['html', 'output', 'sarif', 'save', 'svg']);
  for (const name of written) assert.ok(nameFiles([`--${name}`]) && nameFiles([`--${name}=a`]), name);
  assert.ok(nameFiles(['-o']) && nameFiles(['-oa']) && !nameFiles(['analyze', '-', '--json', 'o']));
});

test('a full disk is told by its exit code, a closed pipe is not', {
  skip: process.platform !== 'linux',
}, async () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  assert.equal(status, 3);
  assert.match(stderr, /^rowscape: standard output: no space left/);
  const child = spawn(process.execPath, [BIN, 'encode', 'design.json', ...Array(40).fill('records.csv')], {
    cwd: folders[1],
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await new Promise((resolve) => child.on('close', (...ended) => resolve(ended)));
  assert.deepEqual([code, said], [0, '']);
});
