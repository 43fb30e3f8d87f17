import { codesOf, evenEnd, isOfRows, isShare, mostOf, ONE } from '../heat/cell-codes.js';
import { foldCells, groupEdges, MOST_BANDS } from './fold.js';

/** @import { Metric, Picture, Report } from '../types.d.ts' */

/**
 * The heat of a report as a picture.
 * @param {Report} report
 * @param {Metric} [metric]
 * @param {ArrayLike<number>} [cells] what is shown of each cell of the heat, rows unless told
 * @param {number} [most] bands
 * @returns {Picture}
 */
export function pictureOf(report, metric = 'rows', cells = report.heat, most = MOST_BANDS) {
  const { regions, regionCount, regionsPerHeatRow: together, heat } = report;
  const heatRows = Math.ceil(regionCount / together);
  const buckets = heatRows ? Math.round(heat.length / heatRows) : 0;
  const rowEdges = groupEdges(heatRows, most);
  const bands = rowEdges.length - 1;
  const fold = (/** @type {any} */ all) =>
    bands < heatRows
      ? foldCells(all, buckets, rowEdges, groupEdges(buckets, buckets))
      : { peak: all, sum: all };
  const { peak, sum: own } = fold(cells);
  // Shares can't be added up; the margins of their picture tell rows.
  const sum = isShare(metric) ? fold(heat).sum : own;
  const edges = rowEdges.map((row) => Math.min(regionCount, row * together));
  const rows = new Float64Array(bands);
  const busiest = new Float64Array(bands);
  const starts = Array.from({ length: bands }, () => '');
  let band = 0;
  for (const { index, start, records: held } of regions) {
    while (band < bands - 1 && index >= edges[band + 1]) band++;
    rows[band] += held;
    busiest[band] = Math.max(busiest[band], held);
    if (index === edges[band]) starts[band] = start;
  }
  // Only the busiest of very many regions are listed one by one; the heat holds them all.
  if (regions.length < regionCount && isOfRows(metric)) {
    for (let at = 0; at < bands; at++) {
      rows[at] = sum
        .subarray(at * buckets, (at + 1) * buckets)
        .reduce((/** @type {number} */ total, /** @type {number} */ cell) => total + cell, 0);
    }
  }
  const top = metric === 'even' ? evenEnd(regionCount) : mostOf(peak);
  const one = ONE[metric];
  return {
    metric,
    bands,
    buckets,
    edges,
    starts,
    codes: codesOf(peak, top, one),
    top,
    one,
    peak,
    sum,
    rows,
    most: busiest,
  };
}

/**
 * Cells of a metric, computed from a report's heat.
 * @param {Report} report
 * @param {Metric} metric
 * @param {{ rest: number, cells: number }} [row] bytes of a row besides its keys, and how often its cells repeat the key
 * @param {ArrayLike<number>} [widths] regions in each row of the heat, where these differ
 */
export function cellsOf(report, metric, { rest, cells } = { rest: 0, cells: 0 }, widths) {
  const { heat, keyBytes, reads, moments } = report;
  if (metric === 'even') return evenShares(report, widths);
  if (metric === 'reads' && reads) return reads;
  if (metric === 'writes') return Float64Array.from(heat, (rows, at) => rows - (reads?.[at] ?? 0));
  if (metric === 'bytes')
    return Float64Array.from(heat, (rows, at) => rows * rest + (keyBytes?.[at] ?? 0) * cells);
  if (metric === 'share') {
    const { length } = moments.rows;
    return Float64Array.from(heat, (rows, at) => rows && rows / Math.max(1, moments.rows[at % length]));
  }
  return heat;
}

/**
 * The share that each cell has of its interval, over the share it has if all regions take the same, up to the end
 * of the scale. One row per region is added to each interval: a few rows at night are no hotspot.
 * @param {Report} report
 * @param {ArrayLike<number>} [widths]
 */
function evenShares({ heat, moments, regionCount, regionsPerHeatRow: together }, widths) {
  const { length } = moments.rows;
  const end = evenEnd(regionCount);
  return Float64Array.from(heat, (rows, at) => {
    if (!rows) return 0;
    const row = Math.floor(at / length);
    const width = widths?.[row] ?? Math.min(together, regionCount - row * together);
    const even = width / regionCount;
    return Math.min(end, (rows + width) / (moments.rows[at % length] + regionCount) / even);
  });
}
