// Code that the package emits to write and read tables, run against HBase: in Java, Scala and Python, scans of the shell, and requests
// to the REST gateway.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { judgeClients } from './clients.mjs';
import { driverOf, pythonDriver, scalaDriver, writerOf } from './drivers.mjs';
import { runPython, startThrift } from './gateway.mjs';
import { emittedRows, shell } from './jvm.mjs';
import { restRows } from './rest.mjs';
import { hex } from './splits.mjs';

/** @typedef {import('./emitted.mjs').Judged} Judged */
/** @typedef {Record<string, string | number>} Row */
/** @typedef {{ name: string, where: Record<string, any>, order?: { field: string, direction: string }, limit?: number }} Query */

export const FIELDS = [
  { name: 'host', type: 'text' },
  { name: 'phone', type: 'text', width: 11 },
  { name: 'n', type: 'integer' },
  { name: 'at', type: 'time', format: 'epoch-millis' },
];
const NOON = Date.UTC(2026, 4, 4, 12);
const HOSTS = Array.from({ length: 7 }, (_, at) => `web${at}`);
const [ROWS, MINUTE] = [600, 60_000];

/** Keys that queries read in every way there is. */
export const KEYS = [
  "host + '|' + at.millis().int64() + n.int32()",
  'host.terminated() + at.millis().reverseLong().int64() + n.int32()',
  "bucket(host, 5).decimal(1) + host + '-' + at.format('yyyyMMddHHmmss') + '-' + n.decimal(6)",
  'rest.phoenixSalt(4) + at.millis().int64() + host',
  'bucket(n, 8).decimal(2) + at.seconds().uint32() + phone + n.int32()',
  "phone.reverse() + at.format('yyyyMMdd') + at.format('HHmmss') + n.int32()",
  'at.millis().int64() + phone + n.int32()',
  'phone.md5().hex(4) + phone + at.millis().int64() + n.int32()',
  "n.floorMod(6).decimal(1) + at.truncate('1h').millis().int64() + phone + at.millis().int64() + n.int32()",
  "bucket(phone, at.format('yyyyMMdd'), 6).decimal(1) + phone + at.format('yyyyMMddHHmmss') + n.int32()",
  "host + '-' + at.millis() + '-' + phone + n.int32()",
  "n + '-' + host",
  "n.int64() + '#' + host",
  'n.ordered.int64() + host',
];
/** A key that records share. */
const SHARED = "phone + '-' + at.format('yyyyMMddHH')";

/** The table whose rows are counters, and the one whose records replace each other. */
const [COUNTED, REPLACED] = [KEYS.length - 1, KEYS.length];
/** One table of so many has the time of its records as the timestamp of cells. */
const STAMPED = 3;

/** Queries for values of a row, and times so many minutes later. @param {Row} row @param {number} [later] @returns {Query[]} */
function queriesOf({ host, phone, n, at }, later = 0) {
  const time = (/** @type {number} */ minute) => String(NOON + (minute + later) * MINUTE);
  const minutes = (/** @type {number} */ from, /** @type {number} */ to) => ({
    from: time(from),
    to: time(to),
  });
  const [first, numbers] = later ? [2, 200] : [1, 0];
  return [
    { name: 'host', where: { host: { eq: host } } },
    { name: 'host, ten minutes', where: { host: { eq: host }, at: minutes(10, 20) } },
    { name: 'ten minutes', where: { at: minutes(30, 40) } },
    {
      name: 'ten minutes in order',
      where: { at: minutes(30, 40) },
      order: { field: 'at', direction: 'ascending' },
    },
    {
      name: 'last of an hour',
      where: { at: minutes(0, 60) },
      order: { field: 'at', direction: 'descending' },
      limit: 7,
    },
    {
      name: 'newest of a host',
      where: { host: { eq: host } },
      order: { field: 'at', direction: 'descending' },
      limit: 5,
    },
    { name: 'since', where: { host: { eq: host }, at: { from: time(50) } } },
    { name: 'until', where: { phone: { eq: phone }, at: { to: time(30) } } },
    { name: 'two hosts', where: { host: { in: [HOSTS[first], HOSTS[4]] }, at: minutes(0, 30) } },
    { name: 'hosts between', where: { host: { from: HOSTS[first], to: HOSTS[first + 2] } } },
    { name: 'hosts with a prefix', where: { host: { prefix: 'web' } }, limit: 9 },
    { name: 'phone in 20 minutes', where: { phone: { eq: phone }, at: minutes(0, 20) } },
    {
      name: 'one row',
      where: { host: { eq: host }, phone: { eq: phone }, n: { eq: n }, at: { eq: String(at) } },
    },
    {
      name: 'numbers',
      where: { n: { from: 100 + numbers, to: 160 + numbers } },
      order: { field: 'n', direction: 'descending' },
      limit: 20,
    },
  ];
}

