import { foldCells, groupEdges, MOST_BANDS } from './fold.js';

/** @import { Listed, Picture, Region, Report, View } from '../types.d.ts' */

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
  const { regions, heat: _, ...rest } = report;
  const listed = listedOf(report, held, rank);
  return {
    ...rest,
    held,
    listed,
    busiestRegions: [...regions].sort((a, b) => b.rows - a.rows || a.index - b.index).slice(0, SHOWN),
    firstRegions: regions.slice(0, SHOWN),
    picture: pictureOf(report, listed),
  };
}

/**
 * Without a time all rows are one moment.
 * @param {Report} report
 * @returns {Report}
 */
function atOnce(report) {
  const { regions, regionCount, regionsPerHeatRow: together, keys, skew } = report;
  const heat = new Uint32Array(Math.ceil(regionCount / together));
  let squares = 0;
  for (const { index, rows } of regions) {
    heat[Math.floor(index / together)] += rows;
    squares += rows * rows;
  }
  const moments = {
    rows: Uint32Array.of(keys.count),
    largestShare: Float64Array.of(skew.max / Math.max(1, keys.count)),
    effective: Float64Array.of(squares ? keys.count ** 2 / squares : 0),
  };
  return { ...report, heat, moments };
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
    before[at] = sums ? (at ? before[at - 1] + regions[at - 1].rows : 0) : rank(region.start);
  });
  return {
    complete,
    before,
    indices: Uint32Array.from(regions, (region) => region.index),
    rows: Float64Array.from(regions, (region) => region.rows),
  };
}

/**
 * @param {Report} report
 * @param {Listed} listed
 * @returns {Picture}
 */
function pictureOf({ regions, regionCount, regionsPerHeatRow: together, heat }, { complete }) {
  const heatRows = Math.ceil(regionCount / together);
  const buckets = heatRows ? Math.round(heat.length / heatRows) : 0;
  const rowEdges = groupEdges(heatRows, MOST_BANDS);
  const bands = rowEdges.length - 1;
  const { peak, sum } =
    bands < heatRows
      ? foldCells(heat, buckets, rowEdges, groupEdges(buckets, buckets))
      : { peak: heat, sum: heat };
  const edges = rowEdges.map((row) => Math.min(regionCount, row * together));
  const rows = new Float64Array(bands);
  const most = new Float64Array(bands);
  const starts = Array.from({ length: bands }, () => '');
  let band = 0;
  for (const { index, start, rows: held } of regions) {
    while (band < bands - 1 && index >= edges[band + 1]) band++;
    rows[band] += held;
    most[band] = Math.max(most[band], held);
    if (index === edges[band]) starts[band] = start;
  }
  // Only the busiest of very many regions are listed one by one; the heat holds them all.
  if (!complete) {
    for (let at = 0; at < bands; at++) {
      rows[at] = sum.subarray(at * buckets, (at + 1) * buckets).reduce((total, cell) => total + cell, 0);
    }
  }
  return { bands, buckets, edges, starts, peak, sum, rows, most };
}
