// Analyzes the records of a source under a design.
import { call, RowscapeError } from './error.js';
import { between } from './given.js';
import { read, unfinished } from './reading.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Finding } from './finding.js' */
/** @import { Problem } from './error.js' */
/** @import { ReadFile, KindSources, ReadOptions, Source } from './reading.js' */
/** @import { Field } from './rowkeys.js' */

/**
 * A region. Where records are meant to share rows, `rows` are different row keys (an estimate if `keys.duplicates.estimated`), else
 * as many as `records`; `share` is of all records.
 * @typedef {{ index: number, start: string, stop: string, rows: number, records: number, share: number, bytes: number }} LoadedRegion
 */

/**
 * Rows and cells of a design of which cells have formulas. `most` records write to the fullest row; a column is a cell with a formula.
 * @typedef {{ rows: number, rowBytes: number, most: number, estimated: boolean, columns: { cells: number, rowBytes: number,
 *   missing: number, qualifiers: LengthFigures, values: LengthFigures }[] }} CellFigures
 * @typedef {{ count: number, bytes: number, min: number, max: number }} LengthFigures
 */

/**
 * Where records land.
 * @typedef {object} Report
 * @property {number} rows records with and without a key
 * @property {{ count: number, reasons: { code: string, field: string | null, count: number }[], first: Problem[] }} refused
 * @property {{ count: number, bytes: number, min: number, max: number, mean: number, first: string, last: string,
 *   duplicates: { keys: number, rows: number }, cells?: CellFigures }} keys
 * @property {number} untimed rows with a key whose arrival could not be read
 * @property {{ field: string, start: number, step: number, buckets: number } | null} time
 * @property {number} regionCount
 * @property {LoadedRegion[]} regions all regions; if there are very many, those with the most rows
 * @property {{ mean: number, median: number, max: number, maxOverMean: number, cv: number, gini: number, empty: number }} skew
 * @property {Uint32Array} heat rows by region and time bucket, region after region
 * @property {{ code: string, severity: 'good' | 'warning' | 'bad', args: Record<string, string>,
 *   title: string, detail: string, message: string }} verdict
 */

/**
 * The headline: the verdict, or a worse finding. `also` is the message of the verdict if a finding replaces it.
 * @typedef {{ code: string, severity: 'good' | 'warning' | 'bad', title: string, detail: string, message: string, also: string | null }} Headline
 */

/**
 * Versions of cells that remain after a major compaction at the time of the last record (`at`, in milliseconds; null without an
 * arrival time, when none expires), by family: written, different cells, left.
 * @typedef {{ families: { name: string, written: number, cells: number, left: number }[], at: number | null }} VersionsLeft
 */

/**
 * The analysis of records under a design.
 * @typedef {object} Analysis
 * @property {Headline} headline the verdict, or the worst finding if it is worse
 * @property {Report} report
 * @property {Finding[]} findings about the design and these records, worst first
 * @property {VersionsLeft} versions the cell versions that remain
 * @property {{ ragged: number, refused: number, bad_bytes: number, told: number, first: Problem[], files: ReadFile[] }} problems records
 *   and values that could not be read; how the file was read
 */

/** Thrown if gzip data is damaged, or a file ends within a record or an array, with the analysis of the records before that. */
export class DamagedInputError extends RowscapeError {
  /** @param {Problem} problem @param {Analysis} analysis */
  constructor(problem, analysis) {
    super(problem);
    /** The analysis of the records before the damage. */
    this.analysis = analysis;
  }

  get name() {
    return 'DamagedInputError';
  }
}

/** Time buckets where the options say nothing, and the most. */
const BUCKETS = 240;
const MOST_BUCKETS = 10_000;

/**
 * Reads records and lays them out under a design.
 * @param {{ document: string, table: number, fields: readonly Field[], kinds: readonly string[] }} design
 * @param {Source | KindSources} source
 * @param {ReadOptions & { timeBuckets?: number }} options
 * @returns {Promise<Analysis>}
 */
export async function analyze({ document, table, fields, kinds }, source, options) {
  const { timeBuckets = BUCKETS } = options;
  between(timeBuckets, 'timeBuckets', [1, MOST_BUCKETS]);
  const records = await read(fields, source, options, { document, table, kinds, keyed: true });
  try {
    const analysis = laidOut(records, document, table, timeBuckets);
    const broken = unfinished(records);
    if (broken) throw new DamagedInputError(broken, analysis);
    return analysis;
  } finally {
    records.free();
  }
}

/**
 * @param {wasm.Records} records
 * @param {string} document
 * @param {number} table
 * @param {number} timeBuckets
 * @returns {Analysis}
 */
function laidOut(records, document, table, timeBuckets) {
  return call(() => {
    const analysis = new wasm.Analysis(records, document, table);
    try {
      const report = analysis.report({ timeBuckets, top: 20 });
      const findings = analysis.findings(document, table);
      const versions = analysis.left(document, table);
      return {
        headline: headline(report, findings),
        report,
        findings,
        versions,
        problems: records.problems(),
      };
    } finally {
      analysis.free();
    }
  });
}

/**
 * Counts alone do not tell that keys count up where records have no time: a bad finding goes before a verdict that is none.
 * @param {Report} report
 * @param {Finding[]} findings
 * @returns {Headline}
 */
export function headline({ verdict }, findings) {
  const worse = verdict.severity === 'bad' ? undefined : findings.find(({ severity }) => severity === 'bad');
  if (!worse) {
    const { code, severity, title, detail, message } = verdict;
    return { code, severity, title, detail, message, also: null };
  }
  const { code, title, message } = worse;
  return { code, severity: 'bad', title, detail: verdict.title, message, also: verdict.message };
}
