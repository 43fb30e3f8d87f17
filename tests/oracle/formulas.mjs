// Random row key formulas, as text for the package and as a tree for its twin in Java.

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./records.mjs').Field} Field */
/** @typedef {{ name: string, arguments: (number | string)[] }} Call */
/**
 * A source and its steps, as the oracle reads it.
 * @typedef {{ field?: string, text?: string, bytes?: string, join?: string, buckets?: number, sum?: boolean, curve?: string, size?: number, rest?: boolean, parts?: Part[], steps?: Call[] }} Part
 */
/** The package's description of a step. @typedef {{ name: string, takes: string[], gives: string, encoding: boolean }} Step */

/** No arguments, or one of these. @param {Random} random @param {number[]} list */
const maybe = (random, list) => (random.chance(0.3) ? [] : [random.pick(list)]);

/** @param {Random} random */
const seed = (random) => (random.chance(0.5) ? [] : [random.pick([0, -1, 42, -2147483648])]);

/** @param {Random} random */
const period = (random) => [random.pick(['1s', '30s', '5m', '15m', '1h', '6h', '1d', '7d'])];

/** Arguments for the steps that take some. @type {Record<string, (random: Random, name: string) => (number | string)[]>} */
const ARGUMENTS = {
  reverse: (random) => (random.chance(0.5) ? [] : [random.pick(['.', ' ', '1', 'é'])]),
  substring: (random) => {
    const from = random.between(0, 3);
    return random.chance(0.3) ? [from] : [from, from + random.between(1, 6)];
  },
  part: (random) => [random.pick(['.', ' ', '1', 'ab']), random.pick([0, 0, 1, -1, -2])],
  before: (random) => [random.pick(['.', ' ', '1', 'ab'])],
  after: (random) => [random.pick(['.', ' ', '1', '0'])],
  number: (random) => (random.chance(0.5) ? [] : [16]),
  toUnsigned: (random) => [random.pick([1, 2, 3, 4, 7])],
  pad: (random) => [random.between(10, 24), random.pick(['0', ' ', 'x'])],
  mod: (random) => [random.pick([2, 6, 10, 16, 97, 1000, 65536])],
  floorMod: (random) => [random.pick([2, 6, 10, 16, 97, 1000, 65536])],
  and: (random) => [random.pick([1, 7, 255, 1000, 32767, 65535, 2147483647])],
  format: (random) => [
    random.pick([
      'yyyyMMddHHmmss',
      'yyyy-MM-dd HH:mm:ss.SSS',
      'yyyyMM',
      'MM-dd',
      'yyMMdd',
      'd/M/yyyy H:m:s',
      "yyyy'T'HH",
      'ddMMyyyy',
    ]),
  ],
  truncate: period,
  offset: period,
  plus: (random) => [random.pick([-1000, -1, 1, 40000, 1000000])],
  div: (random) => [random.pick([2, 7, 100, 1000, 86400])],
  text: (random) => maybe(random, [12, 24, 60]),
  decimal: (random) => maybe(random, [2, 6, 13, 16, 19]),
  hex: (random) => maybe(random, [1, 2, 4, 8, 16, 20]),
  HEX: (random) => maybe(random, [1, 2, 4, 8, 16]),
  raw: (random) => maybe(random, [1, 2, 4, 8]),
  words: (random) => ['a-', 'b-', 'cc', 'd', 'é', 'f-', ''].slice(0, random.between(2, 7)),
  murmur: seed,
  murmur3: seed,
  jenkins: seed,
  phoenixSalt: (random) => [random.pick([1, 3, 16, 100, 128, 256])],
  hbasewdSalt: (random) => [random.pick([1, 3, 16, 100, 128, 256])],
  opentsdbSalt: (random) => [random.pick([1, 20, 255, 300]), ...maybe(random, [1, 2])],
};

