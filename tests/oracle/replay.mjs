// Golden vectors of random values, written by HBase's classes and replayed through the package by `npm run vectors`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, Told } from '../../scripts/run.mjs';

const LINES_SHOWN = 30;

/** @param {string} path */
function replayed(path) {
  const script = join(ROOT, 'scripts', 'check', 'vectors.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? [];
  if (failed === undefined)
    throw new Told(`npm run vectors did not say how many failed.\n${stdout}${stderr}`);
  return { passed: Number(passed), failed: Number(failed), said: stdout };
}

/** Replays the vectors in a folder; says what failed. @param {string} folder */
export function replay(folder) {
  const { passed, failed, said } = replayed(folder);
  if (failed) console.log(said.split('\n').slice(0, LINES_SHOWN).join('\n'));
  return { passed, failed };
}

/** True if a vector fails after one byte of HBase's answer was changed, as it must. @param {string} folder */
export function wrongVectorFails(folder) {
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  const record = lines.map((line) => line && JSON.parse(line)).find((one) => /[0-9a-f]{2}/.test(one?.out));
  const last = Number.parseInt(record.out.slice(-2), 16) ^ 1;
  const wrong = { ...record, out: record.out.slice(0, -2) + last.toString(16).padStart(2, '0') };
  const beside = join(folder, 'wrong');
  mkdirSync(beside);
  writeFileSync(join(beside, name), `${JSON.stringify(wrong)}\n`);
  return replayed(beside).failed === 1;
}
