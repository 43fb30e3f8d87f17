// Numbers of rows at which a product of sizes passes 32 bits in the module, and in no native program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDesign } from '../../../dist/npm/index.js';

/** Times the longest row key this is little more than 2^32. */
const ROWS = Math.ceil(2 ** 32 / 32_767);

test('a fix for repeated row keys is found whatever the number of rows', async () => {
  const design = parseDesign({
    rowscape: 1,
    fields: [
      { name: 'device', type: 'text' },
      { name: 'number', type: 'integer' },
    ],
    rowkey: 'device',
    splits: { points: ['3', '6'] },
  });
  // Keys repeat among the last records alone.
  const lines = Array.from({ length: ROWS }, (_, row) => `${row % 100_000},${row}`);
  const { findings } = await design.analyze(`device,number\n${lines.join('\n')}\n`);
  const [repeated] = findings.filter(({ code }) => code === 'RS301');
  assert.ok(repeated.fix, JSON.stringify(repeated));
});
