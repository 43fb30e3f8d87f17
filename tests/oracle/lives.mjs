// Tables that grow until their regions split by themselves, as the package simulates them.

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */
/**
 * A table's life as the oracle lives it.
 * @typedef {{ policy: string, maxRegion: number, flush: number, cell: number, regions: number, spread: boolean, cellsPerDay: number, said: number[], middle: number }} Life
 */

const KB = 1024;

/** What is grown: a policy, how keys come, regions at first, the largest region in flush sizes, days. @type {[string, boolean, number, number, number][]} */
const LIVES = [
  ['ConstantSize', true, 1, 4, 36],
  ['IncreasingToUpperBound', true, 1, 24, 50],
  ['Stepping', true, 1, 6, 36],
  ['ConstantSize', false, 1, 4, 36],
  ['IncreasingToUpperBound', false, 1, 24, 50],
  ['Stepping', false, 1, 6, 36],
  ['ConstantSize', true, 4, 6, 36],
  ['Disabled', true, 1, 1, 12],
];

/** How far from the middle of its bytes a region may be cut, in percent. @param {boolean} spread */
const middle = (spread) => (spread ? 3 : 25);

/**
 * The lives to compare; in a short run, one of each policy.
 * @param {Random} random
 * @param {Subject} subject
 * @param {boolean} short
 * @returns {Life[]}
 */
export function livesOf(random, subject, short) {
  const chosen = short ? [...LIVES.slice(0, 3), ...LIVES.slice(-1)] : LIVES;
  return chosen.map(([policy, spread, regions, flushes, days]) => {
    const cell = random.between(900, 1200);
    const flush = 512 * KB;
    const cellsPerDay = Math.floor((random.between(70, 90) * flush) / 100 / cell);
    const maxRegion = flushes * flush;
    const spec = {
      days: short ? Math.ceil(days / 2) : days,
      bytesPerDay: cellsPerDay * cell,
      arrivals: spread ? 'spread' : 'rising',
      compactionDays: 0,
      policy,
      maxRegion,
      splitJitter: 0,
      flush,
      regions,
    };
    const said = subject.regionsByDay(spec);
    const className = policy === 'Stepping' ? 'SteppingSplitPolicy' : `${policy}RegionSplitPolicy`;
    return {
      policy: className,
      maxRegion,
      flush,
      cell,
      regions,
      spread,
      cellsPerDay,
      said,
      middle: middle(spread),
    };
  });
}

/** Ways to be wrong about a life. @type {Record<string, (life: Life) => Life>} */
export const WRONG_LIVES = {
  'the days on which regions split': (life) => ({ ...life, said: life.said.map(() => 1) }),
  'the place where a region splits': (life) => ({ ...life, middle: -1 }),
};
