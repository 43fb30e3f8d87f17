// Tests the package's exports: JVM encoders are compiled and run, Spark evaluates expressions, tables are created by
// HBase's shell.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences, job, ofGallery, random } from '../npm/emit/cases.mjs';
import { emittedKeys, shell, sparkKeys } from './jvm.mjs';
import { Random } from './random.mjs';

/** @typedef {{ id: number, compared: Record<string, number>, differences: number, told: string[] }} Judged */

/**
 * Encoders of the gallery's designs and of random ones, in Java and Scala, against the package's own keys.
 * @param {any} subject
 * @param {string} folder
 * @param {{ seed: number, short: boolean }} options
 * @returns {Promise<Judged[]>}
 */
export async function judgeEncoders({ rowscape, wasm, steps }, folder, { seed, short }) {
  const count = short ? steps.length : 4 * steps.length;
  const cases = [...ofGallery(), ...random(steps, { seed, count })].map((one, at) => unique(one, at));
  const judged = [];
  for (const language of ['java', 'scala']) {
    const made = cases.map((one) => job(rowscape, wasm, one, language));
    const jobs = made.flatMap((one) => (one && !('refused' in one) ? [one] : []));
    const classes = join(folder, language);
    mkdirSync(classes);
    const sources = jobs.map(({ className, source, fields, records }) => {
      const types = fields.map(({ type }) => type);
      return { className, source, types, records };
    });
    const told = differences(jobs, await emittedKeys(classes, { language, sources }));
    const keys = jobs.reduce((sum, { records }) => sum + records.length, 0);
    const compared = { [`keys of emitted ${language}`]: keys, [`emitted ${language} sources`]: jobs.length };
    judged.push({ id: 0, compared, differences: told.length, told: told.slice(0, 5) });
  }
  return judged;
}

/** A case whose table, and so its class, has a name of its own. @param {import('../npm/emit/cases.mjs').Case} one @param {number} at */
function unique(one, at) {
  const { tables, table, ...document } = one.document;
  const name = `c${at}`;
  const renamed = tables ? { tables: [{ ...tables[0], name }] } : { table: { ...table, name } };
  return { ...one, document: { ...document, ...renamed } };
}

/** Random designs that Spark is asked of, for each step: it has functions for one in ten. */
const SPARK_DESIGNS = 20;

/**
 * Expressions of Spark SQL, of the gallery's designs and of random ones, against the package's own keys, in ANSI mode and
 * without it; and whether a byte of a key that was made wrong is found.
 * @param {any} subject
 * @param {string} folder
 * @param {number} seed
 * @returns {Promise<{ judged: Judged, wrongFound: boolean }>}
 */
export async function judgeSpark({ rowscape, wasm, steps }, folder, seed) {
  const rows = 100;
  const cases = [
    ...ofGallery(new Random(seed), rows),
    ...random(steps, { seed, rows, count: SPARK_DESIGNS * steps.length }),
  ];
  const made = cases.flatMap((one) => job(rowscape, wasm, one, 'spark-sql') ?? []);
  const refused = made.filter((one) => 'refused' in one).length;
  const jobs = made.flatMap((one) => ('refused' in one || !one.keys.some(Boolean) ? [] : [withNulls(one)]));
  const modes = await sparkKeys(folder, jobs);
  const told = modes.flatMap((keys) => differences(jobs, keys));
  const compared = {
    'keys of emitted Spark SQL': modes.flat(2).length,
    'emitted Spark SQL expressions': jobs.length,
    'designs that Spark SQL has no functions for': refused,
  };
  const [first, ...others] = jobs;
  const wrong = [{ ...first, keys: first.keys.with(0, `${first.keys[0]}00`) }, ...others];
  const wrongFound = modes.every((keys) => differences(wrong, keys).length > differences(jobs, keys).length);
  return { judged: { id: 0, compared, differences: told.length, told: told.slice(0, 5) }, wrongFound };
}

/**
 * The records that have a key, and for each field one where it is NULL, which has none; Spark refuses no others.
 * @param {Exclude<ReturnType<typeof job>, undefined | { refused: string | number }>} one
 */
