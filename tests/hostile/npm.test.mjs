// Hostile input for the npm package: each is answered in words, within twelve seconds of the
// processor and 256 MiB of the process.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../../scripts/run.mjs';
import { canAsk } from './answered.mjs';
import { HOSTILE, SOUND } from './inputs.mjs';

/** 100,000 columns take 2.4 to 5.6 s, those of the threads of the engine counted; all others at most 2. */
const SECONDS = 12;
/** The one module of `npm test` is twice as large as what ships: its code takes 32 MiB more. */
const isShipped = statSync(join(ROOT, 'dist', 'npm', 'rowscape.wasm')).size < 2 ** 22;
const MEBIBYTES = isShipped ? 264 : 288;
const folder = mkdtempSync(join(tmpdir(), 'rowscape-hostile-npm-'));
after(() => rmSync(folder, { recursive: true }));

/** A process in which the package is asked. */
class Asked {
  #child = fork(new URL('answered.mjs', import.meta.url));

  /** @param {import('./answered.mjs').Asked} asked */
  async ask(asked) {
    this.#child.send(asked);
    const answer = await Promise.race([once(this.#child, 'message'), once(this.#child, 'exit')]);
    assert.equal(typeof answer[0], 'object', `the process ended with ${answer}`);
    return /** @type {{ name: string, codes: string[], text: string, seconds: number, mebibytes: number }} */ (
      answer[0]
    );
  }

  end() {
    this.#child.kill();
  }
}

/** @param {string} name @param {string | Uint8Array} content */
function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

let shared = new Asked();
after(() => shared.end());

/**
 * Asks the process that has answered others. What it took before is no part of this answer: where it has too much, one of its own
 * is asked.
 * @param {import('./answered.mjs').Asked} asked
 */
async function answer(asked) {
  const given = await shared.ask(asked);
  if (given.mebibytes <= MEBIBYTES) return given;
  shared.end();
  shared = new Asked();
  return shared.ask(asked);
}

test('what the inputs are changed from is sound', async () => {
  const [design, records] = [file('design.json', SOUND.design), file('records', SOUND.records)];
  assert.deepEqual((await answer({ what: 'document', args: [], design })).name, '');
  assert.deepEqual((await answer({ what: 'records', args: [], design, records })).codes, []);
});

const inputs = HOSTILE.filter(canAsk);

test(`hostile input for the package, ${inputs.length} times`, async (all) => {
  assert.ok(inputs.length >= 400);
  for (const { name, what, args, files, exit, words, npm = {} } of inputs)
    await all.test(name, async () => {
      const design = file('design.json', files['design.json']);
      const records = what === 'records' ? file('records', files.records) : undefined;
      const given = await answer({ what, args, design, records });
      const { text, seconds, mebibytes } = given;
      if (given.name) assert.match(given.name, /^(RowscapeError|DamagedInputError|SyntaxError)$/, text);
      assert.equal(given.name !== '', npm.fails ?? exit !== 0, `${given.name} ${text.slice(0, 200)}`);
      // Documents are named in the answer of the command line.
      assert.match(`design.json ${text}`, npm.words ?? words);
      assert.ok(seconds <= SECONDS, `${seconds.toFixed(1)} s`);
      assert.ok(mebibytes <= MEBIBYTES, `${mebibytes.toFixed(0)} MiB`);
    });
});
