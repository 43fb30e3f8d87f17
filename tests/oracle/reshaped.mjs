// Tables split and merged in HBase's own shell by the commands that the page prints for them.
import * as core from '#core';
import { shell } from './jvm.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */
/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('../../www/types.d.ts').RegionStep} RegionStep */
/** @typedef {{ name: string, from: string[], to: string[] }} Reshaped split points in `\xNN` notation */

/** Split points that are hard to write or to tell apart. */
const POINTS = [
  ...['\\x00', '\\x00\\x00', ' ', "'", "a'b", 'a"b', '#{1}', '\\x0A', '\\x5Cx41', '\\x5C'],
  ...['1', '13', '13|', 'a', 'b', 'm', 'z', '\\x7F', '\\x80', '\\x80a', '\\xC3\\xA9', '\\xFF', '\\xFF\\xFF'],
];
/** Seconds that HBase has for the steps of a round. */
const PATIENCE = 90;

/** Conditions before the next round: the expected number of regions, all open, none with files of its parent. */
export const WAIT = [
  'rowscape = org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(@hbase.configuration).getAdmin',
  'rowscape_wait = ->(table, count) do',
  '  name = org.apache.hadoop.hbase.TableName.valueOf(table)',
  `  ${PATIENCE * 10}.times do`,
  '    rowscape.flush(name)',
  '    rowscape.majorCompact(name)',
  '    done = rowscape.getRegions(name).size == count',
  '    break if done && rowscape.getClusterMetrics.getRegionStatesInTransition.isEmpty',
  '    sleep 0.1',
  '  end',
  '  sleep 1',
  'end',
];

/** @param {Random} random @param {number} share */
const drawn = (random, share) => POINTS.filter(() => random.chance(share));

/**
 * Ways from some split points to others.
 * @param {Random} random
 * @param {boolean} short
 * @returns {Reshaped[]}
 */
function ways(random, short) {
  const few = [
    // One region into many, many into one, and neighbours that are not the same.
    { from: [], to: drawn(random, 0.6) },
    { from: drawn(random, 0.6), to: [] },
    { from: drawn(random, 0.3), to: drawn(random, 0.3) },
  ];
  const more = Array.from({ length: 5 }, () => ({ from: drawn(random, 0.5), to: drawn(random, 0.5) }));
  return (short ? few : [...few, ...more]).map((way, at) => ({ ...way, name: `reshaped${at}` }));
}

/** Split points after a step. @param {string[]} points @param {RegionStep} step */
export const after = (points, { action, at }) =>
  action === 'split' ? [...points, ...at] : points.filter((point) => !at.includes(point));

/**
 * The printed commands of each round, with a wait for HBase behind it.
 * @param {Reshaped} table
 * @param {RegionStep[]} steps
 * @param {any[]} regions
 */
function patient({ name, from }, steps, regions) {
  const rounds = core.reshapeCommands(name, steps, regions).split('\n\n');
  let points = from;
  return rounds.map((commands, at) => {
    for (const step of steps.filter(({ round }) => round === at + 1)) points = after(points, step);
    return `${commands}\nrowscape_wait.call('${name}', ${points.length + 1})\n`;
  });
}

/**
 * Makes tables in HBase's shell, reads what it lists of them, and turns them into others by the commands that are printed; of
 * one a step is left out, which has to be found.
 * @param {any} subject
 * @param {import('./jvm.mjs').Hbase} hbase
 * @param {{ folder: string, port: number, id: number, random: Random, short: boolean }} options
 * @returns {Promise<{ judged: Judged[], missed: string[] }>}
 */
export async function judgeReshaped({ rowscape }, hbase, { folder, port, id, random, short }) {
  const sound = ways(random, short);
  const spoiled = { ...sound[0], name: 'reshaped-wrong' };
  const tables = [...sound, spoiled];
  const created = tables.map(({ name, from }) => {
    const document = {
      fields: [{ name: 'id', type: 'text' }],
      rowkey: 'id',
      table: { name, families: [{ name: 'f' }] },
    };
    return rowscape.parseDesign({ rowscape: 1, ...document, splits: { points: from } }).emit('shell').text;
  });
  const puts = tables.flatMap(({ name, from }) => ['~', ...from].map((row) => put(name, row)));
  const listed = tables.map(({ name }) => `list_regions '${name}'\n`);
  const asked = await shell(folder, port, [...created, ...puts, ...listed].join('\n'));
  const existing = rowscape.existingTables(asked);
  /** @type {string[]} */
  const told = errorsOf(asked);
  const commands = tables.flatMap((table) => {
    const found = existing.tables.find((/** @type {{ name: string }} */ { name }) => name === table.name);
    if (!found) told.push(`${table.name} is not read from what list_regions says`);
    const steps = rowscape.reshape({ points: found?.points ?? table.from }, { points: table.to });
    return patient(table, table === spoiled ? steps.slice(0, -1) : steps, found?.regions ?? []);
  });
  const said = await shell(folder, port, [...WAIT, ...commands].join('\n'));
  told.push(...errorsOf(said));
  const requests = tables.map(({ name, to }, at) => ({ id: id + at, made: name, points: hex(rowscape, to) }));
  const verdicts = await Promise.all(requests.map((request) => hbase.judge(request)));
  const wrong = verdicts.pop();
  const steps = { 'tables split and merged by the shell': sound.length };
  return {
    judged: [...verdicts, { id, compared: steps, differences: told.length, told }],
    missed: wrong?.differences ? [] : ['a split that was left out'],
  };
}

/** Errors of the shell. @param {string} said */
export const errorsOf = (said) => (said.match(/^ERROR.*/gm) ?? []).map((error) => `HBase's shell: ${error}`);

/** A row, so that regions have files that a split refers to. @param {string} table @param {string} row */
const put = (table, row) => `put '${table}', "${row.replaceAll(/["#]/g, '\\$&')}", 'f:q', '1'`;

/** @param {any} rowscape @param {string[]} points in HBase's order, as hexadecimal */
const hex = (rowscape, points) =>
  rowscape
    .regions({ points })
    .slice(1)
    .map((/** @type {{ start: Uint8Array }} */ { start }) => rowscape.bytes.toHex(start));
