// Phoenix without a cluster as the judge of its SQL: random tables, indexes, rows and queries, the keys that it writes and the scans that it
// makes, one table a line.
//   node tests/oracle/phoenix.mjs [--tables=N] [--rows=N] [--queries=N] [--seed=N] -o FILE
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answer, startJava } from './jvm.mjs';
import { buildPhoenix, PHOENIX } from './maven.mjs';
import { Random } from './random.mjs';

/** @typedef {{ name: string, type: string, size?: number, nullable: boolean }} Column */
/** @typedef {{ name: string, columns: Column[], key: { column: Column, descending: boolean }[], statements: string[] }} Table */

/** Types with the values they have, and whether a column of a key can be NULL. */
const TYPES = {
  VARCHAR: { nullable: true, value: (/** @type {Random} */ random) => random.text('abcé~Z 09', 1, 6) },
  CHAR: { sized: true, value: (/** @type {Random} */ random) => random.text('abcxyz09', 1, 3) },
  DECIMAL: {
    nullable: true,
    value: (/** @type {Random} */ random) =>
      String(random.between(-100_000, 100_000) / random.pick([1, 10, 100])),
  },
  INTEGER: { value: (/** @type {Random} */ random) => String(random.between(-1000, 1000)) },
  BIGINT: { value: (/** @type {Random} */ random) => String(random.between(-5_000_000_000, 5_000_000_000)) },
  UNSIGNED_INT: { value: (/** @type {Random} */ random) => String(random.between(0, 1000)) },
  UNSIGNED_LONG: { value: (/** @type {Random} */ random) => String(random.between(0, 5_000_000_000)) },
  DATE: {
    value: (/** @type {Random} */ random) => new Date(random.between(0, 2_000_000_000) * 1000).toISOString(),
  },
};

/** A value as SQL has it. @param {Column} column @param {string | null} value */
function literal(column, value) {
  if (value === null) return 'NULL';
  if (column.type === 'VARCHAR' || column.type === 'CHAR') return `'${value}'`;
  if (column.type === 'DATE') return `TO_DATE('${value.replace('T', ' ').replace('Z', '')}')`;
  return value;
}

/** @param {Random} random @param {number} number @returns {Table} */
function table(random, number) {
  const name = `T${number}`;
  const types = Object.keys(TYPES);
  const count = random.between(1, 5);
  /** @type {Column[]} */
  const columns = [];
  for (let at = 0; at < count + 3; at++) {
    // Columns of varying width are those with rules of their own.
    const type = random.chance(0.5) ? 'VARCHAR' : random.pick(types);
    const inKey = at < count;
    const of = TYPES[/** @type {keyof typeof TYPES} */ (type)];
    const nullable = inKey ? count > 1 && 'nullable' in of && random.chance(0.7) : true;
    columns.push({ name: `C${at}`, type, ...('sized' in of && { size: 4 }), nullable });
  }
  const key = columns.slice(0, count).map((column) => ({ column, descending: random.chance(0.3) }));
  const declared = columns.map(
    ({ name, type, size, nullable }, at) =>
      `${name} ${type}${size ? `(${size})` : ''}${at < count && !nullable ? ' NOT NULL' : ''}`,
  );
  const constraint = key.map(({ column, descending }) => `${column.name}${descending ? ' DESC' : ''}`);
  const salt = random.chance(0.3) ? ` SALT_BUCKETS=${random.pick([2, 4, 16])}` : '';
  const statements = [
    `CREATE TABLE ${name} (${declared.join(', ')} CONSTRAINT PK PRIMARY KEY (${constraint.join(', ')}))${salt}`,
  ];
  const others = columns.slice(count);
  if (random.chance(0.4)) {
    const indexed = others.slice(0, random.between(1, 2));
    const listed = indexed.map((column) => `${column.name}${random.chance(0.3) ? ' DESC' : ''}`);
    const included = random.chance(0.3) ? ` INCLUDE (${others[2].name})` : '';
    statements.push(`CREATE INDEX I${number} ON ${name} (${listed.join(', ')})${included}`);
  }
  return { name, columns, key, statements };
}

