// Times reads of a real HBase and fits the constants of the cost model of docs/suggest.md to them.
//   node tests/oracle/calibrate.mjs [--json FILE]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { program } from '../../scripts/run.mjs';
import { timesOfReads } from './jvm.mjs';
import { buildJava } from './maven.mjs';

/** @typedef {{ name: string, counts: Record<string, number>, micros: number }} TimedRead */

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });

/** Prices of the default model in units, by what it counts. @type {Record<string, number>} */
const DEFAULTS = {
  request: 1,
  seek: 0.1,
  cell: 0.001,
  filtered: 0.002,
  reversed: 0.002,
  both: 0.004,
  uncached: 1,
};

/** The middle of some numbers. @param {number[]} of */
const median = (of) => [...of].sort((a, b) => a - b)[of.length >> 1];

/** The median of the turns of each read. @param {Awaited<ReturnType<typeof timesOfReads>>} reads @returns {TimedRead[]} */
const medians = (reads) => reads.map(({ micros, ...read }) => ({ ...read, micros: median(micros) }));

/**
 * Prices that add up to the times with the least squares of relative errors, none below zero.
 * @param {TimedRead[]} reads
 * @param {string[]} names
 */
function fitted(reads, names) {
  const rows = reads.map(({ counts, micros }) => names.map((name) => (counts[name] ?? 0) / micros));
  let prices = names.map(() => 0);
  // One price after the other, each the best for the others as they are: converges, as the squares are convex.
  for (let turn = 0; turn < 20_000; turn++) {
    prices = prices.map((_, at) => {
      let [up, down] = [0, 0];
      for (const row of rows) {
        const others = row.reduce((sum, share, other) => sum + (other === at ? 0 : share * prices[other]), 0);
        up += row[at] * (1 - others);
        down += row[at] * row[at];
      }
      prices[at] = down ? Math.max(0, up / down) : 0;
      return prices[at];
    });
  }
  return Object.fromEntries(names.map((name, at) => [name, prices[at]]));
}

/** @param {TimedRead} read @param {Record<string, number>} prices */
const expected = ({ counts }, prices) =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + count * (prices[name] ?? 0), 0);

/** @param {string} folder */
async function main(folder) {
  await buildJava();
  const before = loadavg()[0];
  const reads = medians(await timesOfReads(folder));
  const names = Object.keys(DEFAULTS);
  const micros = fitted(reads, names);
  const units = Object.fromEntries(names.map((name) => [name, micros[name] / micros.request]));
  // The defaults with the one unit of time that fits them best.
  const inDefaults = fitted(
    reads.map((read) => ({ ...read, counts: { unit: expected(read, DEFAULTS) } })),
    ['unit'],
  );
  const ofDefaults = Object.fromEntries(names.map((name) => [name, DEFAULTS[name] * inDefaults.unit]));
  for (const read of reads) {
    const [fit, plain] = [micros, ofDefaults].map((prices) => expected(read, prices));
    const off = (/** @type {number} */ value) =>
      `${((100 * value) / read.micros - 100).toFixed(0).padStart(5)}%`;
    console.log(
      `${read.name.padEnd(58)} ${read.micros.toFixed(0).padStart(7)} µs  fit ${off(fit)}  defaults ${off(plain)}`,
    );
  }
  const errors = (/** @type {Record<string, number>} */ prices) =>
    median(reads.map((read) => Math.abs(expected(read, prices) / read.micros - 1)));
  console.log(`\nload ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`);
  for (const name of names)
    console.log(
      `${name.padEnd(10)} ${micros[name].toFixed(2).padStart(8)} µs  ${units[name].toFixed(5)} units  default ${DEFAULTS[name]}`,
    );
  console.log(
    `median error: fit ${(100 * errors(micros)).toFixed(0)}%, defaults ${(100 * errors(ofDefaults)).toFixed(0)}%`,
  );
  if (options.json) writeFileSync(options.json, JSON.stringify({ reads, micros, units }, null, 2));
}

const folder = mkdtempSync(join(tmpdir(), 'rowscape-calibrate-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
await program(() => main(folder));
process.exit();
