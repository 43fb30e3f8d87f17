// Jobs that the package emits to load files of records: run on HBase, and their cells against the package's.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classNamed, unlike } from './admin.mjs';
import { programAnswers, shell } from './jvm.mjs';
import { errorsOf } from './reshaped.mjs';
import { hex } from './splits.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */
/** @typedef {Record<string, string>} Texts the texts of a record by column */

const ROWS = 240;
const NOON = Date.UTC(2026, 4, 4, 12);
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A field of every type, and times in every notation. */
const FIELDS = [
  { name: 'host', type: 'text' },
  { name: 'n', type: 'integer' },
  { name: 'ok', type: 'boolean' },
  { name: 'price', type: 'decimal' },
  { name: 'load', type: 'float' },
  { name: 'id', type: 'bytes', format: 'uuid' },
  { name: 'raw', type: 'bytes', format: 'escaped' },
  { name: 'digest', type: 'bytes', format: 'hex' },
  { name: 'seen', type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: '+08:00', from: ['day', 'clock'] },
  { name: 'logged', type: 'time', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
  { name: 'noon', type: 'time', format: 'M/d/yyyy h:mm:ss a' },
  { name: 'day8', type: 'time', format: 'yyyyMMdd' },
  { name: 'iso', type: 'time', format: 'iso8601', zone: '-03:30' },
  { name: 'seconds', type: 'time', format: 'epoch-seconds.SSS' },
  { name: 'micros', type: 'time', format: 'epoch-micros' },
  { name: 'at', type: 'time', format: 'epoch-millis' },
];
const CELLS = {
  size: { qualifier: 'size', bytes: 4 },
  named: { qualifier: 'who', value: { formula: "host.upper() + '-' + n.decimal(6)" } },
  made: {
    qualifier: { formula: 'n.uint16()' },
    value: { formula: 'price.string() + load.float64() + ok.boolean()' },
  },
};
/** Tables, with how their files are written; the last has the time of its records as the timestamp of cells. */
const TABLES = [
  {
    rowkey: 'bucket(host, 6).decimal(1) + host.terminated() + seen.millis().int64() + n.int32()',
    families: [{ name: 'd', cells: [CELLS.size, CELLS.named] }],
    format: 'csv',
  },
  {
    rowkey: 'id + digest + logged.millis().reverseLong().int64() + noon.millis().int64() + n.int32()',
    families: [
      { name: 'd', cells: [CELLS.named] },
      { name: 'e', cells: [CELLS.made, CELLS.size] },
    ],
    format: 'tsv',
  },
  {
    rowkey:
      "day8.format('yyyyMMdd') + iso.millis().int64() + seconds.millis().int64() + micros.millis().int64() + n.int32() + raw",
    families: [{ name: 'd', cells: [CELLS.named, CELLS.made].map((cell) => ({ ...cell, timestamp: 'at' })) }],
    format: 'jsonl',
  },
];

/** @param {number} number @param {number} [digits] */
const padded = (number, digits = 2) => String(number).padStart(digits, '0');

/** A record as a file has it. @param {number} n @returns {Texts} */
function textsOf(n) {
  const at = NOON + n * 61_001;
  const time = new Date(at);
  const [hours, clock] = [time.getUTCHours(), time.toISOString().slice(11, 19)];
  const date = time.toISOString().slice(0, 10);
  const month = time.getUTCMonth();
  return {
    host: n % 7 ? `web${n % 5}` : `we"b, ${n}`,
    n: String(n),
    ok: String(n % 3 === 0),
    price: `${n}.${n % 10}0`,
    load: String(n / 8),
    id: `f81d4fae-7dec-11d0-a765-${padded(n, 12)}`,
    raw: `a\\x${padded(n % 100)}`,
    digest: `ab${padded(n % 100)}CD`,
    day: date,
    clock,
    logged: `${padded(time.getUTCDate())}/${MONTHS[month]}/${time.getUTCFullYear()}:${clock} +0200`,
    noon: `${month + 1}/${time.getUTCDate()}/${time.getUTCFullYear()} ${hours % 12 || 12}:${clock.slice(3)} ${hours < 12 ? 'AM' : 'PM'}`,
    day8: date.replaceAll('-', ''),
    iso: n % 2 ? `${date}T${clock}` : `${date}T${clock}Z`,
    seconds: `${Math.floor(at / 1000)}.${padded(at % 1000, 3)}`,
    micros: `${at}123`,
    at: String(at),
    // A cell without a value is not written.
    size: n % 4 ? `${n} bytes` : '',
  };
}

/** A line of a file. @param {string} format @param {string[]} texts @param {string[]} columns */
function lineOf(format, texts, columns) {
  if (format === 'tsv') return texts.join('\t');
  if (format === 'csv')
    return texts.map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',');
  return JSON.stringify(
    Object.fromEntries(columns.map((name, at) => [name, name === 'n' ? Number(texts[at]) : texts[at]])),
  );
}

/** @param {any} rowscape @param {string} rowkey @param {object} [more] */
const designed = (rowscape, rowkey, more) =>
  rowscape.parseDesign({ rowscape: 1, fields: FIELDS, rowkey, ...more });

