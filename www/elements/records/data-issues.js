import { state } from '../../state/store.js';
import { count } from '../../text/format.js';
import { say } from '../../text/sentences.js';

/** @import { Problem } from '../../types.d.ts' */

/** True if a file was not read to its end. @param {Problem} problem */
export const isBroken = ({ code }) =>
  /^(input\.(broken-gzip|broken-table|table-unknown|cut-short|too-large)|limit\.exceeded)$/.test(code);
/** Codes of notes about values that were read. */
export const TOLD =
  /^(field\.not-utf8|input\.(header-twice|header-not-text|kind-by-name|member-twice|lone-surrogate|mark-within))$/;

/**
 * The worst fault of the records that anything they show has to be judged by; null if there is none.
 * @returns {string | null}
 */
export function issues() {
  const { loaded, view, guess } = state;
  const { ragged = 0, refused = 0, told = 0, bad_bytes: bad = 0, first = [] } = loaded?.problems ?? {};
  const rejected = Math.max(refused, view?.refused.count ?? 0);
  if (first.some(isBroken)) return say('page.issue-broken');
  if (rejected) return say('page.refused', { rows: count(rejected) });
  if (ragged) return say('page.ragged', { rows: count(ragged) });
  if (view?.untimed) return say('page.untimed', { rows: count(view.untimed) });
  if (loaded?.sampled && view?.sample && !view.sample.exact) return say('page.issue-sample');
  const others =
    told + bad + (guess?.problems.length ?? 0) + first.filter(({ code }) => TOLD.test(code)).length;
  return others || loaded?.sampled || loaded?.narrowed ? say('page.data-issues') : null;
}
