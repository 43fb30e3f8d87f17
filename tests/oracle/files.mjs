// Rows of realistic designs to store in real files, with the bytes the package says they take.
import { COLUMNS } from './records.mjs';
import { hex, notation } from './splits.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */
/**
 * Rows to store: a key for each record. A cell has one qualifier and size for all records, or a list with those of each.
 * @typedef {{ qualifier: string, bytes: number } | { qualifiers: string[], sizes: number[] }} Cell
 * @typedef {{ keys: string[], families: { name: string, cells: Cell[] }[], said: any }} Store
 */

const ROWS = 10_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Keys of fixed and of varying length, in order of arrival and not, short and long. */
const KEYS = [
  "phone.md5().hex(8) + '_' + phone + '_' + at.format('yyyyMMddHHmmss')",
  'at.millis().int64() + n.int32()',
  "bucket(phone, 16).decimal(2) + '-' + phone.reverse() + '-' + n",
  "at.format('yyyy-MM-dd HH:mm:ss') + '|' + name.terminated() + n.int64()",
  'n.int32() + phone',
  'phone.sha256().raw() + n.int64()',
];

/** A design with its rows. @param {Random} random @param {Subject} subject @param {string} rowkey @returns {Store} */
function store(random, subject, rowkey) {
  const day = random.between(1_500_000_000, 1_700_000_000);
  const columns = [
    { field: { name: 'phone', type: 'text' }, value: () => random.text('0123456789', 11, 11) },
    { field: { name: 'n', type: 'integer' }, value: () => String(random.between(0, 2 ** 31 - 1)) },
    {
      field: { name: 'at', type: 'time', format: 'epoch-seconds' },
      value: () => String(day + random.between(0, 864_000)),
    },
    { ...COLUMNS.text(random, 'name'), value: () => random.text(LETTERS, 1, 20) },
  ];
  const families = Array.from({ length: random.between(1, 2) }, (_, family) => {
    const cells = Array.from({ length: random.between(1, 4) }, (_, cell) => ({
      qualifier: Uint8Array.of(...random.bytes(0, 8), cell),
      bytes: random.between(8, random.pick([10, 40, 200])),
    }));
    return { name: `${random.text(LETTERS, 1, 8)}${family}`, cells };
  });
  const written = families.map(({ name, cells }) => ({
    name,
    cells: cells.map(({ qualifier, bytes }) => ({ qualifier: notation(qualifier), bytes })),
  }));
  const fields = columns.map(({ field }) => field);
  const document = { rowscape: 1, fields, rowkey, table: { name: 't', families: written } };
  const records = Array.from({ length: ROWS }, () => columns.map(({ value }) => value()));
  const encoded = subject
    .keys(subject.design({ fields, rowkey }), records)
    .flatMap((key) => (key ? [key] : []));
  const keys = [...new Map(encoded.map((key) => [hex(key), key])).values()];
  return {
    keys: keys.map(hex),
    families: families.map(({ name, cells }) => ({
      name,
      cells: cells.map(({ qualifier, bytes }) => ({ qualifier: hex(qualifier), bytes })),
    })),
    said: subject.storage(document, keys),
  };
}

/** Keys of rows of many records, with the qualifiers and the values that tell these apart. */
const WIDE = [
  { rowkey: "phone + at.truncate('1h').seconds().uint32()", qualifier: "at.offset('1h').div(1000).uint16()" },
  {
    rowkey: "name.terminated() + at.format('yyyyMMdd')",
    qualifier: "phone + '-' + n.decimal()",
    value: 'name + name',
  },
];

/**
 * A design of wide rows with its records.
 * @param {Random} random @param {Subject} subject @param {typeof WIDE[number]} design @returns {Promise<Store>}
 */
async function wide(random, subject, { rowkey, qualifier, value }) {
  const day = 86_400 * random.between(17_000, 19_000);
  const phones = Array.from({ length: 40 }, () => random.text('0123456789', 11, 11));
  const names = Array.from({ length: 20 }, () => random.text(LETTERS, 1, 20));
  const fields = [
    { name: 'phone', type: 'text' },
    { name: 'n', type: 'integer' },
    { name: 'at', type: 'time', format: 'epoch-seconds' },
    { name: 'name', type: 'text' },
  ];
  const bytes = random.between(8, 40);
  const cells = [
    { qualifier: { formula: qualifier }, ...(value ? { value: { formula: value } } : { bytes }) },
    { qualifier: 'all', bytes: 12 },
  ];
  const document = { rowscape: 1, fields, rowkey, table: { name: 't', families: [{ name: 'w', cells }] } };
  const made = Array.from({ length: ROWS }, () => [
    random.pick(phones),
    String(random.between(0, 99_999)),
    String(day + random.between(0, 86_399)),
    random.pick(names),
  ]);
  const of = (/** @type {string} */ formula, /** @type {string[][]} */ records) =>
    subject
      .keys(subject.design({ fields, rowkey: formula }), records)
      .map((key) => hex(key ?? new Uint8Array()));
  // Each cell is written once: of two records the size of the later one would count.
  const all = of(`${rowkey} + ${qualifier}`, made);
  const records = [...new Map(made.map((record, at) => [all[at], record])).values()];
  const values = value ? of(value, records).map((text) => text.length / 2) : records.map(() => bytes);
  return {
    keys: of(rowkey, records),
    families: [
      {
        name: 'w',
        cells: [
          { qualifiers: of(qualifier, records), sizes: values },
          { qualifier: Buffer.from('all').toString('hex'), bytes: 12 },
        ],
      },
    ],
    said: await subject.stored(document, records),
  };
}

/**
 * Designs to store; only two in a short run, and one of wide rows.
 * @param {Random} random
 * @param {Subject} subject
 * @param {boolean} short
 * @returns {Promise<Store[]>}
 */
export async function storesOf(random, subject, short) {
  const tall = (short ? KEYS.slice(0, 2) : KEYS).map((rowkey) => store(random, subject, rowkey));
  const wides = (short ? WIDE.slice(1) : WIDE).map((design) => wide(random, subject, design));
  return [...tall, ...(await Promise.all(wides))];
}

/** Ways to be wrong about the bytes of rows. @type {Record<string, (store: Store) => Store>} */
export const WRONG_STORES = {
  'a byte of a table': (store) => ({ ...store, said: { ...store.said, total: store.said.total + 1 } }),
  'the size of a file': (store) => {
    const [family, ...rest] = store.said.families;
    const files = { least: 2 * family.files.least, most: 2 * family.files.most };
    return { ...store, said: { ...store.said, families: [{ ...family, files }, ...rest] } };
  },
};
