// Work on a million records is heard of again and again: a worker that is silent for long is taken for dead.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from '#core';
import { answers, onBeat } from '../../../www/worker/session.js';

/**
 * Milliseconds of processor time without a word that are allowed: 250 are meant, but other threads of the process count too.
 */
const MOST = 1000;
const ROWS = 1_000_000;

const design = {
  rowscape: 1,
  fields: [
    { name: 'phone', type: 'text' },
    { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm:ss' },
    { name: 'amount', type: 'integer' },
  ],
  arrival: 'at',
  servers: 5,
  rowkey: "bucket(phone, 16).decimal(2) + '_' + phone.reverse() + at.format('yyyyMMddHHmmss')",
  splits: { sample: 32 },
  queries: [
    { name: 'one', where: { phone: '13800000000' } },
    { name: 'day', where: { at: { from: '2024-05-01 00:00:00', to: '2024-05-02 00:00:00' } } },
  ],
};
const spec = {
  rows: ROWS,
  span: '30d',
  fields: [{ name: 'phone', from: { entity: { count: 200_000, digits: 11, zipf: 1 } } }],
};

await init({ module: readFileSync(new URL('../../../dist/wasm/whole.wasm', import.meta.url)) });
let [heard, beats, longest] = [0, 0, 0];
/** Milliseconds of the processor, which no other program lengthens. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const hear = () => {
  longest = Math.max(longest, now() - heard);
  heard = now();
};
onBeat(() => {
  beats++;
  hear();
});

/** The longest silence of an answer. @param {string} type @param {object} asked */
async function silence(type, asked) {
  [heard, longest, beats] = [now(), 0, 0];
  const begun = heard;
  const given = await answers[type](asked, hear);
  hear();
  return { given, longest, beats, all: now() - begun };
}

test(`no answer about ${ROWS.toLocaleString('en')} records is silent for ${MOST} ms`, async (all) => {
  const document = JSON.stringify(design);
  const of = { document, table: 0 };
  const splits = JSON.stringify(design.splits);
  const documents = [document, document];
  const { rowkey, splits: _, ...study } = design;
  /** @type {[string, object][]} */
  const asked = [
    ['generate', { spec, fields: design.fields }],
    ['analyze', of],
    ['report', { splits, timeBuckets: 250 }],
    ['findings', of],
    ['queries', of],
    ['values', {}],
    ['profile', of],
    ['reads', { ...of, servers: 5 }],
    ['heatOf', { ...of, buckets: 250 }],
    ['compare', { documents, tables: ['0', '0'], designed: true }],
    ['migration', { documents, tables: ['0', '0'] }],
    ['sweep', { ...of, asked: { parameter: 'regions', values: [8, 16] } }],
    ['sweep', { ...of, asked: { parameter: 'order' } }],
    ['suggest', { study: JSON.stringify(study) }],
    ['suggest', { study: JSON.stringify({ ...study, rowkey }) }],
  ];
  for (const [type, ask] of asked)
    await all.test(type, async (told) => {
      const { longest, beats, all } = await silence(type, ask);
      told.diagnostic(`${longest.toFixed(0)} ms of ${all.toFixed(0)}, ${beats} beats`);
      assert.ok(longest < MOST, `${longest.toFixed(0)} ms`);
    });
});