function withNulls({ records, keys, ...rest }) {
  const sound = records.filter((_, at) => keys[at]);
  const nulls = sound[0].map((_, at) => sound[0].map((text, place) => (place === at ? null : text)));
  return {
    ...rest,
    records: [...sound, ...nulls],
    keys: [...keys.filter(Boolean), ...nulls.map(() => null)],
  };
}

/** Split points that need quoting, or that no text is. */
export const ODD_POINTS = [
  '\\x00',
  "a'b",
  'a"b',
  '#{1}',
  '\\x0A',
  ' ',
  '\\x5Cx41',
  '\\x7F',
  '\\x80',
  '\\xC3\\xA9',
  '\\xFF',
];

/** Splits of every form that a table can be made with; families with what the shell has to be told of them. */
const TABLES = [
  {
    points: ODD_POINTS,
  },
  {
    points: Array.from(
      { length: 255 },
      (_, at) => `\\x${(at + 1).toString(16).padStart(2, '0').toUpperCase()}`,
    ),
  },
  { algorithm: 'HexStringSplit', regions: 16 },
  { algorithm: 'DecimalStringSplit', regions: 7 },
  { algorithm: 'UniformSplit', regions: 9 },
  { algorithm: 'HexStringSplit', regions: 1 },
  { between: ['a', 'z'], regions: 4 },
  { salts: 16 },
  { salts: 6, digits: 2 },
  { shortRange: [0, 32767], regions: 8 },
  { dates: ['2021-11-01', '2022-02-01'], every: '1M', format: 'yyyyMM' },
];
const FAMILIES = [
  undefined,
  [{ name: 'd', compression: 'GZ', versions: 3, ttl: 86400, cells: [{ qualifier: 'q', bytes: 1 }] }],
  [{ name: "it's" }, { name: 'e', versions: 2 }],
];
/** A key and a question that ask for a split policy, a Bloom filter and their settings. */
const ASKED = {
  fields: [
    { name: 'phone', type: 'text', width: 11 },
    { name: 'at', type: 'time', format: 'epoch-millis' },
  ],
  arrival: 'at',
  rowkey: 'phone.text(11) + at.millis().int64()',
  queries: [{ name: 'one phone', where: { phone: '13412341234' } }],
};

/**
 * Tables that the shell makes by what the package emits, against the package's split points.
 * @param {any} subject
 * @param {import('./jvm.mjs').Hbase} hbase
 * @param {{ folder: string, port: number, id: number }} options
 * @returns {Promise<Judged[]>}
 */
export async function judgeShell({ rowscape }, hbase, { folder, port, id }) {
  /** @type {{ id: number, made: string, points: string[] }[]} */
  const requests = [];
  let commands = '';
  TABLES.forEach((splits, at) => {
    const families = FAMILIES[at % FAMILIES.length];
    for (const kind of ['shell', 'shell-file', 'shell-algorithm']) {
      if (kind === 'shell-algorithm' && !('algorithm' in splits)) continue;
      const name = `shell${at}-${kind}`;
      const design = rowscape.parseDesign({
        rowscape: 1,
        ...ASKED,
        splits,
        table: { name, ...(families && { families }) },
      });
      commands += design.emit(kind).text;
      const points = design.splitPoints.map((/** @type {Uint8Array} */ point) => rowscape.bytes.toHex(point));
      if (points.length) writeSplits(folder, design.emit('splits-file'));
      requests.push({ id: id + requests.length, made: name, points });
    }
  });
  const said = await shell(folder, port, commands);
  const judged = await Promise.all(requests.map((request) => hbase.judge(request)));
  const failed = /^ERROR.*/m.exec(said);
  if (!failed) return judged;
  return [...judged, { id, compared: {}, differences: 1, told: [`HBase's shell: ${failed[0]}`] }];
}

/** @param {string} folder @param {{ file: string, text: string }} splits */
function writeSplits(folder, { file, text }) {
  writeFileSync(join(folder, file), text);
}
