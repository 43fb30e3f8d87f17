// Commands of the HBase shell that the page gives to copy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alterCommand, reshapeCommands } from '../../www/design/shell-commands.js';

/** @typedef {import('../../www/types.d.ts').RegionStep} RegionStep */

/** @param {number} round @param {string} at @returns {RegionStep} */
const split = (round, at) => ({ round, action: 'split', start: '', stop: '', at: [at] });

test('a row with bytes stands in double quotes, which split reads, and one of text in single quotes', () => {
  const steps = ['13|', '\\x00\\xFF', `it's`, '\\x01"#{x}'].map((at) => split(1, at));
  assert.deepEqual(reshapeCommands("it's", steps).split('\n').slice(1), [
    "split 'it\\'s', '13|'",
    `split 'it\\'s', "\\x00\\xFF"`,
    "split 'it\\'s', 'it\\'s'",
    `split 'it\\'s', "\\x01\\"\\#{x}"`,
  ]);
});

test('regions are merged by the encoded names they have, and looked up when they were made on the way', () => {
  const region = { server: null, megabytes: null, requests: null };
  const regions = [
    { ...region, start: '', stop: '\\x00\\x01', encoded: 'da4d5186cb352082705d08bec7c8c3d5' },
    { ...region, start: '\\x00\\x01', stop: 'm', encoded: '118f0ff2177cdbd44d683e208b0ba68c' },
    { ...region, start: 'm', stop: '', encoded: '0347bc92e69407a43f18b66a484b9e08' },
  ];
  /** @type {RegionStep[]} */
  const steps = [
    split(1, 'c'),
    { round: 2, action: 'merge', start: '', stop: 'c', at: ['\\x00\\x01'] },
    { round: 2, action: 'merge', start: '\\x00\\x01', stop: '', at: ['m'] },
  ];
  const lines = reshapeCommands('t', steps, regions).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('merge_region')),
    [
      "merge_region 'da4d5186cb352082705d08bec7c8c3d5', region_at.call('t', '\\\\x00\\\\x01')",
      "merge_region '118f0ff2177cdbd44d683e208b0ba68c', '0347bc92e69407a43f18b66a484b9e08'",
    ],
  );
  assert.equal(lines.filter((line) => line.startsWith('region_at')).length, 1);
  assert.equal(lines.filter((line) => line.startsWith('#')).length, 2, 'a line for each round');
});

test('settings are one command: each family once, with its configuration, then the table', () => {
  const reason = { code: '', place: {}, args: {}, message: '' };
  const set = (
    /** @type {string | null} */ family,
    /** @type {string} */ name,
    /** @type {string} */ value,
  ) => ({
    family,
    name,
    value,
    configuration: {},
    reason,
  });
  const bloom = {
    ...set('d', 'BLOOMFILTER', 'ROWPREFIX_FIXED_LENGTH'),
    configuration: { 'RowPrefixBloomFilter.prefix_length': '4' },
  };
  assert.equal(
    alterCommand('cdr', [bloom, set('d', 'TTL', '86400'), set(null, 'NORMALIZATION_ENABLED', 'true')]),
    `alter 'cdr',
  {NAME => 'd', 'BLOOMFILTER' => 'ROWPREFIX_FIXED_LENGTH', 'TTL' => '86400', CONFIGURATION => {'RowPrefixBloomFilter.prefix_length' => '4'}},
  {'NORMALIZATION_ENABLED' => 'true'}`,
  );
});
