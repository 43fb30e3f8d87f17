// A large file in the built page: read by one worker, by two in slices, and twice at the same time by one each.
//   node tests/bench/page/slices.mjs     this alone, after npm run build
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { isProgram, program, ROOT } from '../../../scripts/run.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { opened } from '../../browser/sliced.mjs';
import { CALLS, callRecords } from '../setup.mjs';

/**
 * Least milliseconds until a file was read, and until its report was made.
 * @typedef {{ read: number, all: number }} Times
 */

/**
 * A file by one worker, by two, and two files at the same time by one each. `same` tells that slices change nothing.
 * @typedef {{ one: Times, sliced: Times, pair: Times, same: boolean }} SlicesRun
 */

const ROWS = 4_000_000;
/** Rounds, in which kinds of run take turns, of which the best counts. */
const ROUNDS = 5;
/** @returns {Promise<SlicesRun>} */
export async function slicesRun() {
  const site = await serve({ root: `${ROOT}/dist/site` });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  const most = () => ({ read: Infinity, all: Infinity });
  const best = { one: most(), sliced: most(), pair: most() };
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.evaluate(() =>
      document.body.insertAdjacentHTML('beforeend', '<input type="file" id="sliced">'),
    );
    await page.setInputFiles('#sliced', callRecords(ROWS));
    const found = new Set();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, workers, files] of /** @type {const} */ ([
        ['one', 1, 1],
        ['sliced', 2, 1],
        ['pair', 1, 2],
      ])) {
        const run = await page.evaluate(opened, { design: CALLS, workers, files });
        found.add(run.found);
        best[kind].read = Math.min(best[kind].read, run.read);
        best[kind].all = Math.min(best[kind].all, run.all);
      }
    }
    return { ...best, same: found.size === 1 };
  } finally {
    await browser.close();
    await site.close();
  }
}

/** @param {SlicesRun} run @param {'read' | 'all'} what */
const shareOf = ({ sliced, pair }, what) => pair[what] / 2 / sliced[what];

/** Runs that differ, or are slower than by one worker. @param {SlicesRun} run */
export const slicesFaults = ({ one, sliced, same }) => [
  ...(same ? [] : ['a file in slices: another report than of one worker']),
  ...(sliced.all < one.all ? [] : [`a file in slices: ${sliced.all} ms, ${one.all} ms by one worker`]),
];

/** The runs in words. @param {SlicesRun} run */
export function slicesLines(run) {
  const line = (/** @type {'read' | 'all'} */ what, /** @type {string} */ name) => {
    const [one, sliced, pair] = [run.one, run.sliced, run.pair].map((times) => Math.round(times[what]));
    const share = shareOf(run, what).toFixed(2);
    return `${name} ${ROWS} rows in Chromium: ${one} ms by one worker, ${sliced} ms by two, ${pair} ms twice at the same time by one each; ${share} of two runs`;
  };
  return [line('read', 'Reading'), line('all', 'Opening')].join('\n');
}

async function main() {
  const run = await slicesRun();
  console.log(slicesLines(run));
  const faults = slicesFaults(run);
  for (const fault of faults) console.error(`FAILED: ${fault}`);
  if (faults.length) process.exitCode = 1;
}

if (isProgram(import.meta.url)) program(main);
