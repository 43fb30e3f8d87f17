import { effectiveText, figureText, largestOf, rowsOf, sampleOf, shareText } from './estimate.js';
import { count, percent } from './format.js';
import { describe } from './sentences.js';

/** @import { Finding, View } from '../types.d.ts' */

/**
 * What stands at the top. The verdict tells where rows land; a finding that is worse goes before it, for what a key that counts
 * up does to its writes, no count of rows shows.
 * @param {View} view
 * @param {Finding[] | null | undefined} findings the worst first
 * @returns {{ severity: View['verdict']['severity'], sentence: string, also: string }} `also` is what stands below, if anything
 */
export function headline({ verdict }, findings) {
  const sentence = describe(verdict);
  const worse = verdict.severity !== 'bad' && findings?.find(({ severity }) => severity === 'bad');
  if (!worse) return { severity: verdict.severity, sentence, also: '' };
  return {
    severity: 'bad',
    sentence: describe({ code: `finding.${worse.name}`, args: worse.args }),
    also: sentence,
  };
}

/** The figures that a design is judged by at sight, as they are read. @typedef {{ rows: string, regions: string, largest: string, effective: string }} Figures */

/** @param {View} view @returns {Figures} */
export function figuresOf(view) {
  const { keys, regionCount, skew, moments, refused } = view;
  const sample = sampleOf(view);
  const largest = skew.max / Math.max(1, keys.count);
  return {
    rows: sample && refused.count > 0 ? figureText(rowsOf(keys.count, sample)) : count(keys.count),
    regions: count(regionCount),
    largest: sample
      ? shareText(largestOf(largest * sample.rows, sample.rows, regionCount))
      : percent(largest),
    effective: effectiveText(moments, typicalOf(moments), sample, regionCount),
  };
}

/**
 * The moment of the median row, by the number of regions that are written; -1 without rows.
 * @param {View['moments']} moments
 */
function typicalOf({ rows, effective }) {
  const order = [...rows.keys()]
    .filter((bucket) => rows[bucket] > 0)
    .sort((a, b) => effective[a] - effective[b]);
  const half = order.reduce((sum, bucket) => sum + rows[bucket], 0) / 2;
  let below = 0;
  return (
    order.find((bucket) => {
      below += rows[bucket];
      return below >= half;
    }) ?? -1
  );
}
