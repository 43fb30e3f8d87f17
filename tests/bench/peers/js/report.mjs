// Shared by all JavaScript peers: regions, times, statistics and the check line.

export const REGIONS = 16;
export const BUCKETS = 120;
/** HexStringSplit's points for 16 regions. */
export const SPLITS = Array.from({ length: REGIONS - 1 }, (_, i) =>
  ((i + 1) * 0x10000000).toString(16).padStart(8, '0'),
);

/** Number of split points at or below a key. @param {string} key */
export function regionOf(key) {
  let low = 0;
  let high = SPLITS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (SPLITS[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `2024-05-01 12:30:00` as `20240501123000`. @param {string} t */
export const compact = (t) =>
  t.slice(0, 4) + t.slice(5, 7) + t.slice(8, 10) + t.slice(11, 13) + t.slice(14, 16) + t.slice(17, 19);

/** The 20 most frequent, ties in order of text. @param {Iterable<[string, number]>} counts */
export const top20 = (counts) =>
  [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).slice(0, 20);

function stats(counts) {
  const sorted = Float64Array.from(counts).sort();
  const n = sorted.length;
  const mean = sorted.reduce((x, y) => x + y, 0) / n;
  const deviation = Math.sqrt(sorted.reduce((x, y) => x + (y - mean) ** 2, 0) / n);
  return { median: (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2, max: sorted[n - 1], cv: deviation / mean };
}

/**
 * First key | last key | weighted heat sum | top phone | 20th phone | median | max | coefficient of variation.
 * @param {string} first
 * @param {string} last
 * @param {Iterable<[number, number, number]>} cells region, time bucket, rows
 * @param {[string, number][]} top phones and their rows
 */
export function checkLine(first, last, cells, top) {
  const counts = new Array(REGIONS).fill(0);
  let weighted = 0;
  for (const [region, bucket, rows] of cells) {
    counts[region] += rows;
    weighted += (region * BUCKETS + bucket + 1) * rows;
  }
  const { median, max, cv } = stats(counts);
  return [first, last, weighted, top[0].join(':'), top[19].join(':'), median, max, cv.toFixed(6)].join('|');
}

/** The cells of a heat array, region by region. @param {Uint32Array} heat */
export const cellsOf = (heat) =>
  Array.from(
    heat,
    (rows, i) => /** @type {[number, number, number]} */ ([(i / BUCKETS) | 0, i % BUCKETS, rows]),
  );

/** Milliseconds by stage: call it with a stage's name when the stage ends. */
export function stopwatch() {
  const begin = performance.now();
  let last = begin;
  const stages = /** @type {Record<string, number>} */ ({});
  /** @param {string} stage */
  const lap = (stage) => {
    const now = performance.now();
    stages[stage] = now - last;
    last = now;
    stages.total = now - begin;
    return stages;
  };
  return lap;
}
