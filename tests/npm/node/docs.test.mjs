// Runs the commands of the documentation, and compares their output with the text that follows them.
//   UPDATE=1 node --test tests/npm/node/docs.test.mjs   writes the output anew where all of it is quoted
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../../scripts/run.mjs';
import { NATIVE } from '../../native.mjs';

const DOCS = join(ROOT, 'docs');
/** Files that each page has in its folder. */
const GIVEN = { 'nyc-flights-2013-01.csv': 'flights.csv', 'nyc-flights.json': 'flights.json' };
/** Lines that are left out. */
const GAP = '…';

/** Blocks of code with their language, and the file that one is. @param {string} text */
const blocks = (text) =>
  Array.from(text.matchAll(/^```(\w+)(?: file=(\S+))?\n(.*?)^```$/gms), ([whole, language, file, code]) => ({
    whole,
    language,
    file,
    code,
  }));

/** The words of a command. @param {string} line */
const words = (line) =>
  Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|\S+/g), ([word, one, two]) => one ?? two ?? word);

/**
 * True if lines are those printed, but for those left out.
 * @param {string[]} quoted
 * @param {string[]} printed
 * @returns {boolean}
 */
function match(quoted, printed) {
  if (!quoted.length) return !printed.length;
  const [first, ...rest] = quoted;
  if (first !== GAP) return first === printed[0] && match(rest, printed.slice(1));
  for (let skipped = 0; skipped <= printed.length; skipped++) {
    if (match(rest, printed.slice(skipped))) return true;
  }
  return false;
}

/** @param {string} text */
const lines = (text) =>
  text
    .replace(/\s+$/, '')
    .split('\n')
    .map((line) => line.trimEnd());

/** Pages whose commands name files of a cluster, or stand for many. */
const OTHERS = ['cli.md', 'observe.md', 'phoenix.md', 'row-keys.md', 'spark.md', 'suggest.md'];

for (const name of readdirSync(DOCS).filter((one) => one.endsWith('.md') && !OTHERS.includes(one))) {
  const text = readFileSync(join(DOCS, name), 'utf8');
  const own = blocks(text);
  if (!own.some(({ language, code }) => language === 'sh' && code.startsWith('rowscape '))) continue;

  test(`the commands in docs/${name} print what it quotes`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowscape-docs-'));
    let updated = text;
    try {
      for (const [from, to] of Object.entries(GIVEN))
        copyFileSync(join(ROOT, 'www', 'examples', from), join(folder, to));
      /** The output of each command. @type {string[]} */
      let printed = [];
      for (const { whole, language, file, code } of own) {
        if (file) writeFileSync(join(folder, file), code);
        if (language === 'sh') {
          printed = [];
          for (const line of code.split('\n').filter((one) => one.startsWith('rowscape '))) {
            const [, ...args] = words(line);
            const run = spawnSync(NATIVE, args, { cwd: folder, encoding: 'utf8' });
            assert.ok(
              run.status === 0 || run.status === 1 || /^rowscape (merge|migrate)/.test(line),
              `${line}\n${run.stderr}`,
            );
            printed.push(run.stdout, run.stderr, run.stderr + run.stdout);
          }
        }
        if (language !== 'text' || !printed.length) continue;
        if (printed.some((one) => match(lines(code), lines(one)))) continue;
        const canUpdate = process.env.UPDATE && !lines(code).includes(GAP);
        if (canUpdate)
          updated = updated.replace(whole, () => `\`\`\`text\n${lines(printed[0] ?? '').join('\n')}\n\`\`\``);
        else assert.fail(`quoted:\n${code}\nprinted:\n${printed[0]}${printed[1]}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    if (updated !== text) writeFileSync(join(DOCS, name), updated);
  });
}