/** The bytes that a formula makes of records, hexadecimal. @param {any} rowscape @param {string} formula @param {Texts[]} records */
function madeOf(rowscape, formula, records) {
  const texts = (
    /** @type {Texts} */ record,
    /** @type {{ name: string, from?: string[] }} */ { name, from },
  ) => (from ?? [name]).map((column) => record[column]).join(' ');
  const columns = FIELDS.map((field) => [field.name, records.map((record) => texts(record, field))]);
  return [...designed(rowscape, formula).encodeColumns(Object.fromEntries(columns))].map((key) => hex(key));
}

/** The cells that records have; without a timestamp of their own the last is empty. @param {any} rowscape @param {typeof TABLES[number]} table @param {Texts[]} records */
function cellsOf(rowscape, { rowkey, families }, records) {
  const keys = madeOf(rowscape, rowkey, records);
  const bytes = (/** @type {string} */ text) => Buffer.from(text).toString('hex');
  return families.flatMap(({ name, cells }) =>
    cells.flatMap((/** @type {any} */ { qualifier, value, timestamp }) => {
      const qualifiers =
        typeof qualifier === 'string' ? undefined : madeOf(rowscape, qualifier.formula, records);
      const values = value
        ? madeOf(rowscape, value.formula, records)
        : records.map(({ size }) => bytes(size));
      return keys.flatMap((key, at) =>
        values[at] === ''
          ? []
          : [
              [
                key,
                bytes(name),
                qualifiers?.[at] ?? bytes(qualifier),
                values[at],
                timestamp ? records[at][timestamp] : '',
              ],
            ],
      );
    }),
  );
}

/** @param {string[][]} cells */
const sorted = (cells) => cells.map((cell) => cell.join(' ')).sort();

/** Steps of a table: written, loaded and listed. @param {string} call @param {string} output @param {string} input @param {Record<string, string>} settings @param {string} table */
const stepsOf = (call, output, input, settings, table) => [
  { call, method: 'write', texts: [output, input], settings },
  { call, method: 'load', texts: [output] },
  { list: table },
];

/**
 * Tables that emitted jobs load.
 * @param {any} subject
 * @param {string} folder
 * @param {import('./jvm.mjs').HbasePlace} hbase
 * @returns {Promise<{ judged: Judged, missed: string[] }>}
 */
export async function judgeLoad({ rowscape }, folder, hbase) {
  const classes = join(folder, 'load');
  mkdirSync(classes);
  const records = Array.from({ length: ROWS }, (_, n) => textsOf(n));
  const columns = [...new Set([...FIELDS.flatMap(({ name, from }) => from ?? [name]), 'size'])];
  const tables = TABLES.map((table, at) => {
    const design = designed(rowscape, table.rowkey, {
      table: { name: `load${at}`, families: table.families },
    });
    const input = join(classes, `in${at}`);
    mkdirSync(input);
    const named = table.families.some(({ cells }) => cells.some((/** @type {any} */ { bytes }) => bytes));
    const own = named || table.format === 'jsonl' ? columns : columns.filter((column) => column !== 'size');
    const lines = records.map((record) =>
      lineOf(
        table.format,
        own.map((column) => record[column]),
        own,
      ),
    );
    const header = table.format === 'jsonl' ? [] : [lineOf(table.format, own, own)];
    writeFileSync(join(input, `part.${table.format}`), `${[...header, ...lines].join('\n')}\n`);
    const { text } = design.emit('load-java');
    const cells = cellsOf(rowscape, table, records);
    return { design, at, input, format: table.format, className: classNamed({ text }), source: text, cells };
  });
  const told = errorsOf(
    await shell(folder, hbase.port, tables.map(({ design }) => design.emit('shell').text).join('\n')),
  );
  const run = tables.flatMap(({ className, at, input, format }) =>
    stepsOf(className, join(classes, `out${at}`), input, { 'rowscape.load.format': format }, `load${at}`),
  );
  // A line that is no record, and a cell that no record has.
  const broken = join(classes, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'part.csv'), 'one,two\n');
  const wrong = [
    { call: tables[0].className, method: 'write', texts: [join(classes, 'out-broken'), broken] },
    { fill: 'load0', cells: [['00ff', '64', '71', '00', String(NOON)]] },
    { list: 'load0' },
  ];
  const answers = await programAnswers(classes, hbase, tables, [...run, ...wrong]);
  const untimed = (/** @type {string[][]} */ cells, /** @type {string[][]} */ as) =>
    as.every((cell) => cell[4]) ? cells : cells.map((cell) => cell.with(4, ''));
  const compare = (/** @type {number} */ at, /** @type {any} */ listed) =>
    unlike(
      `cells of load${at}`,
      sorted(tables[at].cells),
      Array.isArray(listed) ? sorted(untimed(listed, tables[at].cells)) : listed,
    );
  for (const { at } of tables) {
    const [written, loaded, listed] = answers.slice(3 * at, 3 * at + 3);
    told.push(
      ...unlike(`job ${at}`, [null, null], [written ?? null, loaded ?? null]),
      ...compare(at, listed),
    );
  }
  const [rejected, , listed] = answers.slice(3 * tables.length);
  const missed = [];
  if (!/1 records were rejected/.test(rejected?.failed)) missed.push('a line that is no record');
  if (!compare(0, listed).length) missed.push('a cell that no record has');
  const compared = {
    'tables loaded by emitted jobs': tables.length,
    'cells loaded by emitted jobs': tables.reduce((sum, { cells }) => sum + cells.length, 0),
  };
  return {
    judged: {
      id: 0,
      compared,
      differences: told.length,
      told: told.slice(0, 12).map((one) => one.slice(0, 600)),
    },
    missed,
  };
}
