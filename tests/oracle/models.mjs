// Random models of tables: kinds of records, families, qualifiers of fields, packed cells, versions and how long they live.
import { hex } from './splits.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */
/** A cell that a record writes; all bytes hexadecimal. @typedef {{ family: string, qualifier: string, value: string }} Written */
/**
 * A table with what each record puts into it, in order of arrival (seconds before the last record), and what the package says is left.
 * @typedef {object} Model
 * @property {{ name: string, versions: number, minVersions: number, ttl: number }[]} families ttl: seconds; 0 for ever
 * @property {{ key: string, before: number, cells: Written[] }[]} puts
 * @property {{ rows: number, cells: number, total: number, exact: boolean, aging: boolean, left: Record<string, number> }} said
 *   total: bytes of the newest version of each cell, exact if they are no estimate; aging: some of them expire
 */

/** Seconds between two moments, and how far from one a life ends: the test itself takes time. */
const STEP = 1000;
const MARGIN = 500;
/** The last record. */
const LAST = 1_700_000_000;

const FIELDS = [
  { name: 'kind', type: 'text' },
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'text' },
  { name: 'at', type: 'time', format: 'epoch-seconds' },
];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Keys that kinds have, behind a letter that tells them apart. */
const KEYS = [
  'id.uint16()',
  'name.terminated() + id.decimal()',
  'id.int64() + at.seconds().uint32()',
  'name',
];
const QUALIFIERS = ['at.seconds().div(1000).decimal()', 'name', 'id.mod(3).decimal()'];
const VALUES = ['name + name', 'id.decimal()'];

/** @param {string} text */
const utf8 = (text) => hex(new TextEncoder().encode(text));

/** @param {Random} random @param {Subject} subject @returns {Promise<Model>} */
async function model(random, subject) {
  const [aging, repeated] = [random.chance(0.5), random.chance(0.6)];
  const families = Array.from({ length: random.between(1, 3) }, (_, at) => {
    const versions = random.pick([1, 1, 2, 3]);
    const ttl = aging && random.chance(0.6) ? random.between(1, 6) * STEP + MARGIN : 0;
    const minVersions = ttl && random.chance(0.5) ? random.between(1, versions) : 0;
    return { name: `f${at}`, versions, minVersions, ttl };
  });
  const kinds = Array.from({ length: random.between(1, 3) }, (_, at) => {
    const cells = Array.from({ length: random.between(1, 3) }, (_, cell) =>
      cellOf(random, families, at, cell),
    );
    return { name: `k${at}`, rowkey: `'${LETTERS[at]}' + ${random.pick(KEYS)}`, cells };
  });
  const several = kinds.length > 1;
  const declared = families.map(({ name, versions, minVersions, ttl }) => ({
    name,
    versions,
    ...(minVersions && { minVersions }),
    ...(ttl && { ttl }),
    // The only kind needs no name.
    ...(!several && {
      cells: kinds[0].cells.filter(({ family }) => family === name).map(({ family: _, ...cell }) => cell),
    }),
  }));
  const document = {
    rowscape: 1,
    fields: FIELDS,
    arrival: 'at',
    table: { name: 't', families: declared },
    ...(several
      ? {
          kinds: Object.fromEntries(
            kinds.map(({ name, rowkey, cells }) => [
              name,
              { when: { field: 'kind', is: [name] }, rowkey, cells },
            ]),
          ),
        }
      : { rowkey: kinds[0].rowkey }),
  };
  const records = Array.from({ length: random.between(20, 120) }, (_, at) => [
    random.pick(kinds).name,
    String(repeated ? random.between(0, 5) : at + 1),
    random.text('ab', 1, 2),
    String(LAST - random.between(0, 9) * STEP),
  ]).sort((one, other) => Number(one[3]) - Number(other[3]));
  records.push([kinds[0].name, '0', 'a', String(LAST)]);
  const { storage, versions } = await subject.model(document, records);
  return {
    families,
    puts: putsOf(subject, kinds, records),
    said: {
      rows: storage.rows,
      cells: storage.cells,
      total: storage.total,
      exact: storage.exact,
      aging: families.some(({ ttl }) => ttl > 0),
      left: Object.fromEntries(versions.families.map((/** @type {any} */ { name, left }) => [name, left])),
    },
  };
}

