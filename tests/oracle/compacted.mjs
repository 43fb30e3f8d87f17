// Tables of every shape, large enough for real files, with the bytes the package expects after a major compaction.
import { hex } from './splits.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */
/**
 * A table to compact: of each record its key, and of each of its cells the qualifier and the size; none where it has no such cell.
 * @typedef {{ name: string, keys: string[], family: Record<string, any>, cells: { qualifiers: (string | null)[], sizes: number[] }[], said: any }} Compacted
 */
/** @typedef {{ qualifier: any, bytes?: number, packed?: number }} Cell */
/** @typedef {{ name: string, records: number, family: Record<string, any>, rowkey?: string, cells: Cell[], kinds?: Record<string, { rowkey: string, cells: Cell[] }> }} Shape */

const FIELDS = [
  { name: 'kind', type: 'text' },
  { name: 'phone', type: 'text' },
  { name: 'n', type: 'integer' },
  { name: 'at', type: 'time', format: 'epoch-seconds' },
];
const HOUR = "phone + at.truncate('1h').seconds().uint32()";
/** Each has more than 8 MB of cells. @type {Shape[]} */
const SHAPES = [
  {
    name: 'tall',
    records: 40_000,
    family: {},
    rowkey: "phone.md5().hex(8) + '_' + phone + '_' + at.format('yyyyMMddHHmmss') + n.int32()",
    cells: [
      { qualifier: 'a', bytes: 8 },
      { qualifier: 'bc', bytes: 20 },
      { qualifier: 'd', bytes: 60 },
    ],
  },
  {
    name: 'several kinds',
    records: 80_000,
    family: { blocksize: 8192 },
    cells: [],
    kinds: {
      customer: { rowkey: "n.int64() + x'01'", cells: [{ qualifier: 'name', bytes: 30 }] },
      order: {
        rowkey: "n.int64() + x'02' + phone",
        cells: [
          { qualifier: 'o', bytes: 120 },
          { qualifier: { formula: "'t' + at.seconds().decimal()" }, bytes: 6 },
        ],
      },
    },
  },
  {
    name: 'wide',
    records: 110_000,
    family: { bloom: 'ROWCOL' },
    rowkey: HOUR,
    cells: [{ qualifier: { formula: "at.offset('1h').div(1000).uint16() + n.int32()" }, bytes: 60 }],
  },
  {
    name: 'packed',
    records: 30_000,
    family: {},
    rowkey: HOUR,
    cells: [{ qualifier: 'p', packed: 400 }],
  },
  {
    name: 'MOB',
    records: 50_000,
    family: { mob: 100 },
    rowkey: 'phone + n.int64()',
    cells: [
      { qualifier: 'v', bytes: 300 },
      { qualifier: 's', bytes: 100 },
    ],
  },
];

/** @param {Random} random @param {Subject} subject @param {Shape} shape @returns {Promise<Compacted>} */
async function tableOf(random, subject, { name, records: count, family, rowkey, cells, kinds }) {
  const of = kinds ?? { order: { rowkey: /** @type {string} */ (rowkey), cells } };
  const inFamily = (/** @type {Cell[]} */ all) => all.map((cell) => ({ family: 'd', ...cell }));
  const declared = { name: 'd', ...family, ...(!kinds && { cells }) };
  const document = {
    rowscape: 1,
    fields: FIELDS,
    table: { name: 'compacted', families: [declared] },
    ...(kinds
      ? {
          kinds: Object.fromEntries(
            Object.entries(kinds).map(([kind, { rowkey, cells }]) => [
              kind,
              { when: { field: 'kind', is: [kind] }, rowkey, cells: inFamily(cells) },
            ]),
          ),
        }
      : { rowkey }),
  };
  const names = Object.keys(of);
  const phones = Array.from({ length: 40 }, () => random.text('0123456789', 11, 11));
  // No two records write one cell.
  const records = Array.from({ length: count }, (_, at) => [
    names[at % names.length],
    random.pick(phones),
    String(at),
    String(1_700_006_400 + random.between(0, 86_399)),
  ]);
  const made = new Map();
  const texts = (/** @type {string} */ formula) => {
    const encode = () =>
      subject
        .keys(subject.design({ fields: FIELDS, rowkey: formula }), records)
        .map((key) => hex(key ?? new Uint8Array()));
    if (!made.has(formula)) made.set(formula, encode());
    return made.get(formula);
  };
  const own = (/** @type {number} */ at, /** @type {string} */ kind) => records[at][0] === kind;
  const keys = records.map(([kind], at) => texts(of[kind].rowkey)[at]);
  const written = Object.entries(of).flatMap(([kind, { cells }]) =>
    cells.map(({ qualifier, bytes, packed }) => {
      const literal = typeof qualifier === 'string' && Buffer.from(qualifier).toString('hex');
      const qualifiers = records.map((_, at) =>
        own(at, kind) ? literal || texts(qualifier.formula)[at] : null,
      );
      const pages = new Map();
      const sizes = keys.map((key) => {
        if (!packed) return bytes ?? 0;
        pages.set(key, (pages.get(key) ?? 0) + packed);
        return pages.get(key);
      });
      // Only the last version of a page is put.
      const last = new Map(keys.map((key, at) => [key, at]));
      const kept = packed
        ? qualifiers.map((text, at) => (last.get(keys[at]) === at ? text : null))
        : qualifiers;
      return { qualifiers: kept, sizes };
    }),
  );
  return { name, keys, family, cells: written, said: await subject.stored(document, records) };
}

/** @param {Random} random @param {Subject} subject @param {boolean} short @returns {Promise<Compacted[]>} */
export async function compactedOf(random, subject, short) {
  const tables = [];
  for (const shape of short ? SHAPES.slice(0, 2) : SHAPES) tables.push(await tableOf(random, subject, shape));
  return tables;
}

/** @param {Compacted} table @param {Record<string, number>} wrong */
const saying = ({ said, ...table }, wrong) => {
  const [family] = said.families;
  const compacted = Object.fromEntries(
    Object.entries(family.compacted).map(([name, bytes]) => [name, Math.round(bytes * (wrong[name] ?? 1))]),
  );
  return { ...table, said: { ...said, families: [{ ...family, compacted }] } };
};

/** Ways to be wrong about files. @type {Record<string, (table: Compacted) => Compacted>} */
export const WRONG_COMPACTED = {
  'the size of a compacted file': (table) => saying(table, { none: 1.07 }),
  'the size of an indexed file': (table) => saying(table, { rowIndex: 0.89 }),
};
