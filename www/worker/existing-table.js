import * as core from '#core';
import { tablesOf } from '../design/document.js';

/**
 * @import { Design, ExistingAnswer, ExistingRegion, ExistingTable, Migration, Problem, RegionStep, Report } from '../types.d.ts'
 */

/** Regions and steps handed over: a page shows no more, and nobody copies more commands than that. */
const MOST_REGIONS = 1000;
const MOST_STEPS = 5000;
/** Regions that lose most rows. */
const MOST_MOVES = 20;
/** Keys of a sample that are read back. */
const KEYS_READ = 300;

/**
 * The way from one design to another, with figures when there are records.
 * @param {core.Records | null} records
 * @param {{ documents: string[], tables: string[] }} ask the old design, then the new one
 * @returns {Migration}
 */
export function migrationOf(records, { documents, tables }) {
  const none = records ? null : noRecords(documents[0], Number(tables[0]));
  try {
    const { moves, reshape, ...rest } = /** @type {Migration & { reshape: RegionStep[] }} */ (
      core.migration(records ?? /** @type {core.Records} */ (none), documents, tables)
    );
    const most = [...(moves?.regions ?? [])].sort((a, b) => b.moved - a.moved).slice(0, MOST_MOVES);
    const moved = moves && { ...moves, regions: most.filter((region) => region.moved > 0) };
    return { ...rest, moves: moved, reshape: reshape.slice(0, MOST_STEPS), stepCount: reshape.length };
  } finally {
    none?.free();
  }
}

/** @param {string} document @param {number} table */
function noRecords(document, table) {
  const given = new core.Columns();
  try {
    for (const _ of tablesOf(JSON.parse(document))[table].fields) {
      given.add(new Uint8Array(), new Uint32Array(), new Uint32Array(), undefined);
    }
    return core.Records.ofColumns(document, given);
  } finally {
    given.free();
  }
}

/**
 * Compares the existing table described by a text with the design.
 * @param {{ text: string, plain: string, chosen: number, table: number }} ask
 * @param {Design} design with split points that hang on no records
 * @param {((splits: string) => Report) | null} report where the records land under other splits
 * @returns {ExistingAnswer}
 */
export function existingOf({ text, plain, chosen, table }, design, report) {
  const { forms, tables, problems } =
    /** @type {{ forms: string[], tables: ExistingTable[], problems: Problem[] }} */ (
      core.existingTables(text, plain || undefined)
    );
  const found = tables[Math.min(chosen, tables.length - 1)];
  const told = found && (found.regions.length > 0 || found.points.length > 0);
  const splits = JSON.stringify(tablesOf(design)[table].splits);
  const regions = told ? regionsOf(found) : [];
  const sum = (/** @type {'megabytes' | 'requests'} */ member) =>
    regions.every((region) => region[member] === null)
      ? null
      : regions.reduce((all, region) => all + (region[member] ?? 0), 0);
  /** @type {ExistingAnswer} */
  const answer = {
    forms,
    problems,
    tables: tables.map(({ name, regions: { length }, points }) => ({
      name,
      regions: length || points.length + 1,
    })),
    table: null,
    keys: found?.keys.length ? keysOf(found.keys, design, table, splits) : null,
    steps: [],
    stepCount: 0,
  };
  if (!found || !told) return answer;
  const own = JSON.stringify({ points: found.points });
  /** @type {Map<number, number>} */
  const landed = new Map(report?.(own).regions.map(({ index, rows }) => [index, rows]) ?? []);
  answer.table = {
    name: found.name,
    points: found.points,
    families: found.families,
    judgement: found.judgement,
    regionCount: regions.length,
    megabytes: sum('megabytes'),
    requests: sum('requests'),
    regions: regions
      .slice(0, MOST_REGIONS)
      .map((region, index) => ({ ...region, rows: report ? (landed.get(index) ?? 0) : null })),
  };
  // Split points that hang on records that are not there are not known, and so no way to them.
  const steps = needRecords(design, table) ? [] : /** @type {RegionStep[]} */ (core.reshape(own, splits));
  return { ...answer, steps: steps.slice(0, MOST_STEPS), stepCount: steps.length };
}

/** @param {Design} design @param {number} table */
const needRecords = (design, table) => tablesOf(design)[table].splits.sample !== undefined;

/**
 * The regions of a table; of one whose splits alone are told, what follows from these.
 * @param {ExistingTable} table
 */
function regionsOf({ regions, points }) {
  if (regions.length) return regions;
  const unknown = { server: null, megabytes: null, requests: null, encoded: null };
  return ['', ...points].map(
    (start, index) => /** @type {ExistingRegion} */ ({ ...unknown, start, stop: points[index] ?? '' }),
  );
}

/**
 * Row keys of a table that is there: how they fall into the regions of the design, and whether its formula
 * can have made them.
 * @param {string[]} keys
 * @param {Design} design
 * @param {number} table
 * @param {string} splits
 * @returns {ExistingAnswer['keys']}
 */
function keysOf(keys, design, table, splits) {
  const document = JSON.stringify(design);
  const every = Math.ceil(keys.length / KEYS_READ);
  const tried = keys.filter((_, index) => index % every === 0);
  const read = (/** @type {string} */ key) =>
    /** @type {{ table: number }[]} */ (core.decodeTogether(document, key)).some(
      (one) => one.table === table,
    );
  const others = tried.filter((key) => !read(key));
  const regions = needRecords(design, table) ? [] : countsOf(keys, splits);
  const figures = { count: keys.length, tried: tried.length, read: tried.length - others.length };
  return { ...figures, other: others[0] ?? null, regions };
}

/** Keys by region. @param {string[]} keys @param {string} splits */
function countsOf(keys, splits) {
  const regions = core.Regions.of(splits);
  try {
    const { ends } = /** @type {{ ends: Uint32Array }} */ (regions.points());
    const counts = new Array(ends.length + 1).fill(0);
    for (const key of keys) counts[regions.regionOf(core.toBytesBinary(key, true))]++;
    return counts;
  } finally {
    regions.free();
  }
}
