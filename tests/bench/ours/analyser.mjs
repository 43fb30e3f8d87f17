// Cost of the analyzer besides the main job, wasm in Node: node --expose-gc analyser.mjs CSV
// Each run prints milliseconds: `counts` bytes to regions × time, `summary` bytes to the full Summary, then what is asked of them.
import { readFileSync } from 'node:fs';
import * as rowscape from '../../../dist/wasm/rowscape.js';
import { serve } from '../peers/js/serve.mjs';
import { SHAPES } from './job.mjs';

const SALTS = 256;
const VARIANTS = Array.from({ length: 32 }, (_, i) => i + 2);
/** Regions after each move of the split slider. */
const MOVES = [24, 12, 40, 8, 20, 32, 10, 48, 28];
const CHUNK_BYTES = 1 << 20;
const [csv] = process.argv.slice(2);
const file = readFileSync(csv);
const { memory } = await rowscape.init({ module: readFileSync('dist/wasm/bench.wasm') });

const { fields, phone, time } = SHAPES.calls;
const ABOUT_A_DAY = { [phone]: '13711512527', [time]: ['2024-05-01', '2024-05-02'] };
const QUERIES = [
  { name: 'a day of a phone', where: ABOUT_A_DAY },
  {
    name: 'the newest',
    where: { [phone]: '13711512527' },
    order: { field: time, direction: 'descending' },
    limit: 10,
  },
  { name: 'an hour', where: { [time]: ['2024-05-01 06:00:00', '2024-05-01 07:00:00'] } },
];
const document = (rowkey, regions, queries = QUERIES) =>
  JSON.stringify({
    rowscape: 1,
    fields,
    arrival: time,
    rowkey,
    splits: { algorithm: 'HexStringSplit', regions },
    servers: 6,
    queries,
  });
const HASHED = `${phone}.md5().hex(8) + '_' + ${phone} + '_' + ${time}.format('yyyyMMddHHmmss')`;
const SALTED = `bucket(${phone}, ${time}, ${SALTS}).decimal(3) + '_' + ${phone} + ${time}.format('yyyyMMddHHmmss')`;
const BUCKETED = `bucket(${phone}, 8).decimal(2) + '_' + ${phone} + ${time}.format('yyyyMMddHHmmss')`;

function timed(work) {
  const start = performance.now();
  const result = work();
  return { took: performance.now() - start, result };
}

/** Hands the file over as a reader would. */
function push(to) {
  for (let at = 0; at < file.length; at += CHUNK_BYTES) to.push(file.subarray(at, at + CHUNK_BYTES));
  to.finish();
}

function read() {
  const records = new rowscape.Records({ format: 'csv', fields });
  push(records);
  return records;
}

/** Bytes to regions × time. */
function counts() {
  const records = read();
  const analysis = new rowscape.Analysis(records, document(HASHED, 16, []));
  const { rows } = analysis.report();
  analysis.free();
  records.free();
  return rows;
}

/** Bytes to the full Summary: values, heavy hitters, samples, rows read by the queries. */
function summary() {
  const records = new rowscape.Records({ format: 'csv', fields });
  const stream = new rowscape.Stream(records, document(HASHED, 16));
  push(stream);
  const { length } = stream.summary();
  stream.free();
  records.free();
  return length;
}

/** The slowest query of the salted design, planned often. */
function plan() {
  const slowest = QUERIES.map((query) => {
    const text = document(SALTED, 16, [query]);
    const times = Array.from({ length: 40 }, () => timed(() => rowscape.plan(text)).took).sort(
      (a, b) => a - b,
    );
    return times[Math.floor(times.length / 2)];
  });
  return Math.max(...slowest);
}

/** Findings of a design whose report is known, those after a move of the split slider, and a number of it varied. */
function asked() {
  const records = read();
  const analysis = new rowscape.Analysis(records, document(HASHED, 16));
  analysis.report();
  const first = timed(() => analysis.findings(document(HASHED, 16))).took;
  const after = (regions) => timed(() => analysis.findings(document(HASHED, regions))).took;
  const moved = MOVES.map(after).sort((a, b) => a - b);
  const findings = moved[Math.floor(moved.length / 2)];
  analysis.free();
  const varied = JSON.stringify({ parameter: 'number', number: 0, values: VARIANTS });
  const sweep = timed(() => rowscape.sweep(records, document(BUCKETED, 8), '0', varied)).took;
  records.free();
  return { first, findings, sweep };
}

await serve(`node ${process.version}`, async () => {
  globalThis.gc?.();
  const [counted, summarised] = [timed(counts), timed(summary)];
  const result = {
    counts: counted.took,
    summary: summarised.took,
    plan: plan(),
    ...asked(),
    total: summarised.took,
    rows: counted.result,
    check: '',
  };
  return { ...result, wasmMB: memory.buffer.byteLength / 2 ** 20 };
});
