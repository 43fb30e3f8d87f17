import { pictureOf } from './picture.js';

/** @import { Listed, Region, Report, View } from '../types.d.ts' */

/** Regions shown in the table, from either end. */
const SHOWN = 100;

/**
 * A report small enough to hand over and draw at once, however many regions there are.
 * @param {Report} found
 * @param {number} held keys that are held: of records too many to hold, those of a sample
 * @param {(key: string) => number} rank how many keys that are held sort below a key
 * @returns {Omit<View, 'sample'>}
 */
export function viewOf(found, held, rank) {
  const report = found.time ? found : atOnce(found);
  const { regions, heat: _, keyBytes: __, reads, ...rest } = report;
  return {
    ...rest,
    tellsReads: Boolean(reads),
    held,
    listed: listedOf(report, held, rank),
    busiestRegions: [...regions].sort((a, b) => b.records - a.records || a.index - b.index).slice(0, SHOWN),
    firstRegions: regions.slice(0, SHOWN),
    picture: pictureOf(report),
  };
}

/**
 * Without a time all rows are one moment.
 * @param {Report} report
 * @returns {Report}
 */
export function atOnce(report) {
  const { regions, regionCount, regionsPerHeatRow: together, keys, skew } = report;
  const heat = new Uint32Array(Math.ceil(regionCount / together));
  const keyBytes = new Float64Array(heat.length);
  const reads = report.reads && new Float64Array(heat.length);
  let squares = 0;
  for (const { index, records: rows, bytes, reads: read = 0 } of regions) {
    heat[Math.floor(index / together)] += rows;
    keyBytes[Math.floor(index / together)] += bytes;
    if (reads) reads[Math.floor(index / together)] += read;
    squares += rows * rows;
  }
  const moments = {
    rows: Uint32Array.of(keys.count),
    largestShare: Float64Array.of(skew.max / Math.max(1, keys.count)),
    effective: Float64Array.of(squares ? keys.count ** 2 / squares : 0),
  };
  return { ...report, heat, keyBytes, ...(reads && { reads }), moments };
}

/**
 * @param {Report} report
 * @param {number} held
 * @param {(key: string) => number} rank
 * @returns {Listed}
 */
function listedOf({ regions, regionCount, keys }, held, rank) {
  const complete = regions.length === regionCount;
  const sums = complete && held === keys.count;
  const before = new Float64Array(regions.length);
  regions.forEach((region, at) => {
    before[at] = sums ? (at ? before[at - 1] + regions[at - 1].records : 0) : rank(region.start);
  });
  return {
    complete,
    before,
    indices: Uint32Array.from(regions, (region) => region.index),
    rows: Float64Array.from(regions, (region) => region.records),
  };
}
