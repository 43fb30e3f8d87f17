// Random splits: as a member of the design document, and as the oracle is to make them with HBase.

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {{ document: object, table: object }} Splits */

const HEX = '0123456789abcdefABCDEF';

/** Bytes in the notation of the HBase shell. @param {Uint8Array} bytes */
export const notation = (bytes) =>
  Array.from(bytes, (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x5c
      ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  ).join('');

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** Something beside a key: its beginning, or with a byte changed or added. @param {Random} random @param {Uint8Array} key */
export function beside(random, key) {
  const start = Uint8Array.from(key.subarray(0, random.between(1, key.length)));
  if (random.chance(0.3))
    start[start.length - 1] = (start[start.length - 1] + random.pick([1, 255, 128])) & 255;
  return random.chance(0.2) ? Uint8Array.of(...start, random.pick([0, 255])) : start;
}

/** @param {Random} random @param {string} algorithm @param {() => string} row */
function byAlgorithm(random, algorithm, row) {
  const regions = random.chance(0.05) ? random.between(1, 120) : random.between(2, 20);
  const rows = random.chance(0.4) ? { first: row(), last: row() } : {};
  // Mostly in order: refusals are tried too, but not half of the time.
  if (rows.first && rows.last && random.chance(0.9) && rows.first > rows.last) {
    [rows.first, rows.last] = [rows.last, rows.first];
  }
  return { document: { algorithm, regions, ...rows }, table: { algorithm, regions, ...rows } };
}

/** @type {((random: Random, keys: Uint8Array[]) => Splits)[]} */
const KINDS = [
  (random, keys) => {
    const points = Array.from({ length: random.between(0, 14) }, () => beside(random, random.pick(keys)));
    const distinct = random.chance(0.9)
      ? [...new Map(points.map((point) => [hex(point), point])).values()]
      : points;
    return { document: { points: distinct.map(notation) }, table: { points: distinct.map(hex) } };
  },
  (random) => {
    const width = random.pick([1, 2, 4, 8, 16]);
    return byAlgorithm(random, 'HexStringSplit', () => random.text(HEX, width, width));
  },
  (random) => {
    const width = random.pick([1, 2, 4, 8, 18]);
    return byAlgorithm(random, 'DecimalStringSplit', () => random.text('0123456789', width, width));
  },
  (random) => byAlgorithm(random, 'UniformSplit', () => notation(random.bytes(1, 8))),
  (random, keys) => {
    const ends = [0, 1].map(() => beside(random, random.pick(keys)));
    if (random.chance(0.9)) ends.sort(Buffer.compare);
    const regions = random.between(3, 16);
    return {
      document: { between: ends.map(notation), regions },
      table: { between: ends.map(hex), regions },
    };
  },
  (random) => {
    const width = random.pick([1, 2, 8, 16]);
    const range = [random.text('01234567', width, width), random.text('89abcdef', width, width)];
    // The book's code does not look whether the range holds so many numbers; we do.
    const [least, most] = range.map((text) => BigInt(`0x${text}`));
    const regions = Number(least + 20n < most ? random.between(2, 20) : 1);
    const hexRange = { hexRange: range, regions };
    return { document: hexRange, table: hexRange };
  },
  (random) => {
    // As published: from one share above the first number to one share below the last.
    const [least, most] = [random.between(0, 40000), random.between(0, 65535)].sort((a, b) => a - b);
    const regions = random.between(3, 40);
    const share = Math.floor((most - least) / regions);
    const between = [least + share, most - share].map((number) => number.toString(16).padStart(4, '0'));
    return { document: { shortRange: [least, most], regions }, table: { between, regions } };
  },
  (random) => {
    const digits = random.chance(0.4) ? random.between(1, 3) : undefined;
    const most = random.chance(0.1) ? 256 : 20;
    const salts = { salts: random.between(1, most), ...(digits && { digits }) };
    return { document: salts, table: salts };
  },
  (random) => {
    const day = (/** @type {number} */ days) => new Date(days * 864e5).toISOString().slice(0, 10);
    const first = random.between(10000, 25000);
    const [every, format, length] = random.pick([
      [`${random.between(1, 9)}d`, 'yyyyMMdd', 9],
      [`${random.between(1, 4)}w`, 'yyyy-MM-dd', 28],
      [`${random.between(1, 7)}M`, 'yyyyMM', 200],
      ['1y', 'yyyy', 366],
    ]);
    const dates = [first, first + random.between(1, 12 * Number(length))].map(day);
    const splits = { dates, every, format };
    return { document: splits, table: splits };
  },
];

/** Number of kinds of splits. */
export const SPLIT_KINDS = KINDS.length;

/**
 * Splits of a kind, for a table that will hold such keys.
 * @param {Random} random
 * @param {number} kind
 * @param {Uint8Array[]} keys
 * @returns {Splits}
 */
export const splitsOf = (random, kind, keys) => KINDS[kind](random, keys);
