// Random designs with what the package says about each: the requests to the oracle.
import { Formulas, printed } from './formulas.mjs';
import { COLUMNS } from './records.mjs';
import { beside, hex, notation, SPLIT_KINDS, splitsOf } from './splits.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./records.mjs').Column} Column */
/** @typedef {{ prefix?: string, start: string, stop: string, records: number[] }} Scan */
/**
 * @typedef {{ id: number, rowkey: string, document: object, splits: object, splitsRefused: boolean, points: string[],
 *   fields: import('./records.mjs').Field[], formula: import('./formulas.mjs').Part[], records: string[][],
 *   keys: (string | null)[], regions: number[], scans: Scan[] }} Request
 */

/** Share of the records that get a key, in most designs. */
const USUAL_SHARE = 0.75;

/** Reads the shell's notation, as upper-case `\xNN` and printable characters. @param {string} text */
const hexOf = (text) =>
  text.replace(/\\x([0-9A-F]{2})|(.)/gs, (_, byte, other) => byte?.toLowerCase() ?? hex(Buffer.from(other)));

/** The least row after all those that begin with a prefix; empty at the table's end. @param {Uint8Array} prefix */
function stopOf(prefix) {
  const end = prefix.findLastIndex((byte) => byte !== 0xff) + 1;
  const stop = prefix.slice(0, end);
  if (end) stop[end - 1] += 1;
  return stop;
}

/** Makes designs. */
export class Designs {
  /** @param {Random} random @param {Awaited<ReturnType<typeof import('./subject.mjs').install>>} subject */
  constructor(random, subject) {
    this.random = random;
    this.subject = subject;
    this.formulas = new Formulas(random, subject.steps);
    this.kinds = [...new Set(this.formulas.steps.flatMap(({ takes }) => takes))].filter(
      (kind) => kind in COLUMNS,
    );
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
        return (COLUMNS[kind] ?? COLUMNS.text)(this.random, `f${at}`);
      });
      const fields = columns.map(({ field }) => field);
      const formula = this.formulas.formula(fields, tried.name);
      const rowkey = formula.map(printed).join(' + ');
      if (this.subject.takes(rowkey, fields)) return { columns, fields, formula, rowkey };
      this.refusedFormulas++;
    }
    throw new Error(`no formula with ${tried.name} found`);
  }

  /** A formula with random records, most of which get a key. @param {number} id @param {number} count of records */
  #records(id, count) {
    for (;;) {
      const made = this.#formula(id);
      const records = Array.from({ length: count }, () => made.columns.map(({ value }) => value()));
      const keys = this.subject.keys(made.rowkey, made.fields, records);
      const some = keys.of.filter((key) => key !== undefined);
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
    const points = this.subject.points(splits.document);
    const said = points ?? [];
    return {
      id,
      rowkey,
      document: splits.document,
      splits: splits.table,
      splitsRefused: points === undefined,
      points: said.map(hexOf),
      fields,
      formula,
      records,
      keys: keys.of.map((key) => (key ? hex(key) : null)),
      regions: points ? keys.regions(splits.document) : [],
      scans: points ? this.#scans(keys, shapes, said) : [],
    };
  }

  /**
   * Scans of the whole table, of regions, of prefixes and of ranges.
   * @param {ReturnType<Designs['subject']['keys']>} keys
   * @param {Uint8Array[]} shapes
   * @param {string[]} points in the shell's notation
   */
  #scans(keys, shapes, points) {
    const { random } = this;
    /** @type {{ prefix?: Uint8Array, start: string, stop: string }[]} */
    const ranges = [{ start: '', stop: '' }];
    const region = random.between(0, points.length);
    ranges.push({ start: points[region - 1] ?? '', stop: points[region] ?? '' });
    for (let i = 0; i < 4; i++) {
      const prefix = beside(random, random.pick(shapes));
      ranges.push({ prefix, start: notation(prefix), stop: notation(stopOf(prefix)) });
    }
    for (let i = 0; i < 4; i++) {
      const ends = [0, 1].map(() =>
        random.chance(0.5) ? random.pick(shapes) : beside(random, random.pick(shapes)),
      );
      const [start, stop] = ends.sort(Buffer.compare).map(notation);
      if (start !== stop) ranges.push({ start, stop });
    }
    return ranges.map(({ prefix, start, stop }) => ({
      ...(prefix && { prefix: hex(prefix) }),
      start: hexOf(start),
      stop: hexOf(stop),
      records: keys.scan(start, stop),
    }));
  }
}

/** Ways to be wrong, each of which has to be found. @type {Record<string, (request: Request) => Request>} */
export const WRONG = {
  'one byte of one key': (request) => {
    const at = request.keys.findIndex((key) => key !== null);
    const keys = [...request.keys];
    const key = Buffer.from(keys[at] ?? '', 'hex');
    key[key.length - 1] ^= 1;
    keys[at] = hex(key);
    return { ...request, keys };
  },
  'one split point': (request) => ({
    ...request,
    points: request.points.with(-1, `${request.points.at(-1)}00`),
  }),
  'the region of one key': (request) => {
    const at = request.keys.findIndex((key) => key !== null);
    return { ...request, regions: request.regions.with(at, request.regions[at] + 1) };
  },
  'one row of a scan': (request) => ({
    ...request,
    scans: request.scans.map((scan) => ({ ...scan, records: scan.records.slice(1) })),
  }),
  'the order of a scan': (request) => ({
    ...request,
    scans: request.scans.map((scan) => ({ ...scan, records: scan.records.toReversed() })),
  }),
};

/** Whether every way to be wrong can be tried on it. @param {Request} request */
export const canBeWrong = ({ splitsRefused, points, keys }) =>
  !splitsRefused && points.length > 1 && new Set(keys.filter((key) => key !== null)).size > 10;
