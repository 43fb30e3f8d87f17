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