/** @param {import('./random.mjs').Random} random @returns {Row[]} */
export const rowsOf = (random) =>
  Array.from({ length: ROWS }, (_, n) => ({
    host: random.pick(HOSTS),
    phone: `138${String(random.between(0, 30)).padStart(8, '0')}`,
    n,
    at: NOON + random.between(0, 60 * MINUTE),
  }));

/** @param {Row} row @param {Query['where']} where */
const matches = (row, where) =>
  Object.entries(where).every(([field, condition]) => {
    const number = field === 'at' || field === 'n';
    const value = number ? Number(row[field]) : String(row[field]);
    const of = (/** @type {any} */ given) => (number ? Number(given) : String(given));
    if ('eq' in condition) return value === of(condition.eq);
    if ('in' in condition) return condition.in.map(of).includes(value);
    if ('prefix' in condition) return String(value).startsWith(condition.prefix);
    return (
      (condition.from === undefined || value >= of(condition.from)) &&
      (condition.to === undefined || value < of(condition.to))
    );
  });

/** True of a table whose cells have the time of their records. @param {number} at */
const isStamped = (at) => at % STAMPED === 1 && at < COUNTED;

/** A table with its rows, the queries of it and their plans. @param {any} subject @param {string} rowkey @param {number} at @param {Row[]} rows */
function tableOf(subject, rowkey, at, rows) {
  const queries = queriesOf(rows[at]);
  // Readers are emitted for other values than those that they are called with, of another day.
  const later = queriesOf(rows[at + 20], 25 * 60);
  const families = [
    { name: 'f', cells: [{ qualifier: 'q', bytes: 8, ...(isStamped(at) && { timestamp: 'at' }) }] },
  ];
  const writes = { [COUNTED]: 'counter', [REPLACED]: 'upsert' }[at] ?? 'append';
  const named = (/** @type {string} */ name, asked = queries) => ({
    ...{ rowscape: 1, fields: FIELDS, rowkey, writes, queries: asked },
    table: { name, families },
  });
  const document = named(`read${at}`);
  const design = subject.rowscape.parseDesign(document);
  const isConstant = (/** @type {Query} */ query) =>
    subject.rowscape
      .parseDesign(named('one', [query]))
      .emit('reader-java')
      .text.includes('in the design');
  const others = later.map((query, index) =>
    isConstant(query) || isConstant(queries[index]) ? queries[index] : query,
  );
  const columns = Object.fromEntries(FIELDS.map(({ name }) => [name, rows.map((row) => String(row[name]))]));
  const keys = [...design.encodeColumns(columns)].map((key) => hex(key));
  const asked = queries.map((query) => JSON.stringify({ ...document, queries: [query] }));
  const plans = asked.map((one) => subject.plan(one));
  const counted = asked.map(subject.counts(FIELDS, textsOf(rows), JSON.stringify(document)));
  // The shell wraps long rows and pads short ones.
  const shown = new Map(keys.map((key) => [subject.notation(Buffer.from(key, 'hex')).trimEnd(), key]));
  const [inPython, inScala] = ['python', 'scala'].map((name) =>
    subject.rowscape.parseDesign(named(`${name}${at}`)),
  );
  /** A reader of a table, and one that is emitted for the values asked for. @param {string} as @param {string} name */
  const reader = (as, name) => {
    const [source, asked] = [others, queries].map(
      (of) => subject.rowscape.parseDesign(named(name, of)).emit(as).text,
    );
    return { reader: source, asked };
  };
  const taken = others.filter((query, index) => query !== queries[index]).length;
  return {
    taken,
    rowkey,
    at,
    queries,
    design,
    reader,
    inPython,
    inScala,
    keys,
    shown,
    plans,
    counted,
    name: `read${at}`,
  };
}