/** A column of Phoenix: its order, and for some what follows. @param {Random} random @param {string} name */
function phoenix(random, name) {
  const order = random.pick(['asc', 'desc']);
  const member = name.slice('phoenix.'.length);
  if (['char', 'binary'].includes(member)) return [order, random.pick([8, 16, 32])];
  const separated = ['varchar', 'decimal'].includes(member) && random.chance(0.5);
  return separated ? [order, 'separated'] : random.chance(0.2) ? [] : [order];
}

/** Names that can start a part and are not steps. */
const SOURCES = ['join', 'bucket', 'sum', 'geohash', 'zOrder', 'rest', 'salt'];

/** Arguments for the steps of a family. @type {Record<string, (random: Random, name: string) => (number | string)[]>} */
const FAMILIES = { phoenix, ordered: (random) => (random.chance(0.2) ? [] : [random.pick(['asc', 'desc'])]) };

/** Kinds that need no encoding. */
const WRITTEN = ['text', 'integer', 'bytes', 'float', 'decimal', 'boolean'];

/** @param {string} name @param {(number | string)[]} given @returns {Call} */
const call = (name, ...given) => ({ name, arguments: given });

/** Steps of fixed width, or that mark where they end, by type of the field. @type {Record<string, Call[][]>} */
const USUAL = {
  text: [
    [call('md5'), call('hex', 4)],
    [call('text', 60)],
    [call('terminated')],
    [call('javaHash'), call('floorMod', 16), call('decimal', 2)],
  ],
  integer: [
    [call('int64')],
    [call('reverseLong'), call('int64')],
    [call('ordered.int64', 'asc')],
    [call('floorMod', 10), call('decimal', 1)],
  ],
  time: [
    [call('format', 'yyyyMMddHHmmss')],
    [call('format', 'yyyyMM')],
    [call('millis'), call('reverseLong'), call('int64')],
    [call('truncate', '1h'), call('millis'), call('int64')],
  ],
  bytes: [[call('md5'), call('raw', 4)], [call('ordered.blobVar', 'asc')]],
  float: [[call('float64')], [call('ordered.float64', 'desc')]],
  decimal: [[call('ordered.numeric', 'asc')]],
  boolean: [[]],
};

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/** A part as it stands in a formula. @param {Part} part @returns {string} */
export function printed(part) {
  const inner = (part.parts ?? []).map(printed);
  let text = part.field ?? '';
  if (part.text !== undefined) text = quoted(part.text);
  else if (part.bytes !== undefined) text = `x'${part.bytes}'`;
  else if (part.join !== undefined) text = `join(${[quoted(part.join), ...inner].join(', ')})`;
  else if (part.buckets !== undefined) text = `bucket(${[...inner, part.buckets].join(', ')})`;
  else if (part.rest) text = 'rest';
  else if (part.curve) text = `${part.curve}(${[...inner, part.size].join(', ')})`;
  else if (part.sum) text = `sum(${inner.join(', ')})`;
  const steps = (part.steps ?? []).map(({ name, arguments: given }) => {
    const written = given.map((argument) => (typeof argument === 'string' ? quoted(argument) : argument));
    return `.${name}(${written.join(', ')})`;
  });
  return text + steps.join('');
}

/** Makes formulas out of the steps a package has. */
export class Formulas {
  /** @param {Random} random @param {Step[]} catalogue */
  constructor(random, catalogue) {
    this.random = random;
    /** Sources the package has. */
    this.sources = new Set(catalogue.map(({ name }) => name).filter((name) => SOURCES.includes(name)));
    this.steps = catalogue.filter(({ name }) => !SOURCES.includes(name));
  }

  /** A random call of a step. @param {Step} step @returns {Call} */
  call(step) {
    const { random } = this;
    const [family] = step.name.split('.');
    const given = (ARGUMENTS[step.name] ?? FAMILIES[family])?.(random, step.name);
    return { name: step.name, arguments: given ?? [] };
  }

