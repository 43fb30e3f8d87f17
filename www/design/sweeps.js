/** One thing of a design varied, with a limit on the scans that a query may take. */

/** @import { Line, Parameter, Sweep } from '../types.d.ts' */

/** Steps whose number is the number of buckets. */
const BUCKETS = new Set(['bucket', 'floorMod', 'mod', 'salt', 'phoenixSalt', 'hbasewdSalt']);
/** Steps whose number is a width: hundreds of digits are no choice. */
const WIDTHS = new Set([
  'decimal',
  'hex',
  'base32',
  'base36',
  'base58',
  'base62',
  'base64',
  'pad',
  'substring',
]);
/** Widths tried below and above that of the design. */
const AROUND = 4;
/** Numbers tried at once. */
const TRIED = 48;

/** True if a parameter is a number of buckets. @param {Parameter} parameter */
export const countsBuckets = ({ step }) => BUCKETS.has(step ?? '');

/**
 * The numbers to try: widths near that of the design, and buckets where so many scans are allowed, each one, or of many those spread evenly,
 * each with the odd number below it. Powers of two alone would share a factor with most steps of data.
 * @param {Parameter} parameter
 * @param {number | null} most
 */
export function valuesUnder(parameter, most) {
  const { step = '', value = 0 } = parameter;
  if (WIDTHS.has(step))
    return Array.from({ length: 2 * AROUND + 1 }, (_, at) => value - AROUND + at).filter(
      (width) => width >= 1 && width !== value,
    );
  if (most === null || !countsBuckets(parameter)) return undefined;
  const all = Array.from({ length: Math.min(most, TRIED) }, (_, at) => {
    if (most <= TRIED) return at + 1;
    const even = Math.round(((Math.floor(at / 2) + 1) * most * 2) / TRIED);
    return at % 2 ? even : even - 1 - (even % 2);
  });
  return [...new Set(all)].filter((value) => value >= 1 && value !== parameter.value);
}

/**
 * The most scans that any query takes, for each variant.
 * @param {Sweep} sweep
 * @returns {number[] | null} none without queries
 */
export function scansOf({ queries, variants }) {
  const lines = queries.flatMap(({ lines: own }) => own.filter(({ code }) => code === 'measure.ranges'));
  if (!lines.length) return null;
  return variants.map((_, at) => Math.max(...lines.map(({ values }) => values[at] ?? 0)));
}

/**
 * How far each variant spreads writes: over how many regions at once where that is known of all, else by the
 * largest region.
 * @param {Sweep} sweep
 */
function spreadOf({ lines, variants }) {
  const known = (/** @type {string} */ code) => {
    const values = lines.find((line) => line.code === code)?.values ?? [];
    const all = variants.every(({ problem }, at) => problem || typeof values[at] === 'number');
    return all && values.length ? values.map((value) => value ?? 0) : null;
  };
  const atOnce = known('measure.written-at-once');
  if (atOnce) return { by: /** @type {const} */ ('at-once'), values: atOnce, least: false };
  const shares = known('measure.largest-share');
  return shares && { by: /** @type {const} */ ('share'), values: shares, least: true };
}

/**
 * The variant that spreads writes furthest of those within a limit; of equals the one with the fewest scans.
 * @param {Sweep} sweep
 * @param {number} most
 * @returns {{ at: number, scans: number, by: 'at-once' | 'share', value: number } | null}
 */
export function bestWithin(sweep, most) {
  const scans = scansOf(sweep);
  const spread = spreadOf(sweep);
  if (!scans || !spread) return null;
  const { by, values, least } = spread;
  const within = sweep.variants.flatMap(({ problem }, at) =>
    problem || scans[at] > most ? [] : [{ at, scans: scans[at], by, value: values[at] }],
  );
  const sign = least ? 1 : -1;
  within.sort((one, other) => sign * (one.value - other.value) || one.scans - other.scans);
  return within[0] ?? null;
}
