// Hostile input for the program: each is answered in words, with its exit code, within two seconds and 256 MiB.
//   node --test tests/hostile/cli.test.mjs     ROWSCAPE names another program than the one that cargo builds
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT, run } from '../../scripts/run.mjs';
import { HOSTILE, SOUND } from './inputs.mjs';

const SECONDS = 2;
const MEBIBYTES = 256;
/** Bounds are for the program as it is released; a debug build is several times as slow. */
function program() {
  if (process.env.ROWSCAPE) return process.env.ROWSCAPE;
  const env = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' };
  const folder = join(ROOT, 'target', 'hostile');
  run('cargo', ['build', '--release', '--locked', '--bin', 'rowscape', '--target-dir', folder], {
    env,
    quiet: true,
  });
  return join(folder, 'release', 'rowscape');
}

const rowscape = program();
const folder = mkdtempSync(join(tmpdir(), 'rowscape-hostile-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Runs the program with the address space that it may have. @param {string[]} args
 */
function answered(args) {
  const begun = performance.now();
  const limited = ['-c', `ulimit -v ${MEBIBYTES * 1024} && exec "$0" "$@"`, rowscape, ...args];
  const [command, words] = process.platform === 'linux' ? ['sh', limited] : [rowscape, args];
  const { status, signal, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    timeout: 30_000,
    maxBuffer: 1 << 28,
  });
  return { status, signal, stdout, stderr, seconds: (performance.now() - begun) / 1000 };
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
