// Code that the package emits to create tables, compiled and run against HBase: as by the commands of the shell.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ODD_POINTS } from './emitted.mjs';
import { programAnswers, shell } from './jvm.mjs';
import { errorsOf } from './reshaped.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */
/** @typedef {import('./jvm.mjs').DescribedTable} DescribedTable */

/** Families with every setting that a design has, and names that have to be quoted. */
const FAMILIES = [
  undefined,
  [{ name: 'd', compression: 'GZ', versions: 3, ttl: 86400, cells: [{ qualifier: 'q', bytes: 1 }] }],
  [{ name: "it's" }, { name: 'e"e', versions: 5, minVersions: 2, ttl: 3600, compression: 'GZ' }],
];
const SPLITS = [
  undefined,
  {
    points: ODD_POINTS,
  },
  { algorithm: 'HexStringSplit', regions: 64 },
];
/** Clients that create the table at once. */
const CLIENTS = 4;

/** @typedef {{ name: string, families?: object[], splits?: object }} CreatedTable */

/** A design of a table. @param {any} rowscape @param {CreatedTable} table */
export const designOf = (rowscape, { name, families, splits }) =>
  rowscape.parseDesign({
    rowscape: 1,
    fields: [{ name: 'id', type: 'text' }],
    rowkey: 'id',
    ...(splits && { splits }),
    table: { name, ...(families && { families }) },
  });

/** The name of an emitted class. @param {{ text: string }} emitted */
export const classNamed = ({ text }) => /public final class (\w+)/.exec(text)?.[1] ?? '';

/** @param {string} what @param {unknown} expected @param {unknown} found @returns {string[]} */
export const unlike = (what, expected, found) => {
  const [one, other] = [expected, found].map((value) => JSON.stringify(value));
  return one === other ? [] : [`${what}: ${other}, not ${one}`];
};

/**
 * Tables that emitted Java creates, against those that the shell creates by what is emitted for it.
 * @param {any} subject
 * @param {string} folder
 * @param {import('./jvm.mjs').HbasePlace} hbase
 * @returns {Promise<{ judged: Judged, missed: string[] }>}
 */
export async function judgeAdmin({ rowscape }, folder, hbase) {
  const classes = join(folder, 'admin');
  mkdirSync(classes);
  const cases = SPLITS.flatMap((splits, at) =>
    FAMILIES.map((families, of) => ({ splits, families, at: 3 * at + of })),
  );
  const by = (/** @type {string} */ who) =>
    cases.map(({ at, ...rest }) => ({ ...rest, name: at % 2 ? `${who}${at}:t` : `${who}-t${at}` }));
  const [typed, called] = [by('shell'), by('java')];
  const commands = typed.map((table) =>
    designOf(rowscape, table).emit('shell').text.replace('# create_namespace', 'create_namespace'),
  );
  const said = await shell(folder, hbase.port, commands.join('\n'));
  const told = errorsOf(said);

  const emitted = called.map((table) => designOf(rowscape, table).emit('admin-java'));
  const sources = emitted.map((one) => ({ className: classNamed(one), source: one.text }));
  // The same table with a setting, a family and a split point more: nothing of it is created.
  const other = designOf(rowscape, {
    name: called[1].name,
    splits: { points: ['m'] },
    families: [{ name: 'd', ttl: 7 }, { name: 'more' }],
  }).emit('admin-java');
  const another = { className: 'Other', source: other.text.replaceAll(classNamed(other), 'Other') };
  const create = (/** @type {string} */ call, times = 1) => ({ call, method: 'create', times });
  const steps = [
    ...sources.map(({ className }) => create(className, CLIENTS)),
    ...sources.map(({ className }) => create(className)),
    create(another.className),
    ...[...typed, ...called].map(({ name }) => ({ describe: name })),
  ];
  const answers = await programAnswers(classes, hbase, [...sources, another], steps);
  const count = cases.length;
  const none = Array.from({ length: CLIENTS }, () => []);
  cases.forEach((_, at) => {
    told.push(...unlike(`${called[at].name}, created`, none, answers[at]));
    told.push(...unlike(`${called[at].name}, created again`, [], answers[count + at]));
    const [expected, found] = [answers[2 * count + 1 + at], answers[3 * count + 1 + at]];
    told.push(...unlike(called[at].name, expected, found));
  });
  const different = ['no family more', 'family d: TTL is 86400', 'no region starts at m'];
  const answered = String(answers[2 * count]);
  const missed = different.every((text) => answered.includes(text))
    ? []
    : ['a table that differs from its design'];
  const compared = { 'tables created by emitted Java': count, 'clients at once': CLIENTS };
  return { judged: { id: 0, compared, differences: told.length, told: told.slice(0, 12) }, missed };
}
