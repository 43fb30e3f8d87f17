// Tables that grow until their regions split by themselves, as the package simulates them.

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */
/**
 * A table's life as the oracle lives it.
 * @typedef {{ policy: string, maxRegion: number, flush: number, cell: number, regions: number, spread: boolean, cellsPerDay: number, days: number, said: number[], below: number[], off: number }} Life
 */

const KB = 1024;

/** Simulated tables: a policy, how keys come, regions at first, KB of a flush, the largest region in flushes, days. @type {[string, boolean, number, number, number, number][]} */
const LIVES = [
  ['ConstantSize', true, 1, 512, 4, 36],
  ['IncreasingToUpperBound', true, 1, 512, 24, 60],
  ['Stepping', true, 1, 512, 6, 36],
  ['ConstantSize', false, 1, 128, 24, 110],
  ['IncreasingToUpperBound', false, 1, 128, 24, 110],
  ['Stepping', false, 1, 128, 24, 110],
  ['ConstantSize', true, 4, 512, 6, 36],
  ['Disabled', true, 1, 512, 1, 12],
];

/**
 * Where a region may be cut, in percent of its bytes, and how many percent sooner or later. HBase cuts in
 * the middle of the largest file. With even keys that is the middle of the region; with rising keys newer files lie above it,
 * and of three files the first is cut.
 */
const BOUNDS = { even: { below: [47, 53, 47], off: 0 }, rising: { below: [40, 53, 15], off: 10 } };

/**
 * The lives to compare; in a short run, one of each policy.
 * @param {Random} random
 * @param {Subject} subject
 * @param {boolean} short
 * @returns {Life[]}
 */
export function livesOf(random, subject, short) {
  const chosen = short ? [...LIVES.slice(0, 3), ...LIVES.slice(-1)] : LIVES;
  return chosen.map(([policy, spread, regions, flushKB, flushes, days]) => {
    const cell = random.between(900, 1200);
    const flush = flushKB * KB;
    const cellsPerDay = Math.floor((random.between(60, 80) * flush) / 100 / cell);
    const maxRegion = flushes * flush;
    const bounds = BOUNDS[spread ? 'even' : 'rising'];
    const lived = short ? Math.ceil(days / 2) : days;
    const spec = {
      days: lived + 2 + Math.ceil((lived * bounds.off) / 100),
      bytesPerDay: cellsPerDay * cell,
      arrivals: spread ? 'spread' : 'rising',
      compactionDays: 0,
      policy,
      maxRegion,
      splitJitter: 0,
      flush,
      regions,
    };
    const said = subject.days(spec).map(({ regions }) => regions);
    const className = policy === 'Stepping' ? 'SteppingSplitPolicy' : `${policy}RegionSplitPolicy`;
    return {
      policy: className,
      maxRegion,
      flush,
      cell,
      regions,
      spread,
      cellsPerDay,
      days: lived,
      said,
      ...bounds,
    };
  });
}

/** Ways to be wrong about a life. @type {Record<string, (life: Life) => Life>} */
export const WRONG_LIVES = {
  'the days on which regions split': (life) => ({ ...life, days: 8, said: life.said.map(() => 1) }),
  'the place where a region splits': (life) => ({ ...life, days: 8, below: [0, 10, 0] }),
};
