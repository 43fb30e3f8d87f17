// Jobs that the package emits to rewrite a table under another key: run on HBase, and their keys against the package's.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { classNamed, unlike } from './admin.mjs';
import { programAnswers, shell } from './jvm.mjs';
import { Random } from './random.mjs';
import { FIELDS, KEYS, rowsOf } from './readers.mjs';
import { errorsOf } from './reshaped.mjs';
import { hex } from './splits.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */

/** Keys that code has to read back in other ways. */
const MORE = [
  "phone + host + '|' + at.format('yyyyMMddHHmmss') + n.int32()",
  "bucket(phone, at.format('yyyyMMddHHmmss'), 8).decimal(1) + phone.reverse() + host.terminated() + at.format('yyyyMMddHHmmss') + n.int64()",
  "phone.text(12) + n.ordered.int64('desc') + host.phoenix.varchar('desc') + at.millis().int64()",
  "host.text(9) + n.plus(7).uint16() + at.millis().phoenix.bigint('desc') + phone.phoenix.char('asc', 11)",
];
/** Jobs that are run, by the place of both keys; the first reads a snapshot, too. */
const RUN = [
  [12, 13],
  [1, 2],
  [7, 6],
  [14, 15],
];
const NOON = Date.UTC(2026, 4, 4, 12);
const FAMILIES = [{ name: 'd', versions: 3 }, { name: 'e' }];
const ROWS = 150;
/** A time behind all cells. */
const UNTIL = String(NOON + 86_400_000);

/** A table with this key, cut into a few regions. @param {any} rowscape @param {string} name @param {string} rowkey @param {string[]} [points] */
const designed = (rowscape, name, rowkey, points) =>
  rowscape.parseDesign({
    rowscape: 1,
    fields: FIELDS,
    rowkey,
    table: { name, families: FAMILIES },
    ...(points?.length && { splits: { points } }),
  });

/** @typedef {ReturnType<typeof rowsOf>[number]} Row */

/** The keys of rows, hexadecimal. @param {any} design @param {Row[]} rows @returns {string[]} */
const keysOf = (design, rows) => {
  const columns = FIELDS.map(({ name }) => [name, rows.map((row) => String(row[name]))]);
  return [...design.encodeColumns(Object.fromEntries(columns))].map((key) => hex(key));
};

/** Cells of rows: of two families, with versions. @param {string[]} keys @param {string[]} names of the rows */
const cellsOf = (keys, names) =>
  keys.flatMap((key, at) => [
    [key, '64', '71', `${names[at]}01`, String(NOON + at)],
    ...(at % 3 ? [] : [[key, '64', '71', `${names[at]}02`, String(NOON - at - 1)]]),
    ...(at % 5 ? [[key, '65', '', names[at], String(NOON - 7)]] : []),
  ]);

/** @param {string[][]} cells */
const sorted = (cells) => cells.map((cell) => cell.join(' ')).sort();

/** Split points in the notation of designs, at equal shares of the keys. @param {string[]} keys */
const pointsOf = (keys) =>
  [1, 2].map((share) => [...keys].sort()[50 * share].replace(/../g, (byte) => `\\x${byte.toUpperCase()}`));

/**
 * The new keys that emitted code makes of old ones, for all pairs of keys that it takes.
 * @param {any} rowscape
 * @param {Row[]} rows
 */
function pairsOf(rowscape, rows) {
  const all = [...KEYS, ...MORE];
  let refused = 0;
  const pairs = all.flatMap((from, old) =>
    all.flatMap((to, next) => {
      if (from === to) return [];
      const designs = [designed(rowscape, `from${old}`, from), designed(rowscape, `to${old}x${next}`, to)];
      try {
        const emitted = designs[1].emit('rewrite-java', { from: designs[0] });
        return [{ from, to, old, next, designs, className: classNamed(emitted), source: emitted.text }];
      } catch (error) {
        // Every part of these keys has an end.
        if (/** @type {{ code?: string }} */ (error).code !== 'emit.underivable') throw error;
        refused++;
        return [];
      }
    }),
  );
  return {
    pairs,
    refused,
    keys: all.map((rowkey, at) => keysOf(designed(rowscape, `k${at}`, rowkey), rows)),
  };
}

/**
 * Jobs that are run, each with its tables and the keys of both.
 * @param {any} rowscape
 * @param {string[][]} keys of each row key
 */
const jobsOf = (rowscape, keys) =>
  RUN.map(([old, next], at) => {
    const from = designed(rowscape, `rewrite-old${at}`, [...KEYS, ...MORE][old], pointsOf(keys[old]));
    const to = designed(rowscape, `rewrite-new${at}`, [...KEYS, ...MORE][next], pointsOf(keys[next]));
    const { text } = to.emit('rewrite-java', { from });
    return { at, from, to, old: keys[old], next: keys[next], className: classNamed({ text }), source: text };
  });

/** @typedef {ReturnType<typeof jobsOf>[number]} RewriteJob */

/** A key without a time, which its cell stores, and one with it. */
const STORED = ['host.terminated() + n.int32()', "at.millis().int64() + '|' + n.int32()"];

