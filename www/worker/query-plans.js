import * as core from '#core';
import { tablesOf } from '../design/document.js';
import { escaped } from '../text/escaped-bytes.js';

/** @import { Design, Known, Problem, QueryAnswer, QueryPlan, Reads, Region, RowCount } from '../types.d.ts' */

/** Ranges of a plan handed over as text; all of them as spans. */
const MOST_SHOWN = 256;

/**
 * The core's plan of a query.
 * @typedef {Omit<QueryPlan, 'ranges' | 'regions'> & { ranges: { start: string, stop: string, startBytes: Uint8Array, stopBytes: Uint8Array }[], regions: number[] | null }} Planned
 */

/**
 * Figures of a query counted on the records.
 * @typedef {RowCount & Partial<Pick<QueryPlan, 'limited' | 'shortScans' | 'cost' | 'next' | 'delivery' | 'stopsAfter' | 'reasons'>>} Counted
 */

/**
 * The plan of each query with what it touches.
 * @param {Design} design
 * @param {number} table
 * @param {core.Analysis | null} analysis of the same table, when there are records
 * @returns {QueryAnswer}
 */
export function plansOf(design, table, analysis) {
  const document = JSON.stringify(design);
  const { splits, servers } = tablesOf(design)[table];
  const found = /** @type {{ plans: Planned[], problems: Problem[] }} */ (core.plan(document, table));
  const known = /** @type {(Counted | null)[] | null} */ (
    found.problems.length ? null : (analysis?.queries(document, table) ?? null)
  );
  const axis = found.plans.length ? KeyAxis.of(JSON.stringify(splits), analysis) : null;
  const plans = found.plans.map((plan, index) => {
    const { ranges = [], problems, regions, ...rest } = plan;
    const of = /** @type {Partial<Counted>} */ (known?.[index] ?? {});
    const { read, returned, records, estimated, atMost, limited, shortScans, cost, next, ...told } = of;
    const touched = regions ?? axis?.regions(ranges) ?? null;
    return {
      ...rest,
      // Records tell of the order in which rows come what the document alone does not.
      ...told,
      filters: plan.filters ?? [],
      reasons: told.reasons ?? plan.reasons ?? [],
      problems: problems ?? [],
      ranges: ranges.slice(0, MOST_SHOWN).map(({ start, stop }) => ({ start, stop })),
      rangeCount: ranges.length,
      regions: touched?.length ?? null,
      servers: touched && servers ? new Set(touched.map((region) => region % servers)).size : null,
      spans: axis?.spans(ranges) ?? null,
      counted:
        read === undefined || returned === undefined ? null : { read, returned, records, estimated, atMost },
      limited: limited ?? null,
      shortScans: shortScans ?? null,
      cost: cost ?? null,
      next: next ? { after: next.after, repeats: next.repeats, cost: next.cost } : null,
    };
  });
  axis?.free();
  return { plans, problems: found.problems, regionCount: axis?.count ?? null };
}

/**
 * Answers that are estimated from a sample, with rows as counted while all records were read. Prices are left out.
 * @param {QueryAnswer} answer
 * @param {Known['queries'] | null} known of the same queries
 * @returns {QueryAnswer}
 */
export function forAll(answer, known) {
  const plans = answer.plans.map((plan, index) => {
    const exact = known?.[index] ?? null;
    const counted = plan.counted && (exact ?? plan.counted);
    return { ...plan, counted, exact: exact !== null, shortScans: null, cost: null, next: null };
  });
  return { ...answer, plans };
}

/** Regions listed with what is read and written. */
const READ_MOST = 20;

/**
 * Read requests per second for each region and server, next to the rows written there.
 * @param {{ document: string, table: number, servers: number }} ask
 * @param {core.Analysis} analysis
 * @param {Region[]} written regions with rows; of very many, those with most
 * @returns {Reads}
 */
export function readsOf({ document, table, servers }, analysis, written) {
  const { requests, regions, unrated } =
    /** @type {{ requests: number, regions: number[], unrated: string[] }} */ (
      analysis.reads(document, table)
    );
  const byServer = new Array(Math.max(1, servers)).fill(0);
  for (const [region, rate] of regions.entries()) byServer[region % byServer.length] += rate;
  const all = written.reduce((sum, { records }) => sum + records, 0);
  const beside = written.map(({ index, start, records }) => ({
    region: index,
    start,
    reads: regions[index] ?? 0,
    share: records / Math.max(1, all),
  }));
  const most = beside.sort((a, b) => b.reads - a.reads || b.share - a.share).slice(0, READ_MOST);
  return { requests, unrated, servers: byServer, regions: most, regionCount: regions.length };
}

/** Regions side by side, each as wide as the others, as the heatmap has them. */
class KeyAxis {
  /** @type {core.Regions} */
  #regions;
  #points;
  #analysis;

  /** @param {core.Regions} regions @param {core.Analysis | null} analysis */
  constructor(regions, analysis) {
    this.#regions = regions;
    this.#points = /** @type {{ bytes: Uint8Array, ends: Uint32Array }} */ (regions.points());
    this.#analysis = analysis;
    this.count = this.#points.ends.length + 1;
  }

  /**
   * None when the split points are not known.
   * @param {string} splits
   * @param {core.Analysis | null} analysis
   */
  static of(splits, analysis) {
    try {
      return new KeyAxis(core.Regions.of(splits), analysis);
    } catch {
      return null;
    }
  }

  free() {
    this.#regions.free();
  }

  /**
   * The regions that ascending ranges touch.
   * @param {Planned['ranges']} ranges
   */
  regions(ranges) {
    /** @type {Set<number>} */
    const touched = new Set();
    for (const { startBytes, stopBytes } of ranges) {
      const stop = stopBytes.length ? this.#regions.regionOf(stopBytes) : this.count;
      // A region that begins at the stop row is not touched.
      const end = stopBytes.length && !this.#begins(stop, stopBytes) ? stop + 1 : stop;
      for (let region = this.#regions.regionOf(startBytes); region < end; region++) touched.add(region);
    }
    return [...touched];
  }

  /**
   * Where ranges begin and end, in regions: within one by its keys, so that a range looks as long as what it
   * reads.
   * @param {Planned['ranges']} ranges
   */
  spans(ranges) {
    return Float64Array.from(
      ranges.flatMap(({ startBytes, stopBytes }) => [
        startBytes.length ? this.#place(startBytes) : 0,
        stopBytes.length ? this.#place(stopBytes) : this.count,
      ]),
    );
  }

  /** @param {Uint8Array} key */
  #place(key) {
    const region = this.#regions.regionOf(key);
    if (this.#begins(region, key)) return region;
    if (!this.#analysis) return region + 0.5;
    const begin = this.#start(region);
    const rank = (/** @type {Uint8Array} */ of) =>
      /** @type {core.Analysis} */ (this.#analysis).rank(escaped(of));
    const first = begin.length ? rank(begin) : 0;
    const end = region + 1 < this.count ? rank(this.#start(region + 1)) : this.#analysis.keyCount;
    return region + (end > first ? (rank(key) - first) / (end - first) : 0.5);
  }

  /** True if a region starts with this key. @param {number} region @param {Uint8Array} key */
  #begins(region, key) {
    const start = this.#start(region);
    return key.length === start.length && key.every((byte, at) => byte === start[at]);
  }

  /** Start key of a region. @param {number} region */
  #start(region) {
    const { bytes, ends } = this.#points;
    if (!region) return new Uint8Array();
    return bytes.subarray(region > 1 ? ends[region - 2] : 0, ends[region - 1]);
  }
}
