// Hostile input for the program: each is answered in words, with its exit code, within two seconds of the processor and 256 MiB.
//   node --test tests/hostile/cli.test.mjs     ROWSCAPE names another program than that of `cargo test`
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NATIVE } from '../native.mjs';
import { HOSTILE, SOUND } from './inputs.mjs';

const SECONDS = 2;
const MEBIBYTES = 256;
const rowscape = process.env.ROWSCAPE ?? NATIVE;
const folder = mkdtempSync(join(tmpdir(), 'rowscape-hostile-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Seconds of processor time of the programs that have ended, which other work on the machine does not prolong; elsewhere than on Linux,
 * of the clock.
 */
function spent() {
  if (process.platform !== 'linux') return performance.now() / 1000;
  const [, fields] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13, 15);
  return (Number(user) + Number(system)) / 100;
}

/**
 * Runs the program with the address space that it may have. @param {string[]} args @param {number} [mebibytes]
 */
function answered(args, mebibytes = MEBIBYTES) {
  const begun = spent();
  const limited = ['-c', `ulimit -v ${mebibytes * 1024} && exec "$0" "$@"`, rowscape, ...args];
  const [command, words] = process.platform === 'linux' ? ['sh', limited] : [rowscape, args];
  const { status, signal, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    timeout: 30_000,
    maxBuffer: 1 << 28,
  });
  return { status, signal, stdout, stderr, seconds: spent() - begun };
}

test('there are at least 400 inputs, each with a name of its own', () => {
  assert.ok(HOSTILE.length >= 400, `${HOSTILE.length}`);
  assert.equal(new Set(HOSTILE.map(({ name }) => name)).size, HOSTILE.length);
});

test('what the inputs are changed from is sound', () => {
  writeFileSync(join(folder, 'design.json'), SOUND.design);
  writeFileSync(join(folder, 'records'), SOUND.records);
  assert.equal(answered(['analyze', 'design.json', 'records']).status, 0);
});

test('hostile input', async (all) => {
  for (const { name, args, files, exit, words } of HOSTILE)
    await all.test(name, () => {
      for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
      const given = args.map((word) => word.replace(/^\{([\w.]+)\}$/, '$1'));
      const { status, signal, stdout, stderr, seconds } = answered(given);
      const said = stderr.length < 400 ? stderr : `${stderr.slice(0, 400)}…`;
      assert.equal(signal, null, said);
      assert.equal(status, exit, said || stdout.slice(0, 400));
      assert.match(stderr || stdout, words);
      assert.ok(seconds <= SECONDS, `${seconds.toFixed(1)} s`);
    });
});

/** Commands that hold much, with what they write. @type {string[][]} */
const LARGE = [
  ['analyze', 'large.json', 'large.csv', '--html', 'made'],
  ['encode', 'large.json', 'large.csv', '-o', 'made'],
  ['splits', 'large.json', 'large.csv', '-o', 'made'],
  ['compare', 'large.json', 'large.json', '--data', 'large.csv'],
];

test('whichever allocation the system refuses is told in words, and the file of before stays', {
  skip: process.platform !== 'linux',
}, () => {
  writeFileSync(
    join(folder, 'large.json'),
    JSON.stringify({
      rowscape: 1,
      fields: [
        { name: 'id', type: 'text' },
        { name: 'at', type: 'time', format: 'epoch-millis' },
      ],
      arrival: 'at',
      rowkey: "id + '_' + at.format('yyyyMMddHHmmss')",
      splits: { sample: 16 },
    }),
  );
  const line = (/** @type {number} */ row) =>
    `${((row * 2654435761) % 2 ** 32).toString(16)},${17e11 + row * 7}\n`;
  writeFileSync(
    join(folder, 'large.csv'),
    `id,at\n${Array.from({ length: 400_000 }, (_, row) => line(row)).join('')}`,
  );
  for (const args of LARGE) {
    let done = 0;
    // A step is the least that counts as large; below, the program itself does not start.
    for (let mebibytes = 18; done < 8; mebibytes++) {
      writeFileSync(join(folder, 'made'), 'before');
      const { status, signal, stderr } = answered(args, mebibytes);
      const at = `${args[0]} in ${mebibytes} MiB: ${stderr.slice(0, 200)}`;
      assert.equal(signal, null, at);
      const made = readFileSync(join(folder, 'made'), 'utf8');
      if (status === 0) done++;
      else {
        assert.equal(status, 2, at);
        assert.match(stderr, /out of memory: \d+ MiB could not be allocated/, at);
        assert.equal(made, 'before', at);
      }
      assert.ok(!readdirSync(folder).some((name) => name.endsWith('.part')), at);
      assert.ok(mebibytes < 200, at);
    }
  }
});
