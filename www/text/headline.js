import { effectiveText, figureText, largestOf, rowsOf, sampleOf, shareText } from './estimate.js';
import { count, percent } from './format.js';
import { describe, detailOf } from './sentences.js';

/** @import { Finding, View } from '../types.d.ts' */

/**
 * Headline of the page: the verdict, or a bad finding if it is worse. Row counts cannot show what sequential
 * keys do to writes.
 * @param {View} view
 * @param {Finding[] | null | undefined} findings the worst first
 * @returns {{ severity: View['verdict']['severity'], title: string, detail: string }}
 */
export function headline({ verdict }, findings) {
  const title = describe(verdict);
  const worse = verdict.severity !== 'bad' && findings?.find(({ severity }) => severity === 'bad');
  if (!worse) return { severity: verdict.severity, title, detail: detailOf(verdict) };
  return {
    severity: 'bad',
    title: describe({ code: `finding.${worse.name}`, args: worse.args }),
    detail: title,
  };
}

/** Rows from which anything can be judged. */
const ENOUGH = 20;
/** Verdicts that judge nothing. */
const UNJUDGED = new Set(
  ['too-few-rows', 'no-rows', 'too-sparse', 'follows-unseen'].map((name) => `verdict.${name}`),
);

/**
 * The tone of a headline: neither good nor a fault where there is too little to judge.
 * @param {View} view
 * @param {View['verdict']['severity']} severity of the headline
 * @returns {View['verdict']['severity'] | 'unknown'}
 */
export const toneOf = ({ verdict, keys }, severity) =>
  severity === 'warning' && (UNJUDGED.has(verdict.code) || keys.count < ENOUGH) ? 'unknown' : severity;

/**
 * The figures that a design is judged by at sight, as they are read.
 * @typedef {{ rows: string, regions: string, largest: string, effective: string }} Figures
 */

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