/** @typedef {ReturnType<typeof tableOf>} Table */

/**
 * Why the rows that came are not those asked for.
 * @param {Table} table
 * @param {number} index of the query
 * @param {string[]} found rows, hexadecimal
 * @param {Row[]} rows
 * @param {{ merged: boolean }} how merged: true if limits and order hold over all ranges
 */
function faultsOf({ keys, queries, plans, counted, rowkey }, index, found, rows, { merged }) {
  const { where, order, limit, name } = queries[index];
  const { ranges, delivery, stopsAfter, exact } = plans[index];
  const told = (/** @type {string} */ what) => [`${rowkey}, ${name}: ${what}`];
  const byKey = new Map(keys.map((key, at) => [key, rows[at]]));
  const unknown = found.filter((key) => !byKey.has(key));
  if (unknown.length) return told(`unknown rows ${unknown.slice(0, 3)}`);
  if (new Set(found).size !== found.length) return told('rows more than once');
  const within = (/** @type {string} */ key) =>
    ranges.some(
      (/** @type {any} */ { startBytes, stopBytes }) =>
        hex(startBytes) <= key && (stopBytes.length === 0 || key < hex(stopBytes)),
    );
  const outside = found.filter((key) => !within(key));
  if (outside.length) return told(`rows outside the ranges: ${outside.slice(0, 3)}`);
  // The last record of a row hides those before.
  const wanted = [...byKey].filter(([, row]) => matches(row, where)).map(([key]) => key);
  const { read } = counted[index];
  if (exact && !stopsAfter && found.length !== read) return told(`${found.length} rows, planned ${read}`);
  if (!stopsAfter) {
    const missed = wanted.filter((key) => !found.includes(key));
    if (missed.length)
      return told(`${missed.length} of ${wanted.length} rows are missing: ${missed.slice(0, 3)}`);
  } else if (merged && exact) {
    // Rows that do not match count for a limit here, where no test drops them.
    const returned = found.filter((key) => wanted.includes(key)).length;
    const most = Math.min(limit ?? 0, wanted.length);
    if (returned !== most) return told(`${returned} rows, not ${most}`);
  }
  if (!merged || !order || delivery.sort || delivery.tied) return [];
  // Rows that do not match are not told apart here.
  const matching = found.filter((key) => exact || wanted.includes(key));
  const values = matching.map((key) => Number(byKey.get(key)?.[order.field]));
  const sorted = [...values].sort((a, b) => (order.direction === 'ascending' ? a - b : b - a));
  if (String(values) !== String(sorted)) return told(`not in order: ${values.slice(0, 8)}`);
  const all = wanted.map((key) => Number(byKey.get(key)?.[order.field]));
  const first = all.sort((a, b) => (order.direction === 'ascending' ? a - b : b - a)).slice(0, values.length);
  return String(first) === String(values) || !stopsAfter || !exact
    ? []
    : told(`not the first: ${values} for ${first}`);
}

/**
 * Emitted code that writes and reads tables, and scans of them, against the rows that match; and whether a deprecated call
 * is found.
 * @param {any} subject
 * @param {string} folder
 * @param {number} port
 * @param {import('./random.mjs').Random} random
 * @returns {Promise<{ judged: Judged[], deprecatedFound: boolean }>}
 */
