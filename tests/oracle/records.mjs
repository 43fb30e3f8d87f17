// Random fields and random values for them.

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {{ name: string, type: string, format?: string, zone?: string }} Field */
/** A field and what makes the text of a value. @typedef {{ field: Field, value: () => string }} Column */

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const FOREIGN = 'aZ09-_~ éßİıſЖ€日本ﬁ\u{1f600}\u{10ffff}';
const ZONES = ['Z', '+08:00', '-03:30', '+05:45', '-11:00'];
/** Seconds of the years 1970 to 2099. */
const LAST_SECOND = 4102444799;

/** Formats of texts: each gives a maker of values. @type {((random: Random) => () => string)[]} */
const TEXTS = [
  (random) => () => random.text(DIGITS, 11, 11),
  (random) => () => random.text(DIGITS, 1, 12),
  (random) => () => random.text('0123456789abcdef', 8, 8),
  (random) => () => random.text(`${LETTERS}${DIGITS}-_.!|~`, 1, 20),
  (random) => () => random.text(FOREIGN, 1, 12),
  (random) => {
    const few = Array.from({ length: 7 }, () => random.text(LETTERS, 2, 6));
    return () => random.pick(few);
  },
];

/** A whole number of up to 63 bits, of any magnitude. @param {Random} random */
function anyInteger(random) {
  const bits = (BigInt(random.between(0, 0x7fffffff)) << 32n) | BigInt(random.between(0, 0xffffffff));
  const size = bits >> BigInt(random.between(0, 62));
  return String(random.chance(0.5) ? size : -size);
}

/** @type {((random: Random) => () => string)[]} */
const INTEGERS = [
  (random) => () => String(random.between(0, 99)),
  (random) => () => String(random.between(0, 10 ** random.between(1, 12))),
  (random) => () => String(random.between(-40000, 40000)),
  (random) => () => anyInteger(random),
  (random) => () =>
    random.pick(['9223372036854775807', '-9223372036854775808', '0', '-1', '127', '255', '65535']),
];

/** @param {number} seconds */
const iso = (seconds) => new Date(seconds * 1000).toISOString();

/** @type {((random: Random) => { format: string, zone?: string, value: () => string })[]} */
const TIMES = [
  (random) => ({
    format: 'epoch-millis',
    zone: random.pick(ZONES),
    value: () => String(random.between(0, LAST_SECOND) * 1000 + random.between(0, 999)),
  }),
  (random) => ({
    format: 'epoch-seconds',
    zone: random.pick(ZONES),
    value: () => String(random.between(0, LAST_SECOND)),
  }),
  (random) => ({ format: 'iso8601', value: () => iso(random.between(-LAST_SECOND, LAST_SECOND)) }),
  (random) => ({
    format: 'yyyy-MM-dd HH:mm:ss',
    zone: random.pick(ZONES),
    value: () => iso(random.between(0, LAST_SECOND)).slice(0, 19).replace('T', ' '),
  }),
  (random) => {
    // One day, as in a real table: equal and neighbouring times.
    const day = random.between(0, LAST_SECOND);
    return { format: 'iso8601', value: () => iso(day + random.between(0, 86400)) };
  },
];

/** @type {((random: Random) => () => string)[]} */
const FLOATS = [
  (random) => () => String(random.between(-1000000, 1000000) / 100),
  (random) => () => random.pick(['0.0', '-0.0', '1', 'NaN', 'Infinity', '-Infinity', '1e39', '1e-50']),
  (random) => () => String((random.next() - 0.5) * 10 ** random.between(-300, 300)),
];

/** @type {((random: Random) => () => string)[]} */
const DECIMALS = [
  (random) => () => `${random.between(-100000, 100000)}.${random.text(DIGITS, 1, 4)}`,
  (random) => () => `${random.pick(['', '-'])}${random.text(DIGITS, 1, 30)}`,
];

/** @param {Random} random */
const uuid = (random) =>
  Buffer.from(random.bytes(16, 16))
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Makes a column of a kind. @type {Record<string, (random: Random, name: string) => Column>} */
export const COLUMNS = {
  text: (random, name) => ({ field: { name, type: 'text' }, value: random.pick(TEXTS)(random) }),
  integer: (random, name) => {
    const value = random.pick(INTEGERS)(random);
    return { field: { name, type: 'integer' }, value: () => (random.chance(0.005) ? 'n/a' : value()) };
  },
  time: (random, name) => {
    const { value, ...how } = random.pick(TIMES)(random);
    return { field: { name, type: 'time', ...how }, value };
  },
  bytes: (random, name) => {
    if (random.chance(0.2))
      return { field: { name, type: 'bytes', format: 'uuid' }, value: () => uuid(random) };
    const most = random.pick([4, 8, 16]);
    const least = random.chance(0.5) ? most : 1;
    return {
      field: { name, type: 'bytes', format: 'hex' },
      value: () => Buffer.from(random.bytes(least, most)).toString('hex'),
    };
  },
  float: (random, name) => ({ field: { name, type: 'float' }, value: random.pick(FLOATS)(random) }),
  decimal: (random, name) => ({ field: { name, type: 'decimal' }, value: random.pick(DECIMALS)(random) }),
  boolean: (random, name) => ({
    field: { name, type: 'boolean' },
    value: () => random.pick(['true', 'false']),
  }),
};