/** @param {Random} random @param {{ name: string, versions: number }[]} families @param {number} kind @param {number} cell @returns {any} */
function cellOf(random, families, kind, cell) {
  const family = random.pick(families);
  // The versions of a packed cell besides its last version depend on what was added when.
  const packed = family.versions === 1 && random.chance(0.25);
  const named = !packed && random.chance(0.5);
  const size = random.chance(0.5) ? random.between(0, 30) : { formula: random.pick(VALUES) };
  const member = packed ? 'packed' : typeof size === 'number' ? 'bytes' : 'value';
  return {
    family: family.name,
    qualifier: named ? { formula: `'${kind}${cell}' + ${random.pick(QUALIFIERS)}` } : `q${kind}${cell}`,
    [member]: size,
  };
}

/**
 * The cells of each record, by the formulas one at a time.
 * @param {Subject} subject
 * @param {{ name: string, rowkey: string, cells: any[] }[]} kinds
 * @param {string[][]} records
 */
function putsOf(subject, kinds, records) {
  const of = (/** @type {string} */ formula) =>
    subject
      .keys(subject.design({ fields: FIELDS, rowkey: formula }), records)
      .map((key) => hex(key ?? new Uint8Array()));
  const compiled = kinds.map(({ name, rowkey, cells }) => ({
    name,
    keys: of(rowkey),
    cells: cells.map(({ family, qualifier, bytes, value, packed }) => {
      const said = value ?? packed ?? bytes;
      return {
        family,
        qualifiers: typeof qualifier === 'string' ? null : of(qualifier.formula),
        qualifier: typeof qualifier === 'string' ? utf8(qualifier) : '',
        values: typeof said === 'number' ? null : of(said.formula),
        bytes: typeof said === 'number' ? said : 0,
        /** The contents of each row so far. @type {Map<string, string> | null} */
        pages: packed === undefined ? null : new Map(),
      };
    }),
  }));
  return records.map((record, at) => {
    const kind = compiled.find(({ name }) => name === record[0]) ?? compiled[0];
    const key = kind.keys[at];
    const cells = kind.cells.map(({ family, qualifiers, qualifier, values, bytes, pages }) => {
      let value = values ? values[at] : '00'.repeat(bytes);
      if (pages) {
        value = (pages.get(key) ?? '') + value;
        pages.set(key, value);
      }
      return { family, qualifier: qualifiers ? qualifiers[at] : qualifier, value };
    });
    return { key, before: LAST - Number(record[3]), cells };
  });
}

/** @param {Random} random @param {Subject} subject @param {boolean} short */
export async function modelsOf(random, subject, short) {
  const models = [];
  for (let at = 0; at < (short ? 20 : 200); at++) models.push(await model(random, subject));
  // The first one is made wrong in each way: one of which everything is compared.
  const whole = (/** @type {Model} */ { said: { exact, aging } }) => exact && !aging;
  return [...models.filter(whole), ...models.filter((one) => !whole(one))];
}

/** Ways to be wrong about what is left. @type {Record<string, (model: Model) => Model>} */
export const WRONG_MODELS = {
  'a row of a model': (model) => ({ ...model, said: { ...model.said, rows: model.said.rows + 1 } }),
  'a version that is left': ({ said, ...model }) => {
    const [name] = Object.keys(said.left);
    return { ...model, said: { ...said, left: { ...said.left, [name]: said.left[name] + 1 } } };
  },
  'a byte of a model': ({ said, ...model }) => ({ ...model, said: { ...said, total: said.total + 1 } }),
};