export async function judgeReaders(subject, folder, port, random) {
  const rows = rowsOf(random);
  const tables = [...KEYS, SHARED].map((rowkey, at) => tableOf(subject, rowkey, at, rows));
  const folders = ['readers', 'clients', 'scripts', 'requests'].map((name) => join(folder, name));
  for (const path of folders) mkdirSync(path);
  const [classes, clients, scripts, requests] = folders;
  const compiled = judgeClients(
    subject,
    clients,
    tables.map(({ design }) => design),
  );
  const onJvm = await emittedRows(classes, port, [...javaOf(tables, rows), ...scalaOf(tables, rows)]);
  const [inJava, inScala] = [onJvm.slice(0, tables.length), onJvm.slice(tables.length)];
  const scanned = await scannedRows(folder, port, tables);
  const overRest = await restRows(requests, port, tables);
  const inPython = await pythonRows(scripts, port, tables, rows);
  /** @type {(found: string[][][], of: string, how: { merged: boolean }) => string[]} */
  const faults = (found, of, how) =>
    tables.flatMap((table, at) =>
      table.queries.flatMap((_, index) =>
        faultsOf(table, index, found[at][index] ?? [], rows, how).map((fault) => `${of}: ${fault}`),
      ),
    );
  const told = [
    ...faults(inJava, 'Java', { merged: true }),
    ...faults(inScala, 'Scala', { merged: true }),
    ...faults(overRest, 'REST', { merged: false }),
    ...unstamped(tables),
    ...faults(scanned, 'shell', { merged: false }),
    ...faults(inPython, 'Python', { merged: true }),
  ];
  const count = tables.flatMap(({ queries }) => queries).length;
  const compared = {
    'records written by emitted Java, Scala and Python': 3 * rows.length * tables.length,
    'queries of emitted Java readers': count,
    'queries of emitted Scala readers': count,
    'queries of emitted Python readers': count,
    'queries of readers that are emitted for other values': tables.reduce((sum, { taken }) => sum + taken, 0),
    'queries as scans of the shell': count,
    'queries as requests to the REST gateway': count,
  };
  const judged = { id: 0, compared, differences: told.length, told: told.slice(0, 12) };
  return { judged: [compiled.judged, judged], deprecatedFound: compiled.deprecatedFound };
}

/** Split points of a table. @param {string[]} keys */
const pointsOf = (keys) => [...new Set(keys)].sort().filter((_, index) => index > 0 && index % 150 === 0);

/** Records as texts. @param {Row[]} rows */
const textsOf = (rows) => rows.map((row) => FIELDS.map((field) => String(row[field.name])));

/** Tables with timestamps of their own whose queries do not bound them. @param {Table[]} tables @returns {string[]} */
const unstamped = (tables) =>
  tables
    .filter(({ at }) => isStamped(at))
    .filter(({ design }) =>
      ['scan-shell', 'scan-rest', 'reader-java', 'reader-scala'].some(
        (as) => !/TIMERANGE|startTime|starttime|setTimeRange/.test(design.emit(as).text),
      ),
    )
    .map(({ rowkey }) => `${rowkey}: no range of timestamps`);

/** Scala sources of tables, with what drives them. @param {Table[]} tables @param {Row[]} rows */
const scalaOf = (tables, rows) =>
  tables.map(({ at, keys, inScala, reader: of }) => {
    const { reader, asked } = of('reader-scala', `scala${at}`);
    const writer = inScala.emit('writer-scala').text;
    return {
      language: 'scala',
      table: `scala${at}`,
      keys,
      points: pointsOf(keys),
      rows: textsOf(rows),
      className: `Scala${at}`,
      sources: {
        [`Scala${at}Reader`]: reader,
        [`Scala${at}Writer`]: writer,
        [`Scala${at}Driver`]: scalaDriver(`Scala${at}`, { reader, asked, writer, fields: FIELDS }),
      },
    };
  });