/** A row: the text of each column, null for NULL. @param {Random} random @param {Table} table */
function row(random, { columns, key }) {
  return columns.map((column) => {
    const inKey = key.some((part) => part.column === column);
    if (column.nullable && random.chance(inKey ? 0.4 : 0.2)) return null;
    return TYPES[/** @type {keyof typeof TYPES} */ (column.type)].value(random);
  });
}

/** A condition on a column. @param {Random} random @param {Column} column */
function condition(random, column) {
  const of = TYPES[/** @type {keyof typeof TYPES} */ (column.type)];
  const value = () => literal(column, of.value(random));
  const [low, high] = [of.value(random), of.value(random)];
  const isText = column.type === 'VARCHAR';
  const inOrder =
    isText || column.type === 'CHAR' || column.type === 'DATE' ? low < high : Number(low) < Number(high);
  const [from, to] = (inOrder ? [low, high] : [high, low]).map((end) => literal(column, end));
  const { name } = column;
  const forms = [
    () => `${name} = ${value()}`,
    () => `${name} = ${value()}`,
    () => `${name} IN (${value()}, ${value()}, ${value()})`,
    () => `${name} >= ${from} AND ${name} < ${to}`,
    () => `${name} > ${from}`,
    () => `${name} <= ${to}`,
    () => `${name} BETWEEN ${from} AND ${to}`,
  ];
  if (isText) forms.push(() => `${name} LIKE '${of.value(random).slice(0, 2)}%'`);
  if (isText)
    forms.push(() => {
      const [one, other] = [0, 1].map(() => `${name} LIKE '${of.value(random).slice(0, 2)}%'`);
      return `(${one} OR ${other})`;
    });
  if (column.nullable) forms.push(() => `${name} IS NULL`);
  return random.pick(forms)();
}

/** @param {Random} random @param {Table} table */
function query(random, { name, key, columns }) {
  const keyed = key.map(({ column }) => column);
  const asked = keyed.filter((_, at) => random.chance(at === 0 ? 0.85 : 0.55));
  if (random.chance(0.1)) asked.push(columns[columns.length - 1]);
  if (!asked.length) asked.push(keyed[0]);
  return `SELECT * FROM ${name} WHERE ${asked.map((column) => condition(random, column)).join(' AND ')}`;
}

const { values: options } = parseArgs({
  options: {
    tables: { type: 'string', default: '60' },
    rows: { type: 'string', default: '8' },
    queries: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string', short: 'o' },
  },
});
const random = new Random(Number(options.seed));
const cases = Array.from({ length: Number(options.tables) }, (_, number) => {
  const of = table(random, number);
  const rows = Array.from({ length: Number(options.rows) }, () => row(random, of));
  const queries = Array.from({ length: Number(options.queries) }, () => query(random, of));
  return { of, rows, queries };
});
const asked = cases.map(({ of, rows, queries }) => [
  ...of.statements,
  ...rows.map(
    (row) =>
      `UPSERT INTO ${of.name} (${of.columns.map(({ name }) => name)}) VALUES (${row.map((value, at) => literal(of.columns[at], value))})`,
  ),
  ...queries,
]);
await buildPhoenix();
const folder = mkdtempSync(join(tmpdir(), 'phoenix-'));
try {
  const java = startJava(folder, ['rowscape.phoenix.Statements'], { project: PHOENIX });
  const answers = JSON.parse(await answer(java, JSON.stringify(asked)));
  const lines = cases.flatMap(({ of, rows, queries }, at) => {
    const given = answers[at];
    const [made, rest] = [given.slice(0, of.statements.length), given.slice(of.statements.length)];
    const failed = made.find((/** @type {{ error?: string }} */ { error }) => error);
    // Statements that run at once can trip over each other.
    if (failed) console.error(`${of.statements.join('; ')}: ${failed.error}`);
    const line = JSON.stringify({
      statements: of.statements,
      columns: of.columns.map(({ name }) => name),
      rows: rows.map((values, index) => ({ values, ...rest[index] })),
      queries: queries.map((sql, index) => ({ sql, ...rest[rows.length + index] })),
    });
    return failed ? [] : [line];
  });
  writeFileSync(options.output ?? '/dev/stdout', `${lines.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
