// Random designs with what the package says about each: the requests to the oracle.
import { Formulas, printed } from './formulas.mjs';
import { queriesOf } from './queries.mjs';
import { COLUMNS } from './records.mjs';
import { beside, hex, SPLIT_KINDS, splitsOf } from './splits.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./records.mjs').Column} Column */
/** @typedef {import('./queries.mjs').Query} Query */
/** @typedef {{ prefix?: string, start: string, stop: string, records: number[] }} Scan */
/**
 * @typedef {{ id: number, rowkey: string, document: object, splits: object, splitsRefused: boolean, points: string[],
 *   fields: import('./records.mjs').Field[], formula: import('./formulas.mjs').Part[], records: string[][],
 *   keys: (string | null)[], regions: number[], scans: Scan[], queries: import('./queries.mjs').Query[], readBack: number }} Request
 */

/** Queries planned for a design, and rows of it that are read back to be decoded. */
const [QUERIES, READ_BACK] = [6, 200];
/** Share of the records that get a key, in most designs. */
const USUAL_SHARE = 0.75;

/** Makes designs. */
export class Designs {
  /** @param {Random} random @param {Awaited<ReturnType<typeof import('./subject.mjs').install>>} subject @param {number} java version of the judge's Java */
  constructor(random, subject, java) {
    this.random = random;
    this.subject = subject;
    // The judge has no curves: their keys are tried against other libraries' in the core.
    const known = subject.steps.filter(({ name }) => !['geohash', 'zOrder'].includes(name));
    this.formulas = new Formulas(random, known);
    // Our floats are written as text as JDK 8 to 18 do; a later one can't tell.
    const judged = (/** @type {string} */ kind) => kind in COLUMNS && (kind !== 'float' || java <= 18);
    this.kinds = [...new Set(this.formulas.steps.flatMap(({ takes }) => takes))].filter(judged);
    /** How often the package refused a formula. */
    this.refusedFormulas = 0;
  }

  /** Fields and a formula that the package takes. @param {number} id */
  #formula(id) {
    const { steps } = this.formulas;
    const tried = steps[id % steps.length];
    for (let attempt = 0; attempt < 200; attempt++) {
      const columns = Array.from({ length: this.random.between(2, 4) }, (_, at) => {
        const kind =
          at === 0 && this.random.chance(0.7) ? this.random.pick(tried.takes) : this.random.pick(this.kinds);
        return COLUMNS[this.kinds.includes(kind) ? kind : 'text'](this.random, `f${at}`);
      });
      const fields = columns.map(({ field }) => field);
      const formula = this.formulas.formula(fields, tried.name);
      const rowkey = formula.map(printed).join(' + ');
      const design = this.subject.design({ fields, rowkey });
      if (design) return { columns, fields, formula, rowkey, design };
      this.refusedFormulas++;
    }
    throw new Error(`no formula with ${tried.name} found`);
  }

  /** A formula with random records, most of which get a key. @param {number} id @param {number} count of records */
  #records(id, count) {
    for (;;) {
      const made = this.#formula(id);
      const records = Array.from({ length: count }, () => made.columns.map(({ value }) => value()));
      const keys = this.subject.keys(made.design, records);
      const some = keys.filter((key) => key !== undefined);
      if (some.length >= USUAL_SHARE * count || this.random.chance(0.03))
        return { ...made, records, keys, some };
    }
  }

  /**
   * A random design, what the package makes of it on random records, and some scans.
   * @param {number} id
   * @param {number} count of records
   * @returns {Request}
   */
  request(id, count) {
    const { fields, formula, rowkey, records, keys, some } = this.#records(id, count);
    // Without any key the splits are still judged.
    const shapes = some.length ? some : [Uint8Array.of(0x6d), Uint8Array.of(0x7a)];
    const splits = splitsOf(this.random, id % SPLIT_KINDS, shapes);
    const design = this.subject.design({ fields, rowkey, splits: splits.document });
    const points = design && this.subject.points(design);
    return {
      id,
      rowkey,
      document: splits.document,
      splits: splits.table,
      splitsRefused: points === undefined,
      points: (points ?? []).map(hex),
      fields,
      formula,
      records,
      keys: keys.map((key) => (key ? hex(key) : null)),
      regions: points ? keys.map((key) => (key ? design.regionOf(key) : -1)) : [],
      scans: points ? this.#scans(keys, shapes, points) : [],
      queries: points
        ? queriesOf(this.random, this.subject, { fields, rowkey, splits: splits.document }, records, QUERIES)
        : [],
      readBack: READ_BACK,
    };
  }

  /**
   * Scans of the whole table, of regions, of prefixes and of ranges.
   * @param {(Uint8Array | undefined)[]} keys
   * @param {Uint8Array[]} shapes
   * @param {Uint8Array[]} points
   */
  #scans(keys, shapes, points) {
    const { random, subject } = this;
    const none = new Uint8Array();
    /** @type {{ prefix?: Uint8Array, start: Uint8Array, stop: Uint8Array }[]} */
    const ranges = [{ start: none, stop: none }];
    const region = random.between(0, points.length);
    ranges.push({ start: points[region - 1] ?? none, stop: points[region] ?? none });
    for (let i = 0; i < 4; i++) {
      const prefix = beside(random, random.pick(shapes));
      ranges.push({ prefix, start: prefix, stop: subject.stopOf(prefix) });
    }
    for (let i = 0; i < 4; i++) {
      const ends = [0, 1].map(() =>
        random.chance(0.5) ? random.pick(shapes) : beside(random, random.pick(shapes)),
      );
      const [start, stop] = ends.sort(Buffer.compare);
      if (Buffer.compare(start, stop)) ranges.push({ start, stop });
    }
    const scan = subject.scans(keys);
    return ranges.map(({ prefix, start, stop }) => ({
      ...(prefix && { prefix: hex(prefix) }),
      start: hex(start),
      stop: hex(stop),
      records: scan(start, stop),
    }));
  }
}

