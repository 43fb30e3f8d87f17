import * as core from '#core';
import { sumsOf } from '../heat/sums.js';
import { atOnce } from './folded-view.js';
import { cellsOf, pictureOf } from './picture.js';
import { beginsOf, edgesOf, inParts } from './region-parts.js';
import { scaled } from './scaled.js';

/** @import { Metric, Report, Sheet, Storage, TimeAxis, View } from '../types.d.ts' */
/** @import { Ordered, Wanted } from './region-parts.js' */

/**
 * @typedef {{ metric: Metric, buckets: number | null, document: string, table: number, parts?: Wanted }} Asked buckets of the time axis: null for those of the report
 */

/**
 * A report's heat in another metric or in finer moments.
 * @param {Report} shown
 * @param {((more: object) => Report) | null} again asks for the report with other options; null when it can't be had again
 * @param {Asked} asked
 * @returns {Sheet | null} null when there is no such picture
 */
export function sheetOf(shown, again, { metric, buckets, document, table }) {
  if (buckets && !again) return null;
  const more = {
    ...(buckets && { timeBuckets: buckets }),
    ...(metric === 'bytes' && { keyBytes: true }),
  };
  const counted = Object.keys(more).length && again ? again(more) : shown;
  const report = counted.time ? counted : atOnce(counted);
  if (metric === 'bytes' && !report.keyBytes) return null;
  if ((metric === 'reads' || metric === 'writes') && !report.reads) return null;
  const row = metric === 'bytes' ? bytesOf(shown, document, table) : { rest: 0, cells: 0 };
  const picture = pictureOf(report, metric, cellsOf(report, metric, row));
  picture.sums = sumsOf(picture.sum, picture.bands, picture.buckets);
  return { picture, moments: report.moments, time: report.time };
}

/**
 * The same with some regions in parts.
 * @param {Report} shown
 * @param {(more: object) => Report} again asks for the report with other options
 * @param {Asked & { parts: Wanted }} asked
 * @param {Ordered} ordered
 * @param {{ rows: number, of: number, exact: boolean } | null} sample of which the keys are, and whether the report is of all rows
 * @returns {Sheet | null}
 */
export function partsSheetOf(shown, again, { metric, buckets, document, table, parts }, ordered, sample) {
  if (shown.regions.length !== shown.regionCount) return null;
  if ((metric === 'reads' || metric === 'writes') && !shown.reads) return null;
  const begins = beginsOf(ordered, shown.regions, parts);
  const base = {
    keyBytes: metric === 'bytes',
    ...(buckets && { timeBuckets: buckets }),
    ...(sample?.exact && shown.time && { axis: axisOf(shown.time) }),
  };
  const points = begins.slice(1).map(({ start }) => start);
  const counted = again({ ...base, splits: JSON.stringify({ points }) });
  const whole = buckets ? again(base) : shown;
  const report = counted.time ? counted : atOnce(counted);
  const { moments, time } = whole.time ? whole : atOnce(whole);
  const row = metric === 'bytes' ? bytesOf(shown, document, table) : { rest: 0, cells: 0 };
  const { regionCount } = shown;
  const edges = edgesOf(begins, regionCount, parts.slots);
  const widths = edges.subarray(1).map((edge, at) => edge - edges[at]);
  const cells = cellsOf({ ...report, moments, regionCount }, metric, row, widths);
  const picture = inParts(
    pictureOf(report, metric, cells, begins.length),
    begins,
    regionCount,
    parts,
    sample && { rows: sample.rows, of: sample.of },
  );
  picture.sums = sumsOf(picture.sum, picture.bands, picture.buckets);
  return { picture, moments, time };
}

/** The same moments as those of a report. @param {TimeAxis} time */
const axisOf = ({ start, step, buckets }) => [start, Math.round(step * buckets), buckets];

/**
 * Bytes of a row besides its keys, and the number of cells that repeat the key.
 * @param {Report} report
 * @param {string} document
 * @param {number} table
 */
function bytesOf({ keys: { count, bytes, min, max } }, document, table) {
  const rows = Math.max(1, count);
  const { bytes: kinds, cells } = /** @type {Storage} */ (
    core.storage(document, table, { count, bytes, min, max }, rows)
  );
  const { row: _, ...others } = kinds;
  return { rest: Object.values(others).reduce((sum, kind) => sum + kind, 0) / rows, cells: cells / rows };
}

/**
 * The heat of another design on the same records.
 * @param {core.Records} records
 * @param {{ document: string, table: number, buckets: number, metric?: Metric }} asked
 * @param {number} factor all records for each of these
 * @returns {Sheet}
 */
export function heatOf(records, { document, table, buckets, metric = 'rows' }, factor) {
  const analysis = new core.Analysis(records, document, table);
  try {
    const own = /** @type {Report} */ (analysis.report({ timeBuckets: buckets, top: 1 }));
    const counted = factor === 1 ? own : scaled(own, factor);
    const report = counted.time ? counted : atOnce(counted);
    const picture = pictureOf(report, metric, cellsOf(report, metric));
    return { picture, moments: report.moments, time: report.time };
  } finally {
    analysis.free();
  }
}

/**
 * The cells of a report's picture in even shares.
 * @param {Report} report
 * @returns {NonNullable<View['even']>}
 */
export function evenOf(report) {
  const timed = report.time ? report : atOnce(report);
  const { codes, top, one } = pictureOf(timed, 'even', cellsOf(timed, 'even'));
  return { codes, top, one };
}