  /**
   * Random steps from a kind to one that can be written.
   * @param {string} kind
   * @param {number} most how many steps, unless more are needed
   */
  chain(kind, most) {
    /** @type {Call[]} */
    const steps = [];
    const goOn = () => !WRITTEN.includes(kind) || (steps.length < most && this.random.chance(0.7));
    while (steps.length < 8 && goOn()) {
      const fitting = this.steps.filter(({ takes }) => takes.includes(kind));
      if (!fitting.length) break;
      const step = this.random.pick(fitting);
      steps.push(this.call(step));
      kind = step.gives;
      if (step.encoding && this.random.chance(0.7)) break;
    }
    return { steps, kind };
  }

  /** @param {Field[]} fields @param {number} most steps @returns {Part} */
  ofField(fields, most) {
    const field = this.random.pick(fields);
    return { field: field.name, steps: this.chain(field.type, most).steps };
  }

  /** A part that can be joined as text: anything but bytes, which need not be text. @param {Field[]} fields @returns {Part} */
  joined(fields) {
    for (;;) {
      const field = this.random.pick(fields);
      const { steps, kind } = this.chain(field.type, 1);
      if (kind !== 'bytes') return { field: field.name, steps };
    }
  }

  /** @param {Field[]} fields @returns {Part} */
  part(fields) {
    const inner = () => Array.from({ length: this.random.between(1, 3) }, () => this.joined(fields));
    const integers = fields.filter(({ type }) => type === 'integer');
    const kind = this.random.between(0, 11);
    if (kind === 0)
      return {
        join: this.random.pick(['', '_', '|', "'"]),
        parts: inner(),
        steps: this.chain('text', 2).steps,
      };
    if (kind === 1) {
      const buckets = this.random.pick([3, 6, 16, 97]);
      return { buckets, parts: inner(), steps: this.chain('integer', 1).steps };
    }
    if (kind === 2 && this.sources.has('sum') && integers.length) {
      const parts = [0, 1].map(() => ({ field: this.random.pick(integers).name }));
      return { sum: true, parts, steps: this.chain('integer', 2).steps };
    }
    if (kind === 3 && this.sources.has('zOrder') && integers.length > 0) {
      const degrees = fields.filter(({ type }) => ['integer', 'float', 'decimal'].includes(type));
      const curve = this.random.pick(['geohash', 'zOrder']);
      const of = curve === 'geohash' ? degrees : integers;
      const parts = [0, 1].map(() => ({ field: this.random.pick(of).name }));
      const [size, gives] = curve === 'geohash' ? [12, 'text'] : [32, 'bytes'];
      return { curve, size: this.random.between(1, size), parts, steps: this.chain(gives, 1).steps };
    }
    return this.ofField(fields, 4);
  }

  /**
   * A formula of one to four parts, often with separators; the first holds a step that is to be tried, when one can be found.
   * @param {Field[]} fields
   * @param {string} tried
   * @returns {Part[]}
   */
  formula(fields, tried) {
    const holds = (/** @type {Part} */ part) => part.steps?.some(({ name }) => name === tried);
    let first = this.part(fields);
    for (let attempt = 0; attempt < 300 && !holds(first); attempt++) first = this.ofField(fields, 4);
    const parts = [first];
    if (this.sources.has('rest') && this.random.chance(0.15)) {
      parts.unshift({ rest: true, steps: this.chain('bytes', 2).steps });
    }
    const count = this.random.between(0, 3);
    for (let i = 0; i < count; i++) {
      if (this.random.chance(0.3)) parts.push({ text: this.random.pick(['_', '-', '|', '#', 'é']) });
      else if (this.random.chance(0.1))
        parts.push({ bytes: Buffer.from(this.random.bytes(1, 2)).toString('hex') });
      parts.push(this.part(fields));
    }
    return this.random.chance(0.6) ? [...this.usual(fields), ...parts] : parts;
  }

  /** Typical first parts of keys: unambiguous, so that queries find their rows. @param {Field[]} fields @returns {Part[]} */
  usual(fields) {
    return Array.from({ length: this.random.between(1, 3) }, () => {
      const field = this.random.pick(fields);
      const step = this.random.pick(USUAL[field.type] ?? []);
      return { field: field.name, steps: step };
    });
  }
}
