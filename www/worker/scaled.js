/** @import { Report } from '../types.d.ts' */

/**
 * Scales a report on a sample to all rows: shares stay, row counts are multiplied.
 * @param {Report} report
 * @param {number} factor all rows by sampled rows
 * @returns {Report}
 */
export function scaled(report, factor) {
  const up = (/** @type {number} */ rows) => Math.round(rows * factor);
  const { keys, skew, refused, moments, regions, servers, heat, keyBytes, reads, time, untimed } = report;
  const { mean, median, max } = skew;
  return {
    ...report,
    rows: up(report.rows),
    refused: { ...refused, count: up(refused.count) },
    keys: { ...keys, count: up(keys.count), bytes: up(keys.bytes) },
    skew: { ...skew, mean: mean * factor, median: median * factor, max: up(max) },
    untimed: up(untimed ?? 0),
    time: time && { ...time, outside: up(time.outside ?? 0) },
    moments: { ...moments, rows: moments.rows.map(up) },
    regions: regions.map((region) => ({
      ...region,
      rows: up(region.rows),
      records: up(region.records),
      bytes: up(region.bytes),
      ...(region.reads !== undefined && { reads: up(region.reads) }),
    })),
    heat: heat.map(up),
    ...(keyBytes && { keyBytes: keyBytes.map(up) }),
    ...(reads && { reads: reads.map(up) }),
    servers: servers && { ...servers, rows: servers.rows.map(up), load: servers.load.map(up) },
  };
}