/** Java sources of tables, with what drives them. @param {Table[]} tables @param {Row[]} rows */
const javaOf = (tables, rows) =>
  tables.map(({ name, at, keys, design, reader: of }) => {
    const { reader, asked } = of('reader-java', name);
    const writer = design.emit('writer-java').text;
    const points = pointsOf(keys);
    return {
      language: 'java',
      table: name,
      keys,
      points,
      rows: textsOf(rows),
      className: `Read${at}`,
      sources: {
        [`Read${at}Reader`]: reader,
        [`Read${at}Writer`]: writer,
        [`Read${at}Driver`]: driverOf(`Read${at}`, { reader, asked }, writerOf(writer, FIELDS)),
      },
    };
  });

/** The rows that emitted Python reads of tables that emitted Python wrote. @param {string} folder @param {number} port @param {Table[]} tables @param {Row[]} rows @returns {Promise<string[][][]>} */
async function pythonRows(folder, port, tables, rows) {
  const readers = tables.map(({ reader, at }) => reader('reader-python', `python${at}`));
  const files = tables.flatMap(({ inPython, at }) => [
    [`python${at}_reader.py`, readers[at].reader],
    [`python${at}_writer.py`, inPython.emit('writer-python').text],
  ]);
  const driver = pythonDriver(Object.fromEntries(files), {
    fields: FIELDS,
    rows,
    counted: `python${COUNTED}`,
    asked: Object.fromEntries(readers.map(({ asked }, at) => [`python${at}`, asked])),
  });
  const gateway = await startThrift(folder, port);
  try {
    const made = { ...Object.fromEntries(files), 'driver.py': driver };
    const { keys, found } = await runPython(folder, made, [String(gateway.port)]);
    for (const [at, table] of tables.entries()) {
      const wanted = [...new Set(table.keys)].sort();
      if (String(keys[at]) !== String(wanted)) throw new Error(`Python wrote other rows of ${table.rowkey}`);
    }
    return found;
  } finally {
    gateway.end();
  }
}

/**
 * The rows that the shell prints for the emitted scans, by table and query.
 * @param {string} folder
 * @param {number} port
 * @param {Table[]} tables
 */
async function scannedRows(folder, port, tables) {
  const marked = tables.map(({ design, at }) => {
    const parts = design.emit('scan-shell').text.split('\n\n');
    return parts.map(
      (/** @type {string} */ part, /** @type {number} */ index) => `puts "query ${at} ${index}"\n${part}\n`,
    );
  });
  const said = await shell(folder, port, marked.flat().join('\n'));
  const failed = /^ERROR.*/m.exec(said);
  if (failed) throw new Error(`HBase's shell: ${failed[0]}`);
  const found = tables.map(({ queries }) => queries.map(() => /** @type {string[]} */ ([])));
  let [table, query, width] = [0, 0, 0];
  let row = '';
  const end = () => {
    if (row) found[table][query].push(tables[table].shown.get(row.trimEnd()) ?? row);
    row = '';
  };
  for (const line of said.split('\n')) {
    const marker = /^query (\d+) (\d+)$/.exec(line);
    if (marker || !line.startsWith(' ')) end();
    if (marker) [table, query] = [Number(marker[1]), Number(marker[2])];
    // A row that was got has no key beside its cells: it is the one that was named.
    if (/^ f:q +timestamp=/.test(line)) found[table][query].push(named(tables[table], query));
    else if (/^ .* column=f:q, /.test(line)) {
      end();
      width = line.indexOf('column=f:q, ');
      row = line.slice(1, width - 1);
    } else if (row) row += line.slice(1, width - 1);
  }
  end();
  return found;
}

/** @param {Table} table @param {number} query */
const named = ({ plans }, query) => hex(plans[query].ranges[0].startBytes);