/** A job whose new keys need a field that only cells hold. @param {any} rowscape @param {Row[]} rows */
function storedJob(rowscape, rows) {
  const cell = { qualifier: 'q', value: { formula: 'at.millis().int64()' } };
  const [from, to] = STORED.map((rowkey, at) =>
    rowscape.parseDesign({
      ...{ rowscape: 1, fields: FIELDS, rowkey },
      table: { name: `stored-${at ? 'new' : 'old'}`, families: [{ name: 'd', cells: [cell] }] },
    }),
  );
  const { text } = to.emit('rewrite-java', { from });
  const values = keysOf(designed(rowscape, 'stored', 'at.millis().int64()'), rows);
  const [before, after] = [from, to].map((design) =>
    keysOf(design, rows).map((key, at) => [key, '64', '71', values[at], String(NOON + at)]),
  );
  return { from, to, before, after, className: classNamed({ text }), source: text };
}

/** Steps of the jobs: copied, loaded, compared and listed. @param {RewriteJob[]} jobs @param {(at: number) => string} output */
const stepsOf = (jobs, output) =>
  jobs.flatMap(({ at, className: call }) => [
    { call, method: 'copy', texts: [output(at), at ? '' : 'rewrite-old0-snapshot'] },
    { call, method: 'load', texts: [output(at)] },
    { call, method: 'compare', texts: [output(at), UNTIL] },
    { list: `rewrite-new${at}` },
  ]);

/**
 * Differences of the tables that jobs have written.
 * @param {RewriteJob[]} jobs
 * @param {any[]} answers
 * @param {string[]} names of the rows
 */
const faultsOf = (jobs, answers, names) =>
  jobs.flatMap(({ next, at }) => {
    const [copied, loaded, compared, listed] = answers.slice(4 * at);
    const cells = Array.isArray(listed) ? sorted(listed) : listed;
    return [
      ...unlike(`job ${at}`, [null, null, []], [copied ?? null, loaded ?? null, compared]),
      ...unlike(`cells of job ${at}`, sorted(cellsOf(next, names)), cells),
    ];
  });

/**
 * New keys that emitted code makes, and tables that emitted jobs rewrite.
 * @param {any} subject
 * @param {string} folder
 * @param {import('./jvm.mjs').HbasePlace} hbase
 * @returns {Promise<{ judged: Judged, missed: string[] }>}
 */
export async function judgeRewrite({ rowscape }, folder, hbase) {
  const classes = join(folder, 'rewrite');
  mkdirSync(classes);
  const rows = rowsOf(new Random(5)).slice(0, ROWS);
  const names = rows.map((_, at) => at.toString(16).padStart(4, '0'));
  const { pairs, refused, keys } = pairsOf(rowscape, rows);
  const jobs = jobsOf(rowscape, keys);
  const stored = storedJob(rowscape, rows);
  const commands = [...jobs, stored].flatMap(({ from, to }) => [
    from.emit('shell').text,
    to.emit('shell').text,
  ]);
  const told = errorsOf(await shell(folder, hbase.port, commands.join('\n')));
  const output = (/** @type {number} */ at) => join(classes, `out${at}`);
  const before = [
    ...jobs.map(({ at, old }) => ({ fill: `rewrite-old${at}`, cells: cellsOf(old, names) })),
    { snapshot: 'rewrite-old0' },
    { fill: 'stored-old', cells: stored.before },
  ];
  const byCell = [
    { call: stored.className, method: 'copy', texts: [join(classes, 'stored'), ''] },
    { call: stored.className, method: 'load', texts: [join(classes, 'stored')] },
    { call: stored.className, method: 'compare', texts: [join(classes, 'stored'), UNTIL] },
    { list: 'stored-new' },
  ];
  const made = pairs.map(({ className, old }) => ({ call: className, method: 'newKey', each: keys[old] }));
  const run = stepsOf(jobs, output);
  // A cell that only the new table has, and a row that the old design has not made.
  const wrong = [
    { fill: 'rewrite-new1', cells: [[jobs[1].next[7], '64', '72', '00', String(NOON)]] },
    { call: jobs[1].className, method: 'compare', texts: [output(1), UNTIL] },
    { fill: 'rewrite-old1', cells: [['00ff', '64', '71', '00', String(NOON)]] },
    { call: jobs[1].className, method: 'copy', texts: [`${output(1)}-again`, ''] },
  ];
  const sources = [...pairs, ...jobs, stored].map(({ className, source }) => ({ className, source }));
  const answers = await programAnswers(classes, hbase, sources, [
    ...[...before, ...byCell],
    ...[...made, ...run, ...wrong],
  ]);
  answers.splice(0, before.length);
  const ofCell = answers.splice(0, byCell.length);
  told.push(
    ...unlike(
      'job of a cell',
      [null, null, []],
      ofCell.slice(0, 3).map((answer) => answer ?? null),
    ),
  );
  told.push(
    ...unlike(
      'cells of the job of a cell',
      sorted(stored.after),
      Array.isArray(ofCell[3]) ? sorted(ofCell[3]) : ofCell[3],
    ),
  );
  const found = answers.splice(0, made.length);
  pairs.forEach(({ from, to, next }, at) => {
    const row = keys[next].findIndex((key, row) => key !== found[at][row]);
    if (row >= 0) told.push(`${from} to ${to}: ${found[at][row]}, not ${keys[next][row]}`);
  });
  told.push(...faultsOf(jobs, answers.splice(0, run.length), names));
  const [, differing, , again] = answers;
  const missed = [];
  if (differing?.length !== 1) missed.push('a cell that is not in the old table');
  if (!/1 rows have no new key/.test(again?.failed)) missed.push('a row of another design');
  const compared = {
    'keys of emitted rewrites': pairs.length * ROWS,
    'pairs of keys that are not rewritten': refused,
    'tables rewritten by emitted jobs': jobs.length + 1,
  };
  return { judged: { id: 0, compared, differences: told.length, told: told.slice(0, 12) }, missed };
}