/** A way to be wrong: on which requests it can be tried, and the request made wrong. @typedef {{ can: (request: Request) => boolean, wrong: (request: Request) => Request }} Wrong */

/** @param {Request} request */
const hasRows = ({ splitsRefused, points, keys }) =>
  !splitsRefused && points.length > 1 && new Set(keys.filter((key) => key !== null)).size > 10;

/** Makes the first query wrong for which that can be. @param {(query: Query) => boolean} can @param {(query: Query) => Partial<Query>} wrong @returns {Wrong} */
const wrongQuery = (can, wrong) => ({
  can: ({ queries }) => queries.some(can),
  wrong: (request) => {
    const query = request.queries.find(can);
    return { ...request, queries: query ? [{ ...query, ...wrong(query) }] : [] };
  },
});

/** @param {Query} query */
const fuzzy = ({ filters, returned }) =>
  returned > 0 && filters.some(({ name }) => name === 'FuzzyRowFilter');

/** Asks for another byte where the mask has the last that is fixed. @param {{ key: string, mask: string }} pair */
function otherByte({ key, mask }) {
  const bytes = Buffer.from(key, 'hex');
  bytes[Buffer.from(mask, 'hex').lastIndexOf(0)] ^= 255;
  return { mask, key: hex(bytes) };
}

/** Ways to be wrong, each of which has to be found. @type {Record<string, Wrong>} */
export const WRONG = {
  'one byte of one key': {
    can: hasRows,
    wrong: (request) => {
      const at = request.keys.findIndex((key) => key !== null);
      const keys = [...request.keys];
      const key = Buffer.from(keys[at] ?? '', 'hex');
      key[key.length - 1] ^= 1;
      keys[at] = hex(key);
      return { ...request, keys };
    },
  },
  'one split point': {
    can: hasRows,
    wrong: (request) => ({
      ...request,
      points: request.points.with(-1, `${request.points.at(-1)}00`),
    }),
  },
  'the region of one key': {
    can: hasRows,
    wrong: (request) => {
      const at = request.keys.findIndex((key) => key !== null);
      return { ...request, regions: request.regions.with(at, request.regions[at] + 1) };
    },
  },
  'one row of a scan': {
    can: hasRows,
    wrong: (request) => ({
      ...request,
      scans: request.scans.map((scan) => ({ ...scan, records: scan.records.slice(1) })),
    }),
  },
  'the order of a scan': {
    can: hasRows,
    wrong: (request) => ({
      ...request,
      scans: request.scans.map((scan) => ({ ...scan, records: scan.records.toReversed() })),
    }),
  },
  'the ranges of a plan': wrongQuery(
    ({ returned, kind }) => returned > 0 && kind === 'scan',
    ({ ranges }) => ({ ranges: ranges.map(({ start }) => ({ start, stop: `${start}00` })) }),
  ),
  'a plan said to be exact': wrongQuery(
    ({ read, returned, exact }) => read > returned && !exact,
    () => ({ exact: true }),
  ),
  'the rows a plan reads': wrongQuery(
    ({ read }) => read > 0,
    ({ read }) => ({ read: read - 1 }),
  ),
  'the regions of a plan': wrongQuery(
    ({ regions }) => regions.length > 0,
    ({ regions }) => ({ regions: regions.slice(1) }),
  ),
  'a filter of a plan': wrongQuery(fuzzy, ({ filters }) => ({
    filters: filters.map((filter) => ({
      ...filter,
      ...(filter.pairs && { pairs: filter.pairs.map(otherByte) }),
    })),
  })),
  'the order of a plan': wrongQuery(
    ({ order, where, delivery, returned, ranges }) =>
      order !== undefined &&
      where.every(({ field }) => field !== order) &&
      !delivery.sort &&
      returned > 20 &&
      ranges.length === 1,
    ({ descending }) => ({ descending: !descending }),
  ),
};
