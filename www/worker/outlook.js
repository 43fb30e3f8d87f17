import * as core from '#core';
import { tablesOf } from '../design/document.js';
import { CLUSTER, MONTHS } from '../design/outlook-defaults.js';
import { GIB, MIB, SECONDS_PER_DAY } from '../text/units.js';

/** @import { Design, Growth, Life, Outlook, Problem, Storage } from '../types.d.ts' */

/** Days that can be simulated. */
const LONGEST = 3660;

/**
 * Months of a table's life, from its document.
 * @param {{ document: string, table: number, lengths: object | undefined, growth: Growth, arrivals: object | string, policy: string, servers: number, regions: number }} ask
 * @returns {Outlook}
 */
export function outlookOf({ document, table, lengths, growth, arrivals, policy, servers, regions }) {
  const design = /** @type {Design} */ (JSON.parse(document));
  const { families } = tablesOf(design)[table];
  const { maxRegionGB, flushMB, majorCompactionDays } = { ...CLUSTER, ...design.cluster };
  const { rowsPerDay = 0, months = MONTHS } = growth;
  const sample = /** @type {Storage} */ (core.storage(document, table, lengths, Math.max(rowsPerDay, 1)));
  const bytesPerDay = growth.bytesPerDay ?? sample.total;
  // A table expires as its longest-lived family does.
  const lives = families.map(
    ({ ttl, minVersions }) => (minVersions ? undefined : ttl) ?? Number.POSITIVE_INFINITY,
  );
  const ttl = lives.length ? Math.ceil(Math.max(...lives) / SECONDS_PER_DAY) : Number.POSITIVE_INFINITY;
  const { rowsNow = 0, bytesNow = (rowsNow * sample.total) / sample.rows } = growth;
  const days = Math.floor((months * 365) / 12);
  // Assume that existing rows arrived at the same pace, so regions hold rows of all ages.
  const before = Math.min(Math.round(bytesNow / Math.max(1, bytesPerDay)), LONGEST - days);
  const spec = {
    days: before + days,
    bytesPerDay,
    arrivals,
    policy,
    regions,
    servers,
    maxRegion: maxRegionGB * GIB,
    flush: flushMB * MIB,
    compactionDays: majorCompactionDays,
    ...(Number.isFinite(ttl) && { ttlDays: ttl }),
  };
  const figures = { bytesPerDay, rowBytes: sample.total / sample.rows, before };
  try {
    const whole = /** @type {Life} */ (core.simulate(spec));
    const life = { ...whole, days: whole.days.slice(before) };
    if (!life.days.length && whole.stopped) return { ...figures, life: null, problems: [whole.stopped] };
    return { ...figures, life, problems: [] };
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    const refusal = /** @type {Problem & { problems?: Problem[] }} */ (error);
    return { ...figures, life: null, problems: refusal.problems ?? [refusal] };
  }
}
