// Tables that emitted commands and emitted Java alter, against tables that are created by the design they lead to.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { classNamed, designOf, unlike } from './admin.mjs';
import { programAnswers, shell } from './jvm.mjs';
import { after, errorsOf, WAIT } from './reshaped.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */
/** @typedef {{ families: object[], splits?: object }} TableForm */

const BEFORE = {
  splits: { points: ['\\x00', 'a', 'b', "c'", '\\xFF'] },
  families: [
    { name: 'd', compression: 'GZ', versions: 5, minVersions: 2, ttl: 3600 },
    { name: "g'one" },
    { name: 'same', versions: 4 },
  ],
};
const AFTER = {
  splits: { points: ['a', 'm', 'n', 'o', '\\x80\\xFF'] },
  families: [{ name: 'd' }, { name: 'new', compression: 'GZ', ttl: 7 }, { name: 'same', versions: 4 }],
};
/** Ways from one form of a table to another. @type {{ from: TableForm, to: TableForm }[]} */
const WAYS = [
  { from: BEFORE, to: AFTER },
  { from: AFTER, to: BEFORE },
  { from: BEFORE, to: { ...BEFORE, families: AFTER.families } },
  { from: BEFORE, to: { ...BEFORE, splits: undefined } },
];

/**
 * Alters tables in HBase's shell and by emitted Java.
 * @param {any} subject
 * @param {string} folder
 * @param {import('./jvm.mjs').HbasePlace} hbase
 * @returns {Promise<{ judged: Judged, missed: string[] }>}
 */
export async function judgeAlter({ rowscape }, folder, hbase) {
  const classes = join(folder, 'alter');
  mkdirSync(classes);
  const named = (/** @type {string} */ by) => WAYS.map((way, at) => ({ ...way, name: `${by}-alter${at}` }));
  const [typed, called, wanted] = ['typed', 'called', 'wanted'].map(named);
  const design = (/** @type {string} */ name, /** @type {TableForm} */ form) =>
    designOf(rowscape, { name, ...form });
  const created = [
    ...[...typed, ...called].map(({ name, from }) => design(name, from)),
    ...wanted.map(({ name, to }) => design(name, to)),
  ].map((one) => one.emit('shell').text);
  // A row in each region, so that there are files that regions refer to.
  const rows = ['\\x00', ' ', 'a', 'b', 'd', 'm', 'n', '~', '\\xFF'];
  const puts = [...typed, ...called].flatMap(({ name }) =>
    rows.map((row) => `put '${name}', "${row}", 'd:q', '1'`),
  );
  const alters = typed.flatMap(({ name, from, to }) => {
    const [old, next] = [design(name, from), design(name, to)];
    const steps = rowscape.migration(old, next).reshape;
    let points = from.splits ? [.../** @type {any} */ (from.splits).points] : [];
    // A part of the commands for the families, and one for each round.
    const parts = next.emit('alter-shell', { from: old }).text.split('\n\n');
    const families = parts[0].includes('alter ') ? 1 : 0;
    return parts.map((/** @type {string} */ part, /** @type {number} */ at) => {
      for (const step of steps) if (step.round === at + 1 - families) points = after(points, step);
      return `${part}\nrowscape_wait.call('${name}', ${points.length + 1})\n`;
    });
  });
  const told = errorsOf(
    await shell(folder, hbase.port, [...created, ...puts, ...WAIT, ...alters].join('\n')),
  );

  const emitted = called.map(({ name, from, to }) =>
    design(name, to).emit('alter-java', { from: design(name, from) }),
  );
  const sources = emitted.map((one) => ({ className: classNamed(one), source: one.text }));
  const steps = [
    ...sources.flatMap(({ className }) =>
      // All of it can be done again.
      ['alterFamilies', 'reshape', 'alterFamilies', 'reshape', 'compact'].map((method) => ({
        call: className,
        method,
      })),
    ),
    ...[...typed, ...called, ...wanted].map(({ name }) => ({ describe: name })),
  ];
  const answers = await programAnswers(classes, hbase, sources, steps);
  const described = answers.slice(-3 * WAYS.length);
  for (const answer of answers.slice(0, -3 * WAYS.length))
    told.push(...unlike('emitted Java', undefined, answer ?? undefined));
  const count = WAYS.length;
  WAYS.forEach((_, at) => {
    const expected = described[2 * count + at];
    told.push(...unlike(typed[at].name, expected, described[at]));
    told.push(...unlike(called[at].name, expected, described[count + at]));
  });
  // The first and the third way end in other regions.
  const missed = unlike('', described[0], described[2]).length ? [] : ['a table that is altered otherwise'];
  const compared = { 'tables altered by the shell': count, 'tables altered by emitted Java': count };
  return { judged: { id: 0, compared, differences: told.length, told: told.slice(0, 12) }, missed };
}
