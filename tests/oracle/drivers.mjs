// Programs that call emitted readers and writers, with the values that a reader's own check has.

/** @typedef {{ name: string, type: string }} Field */

/** The values of a query in a check of each language. */
const CHECKS = {
  java: /^ {8}check\(("(?:[^"\\]|\\.)*"), (\w+)Ranges\((.*)\), "[^"]*"\);$/gm,
  scala: /^ {4}check\(("(?:[^"\\]|\\.)*"), (\w+)Ranges\((.*)\), "[^"]*"\)$/gm,
  python: /^ {4}check\(("(?:[^"\\]|\\.)*"), (\w+)_ranges\((.*)\), "[^"]*"\)$/gm,
};

/** A text as Java and Scala take a value of a type. @type {Record<string, (text: string) => string>} */
const JAVA = {
  text: (text) => text,
  integer: (text) => `Long.parseLong(${text})`,
  time: (text) => `Instant.ofEpochMilli(Long.parseLong(${text}))`,
};

/** The value of a cell: the number 1. */
const CELL = '0000000000000001';

/** The fields that a function has parameters of, in their order. @param {string} declared @param {Field[]} fields */
const given = (declared, fields) =>
  fields.flatMap(({ name, type }, at) => (new RegExp(`\\b${name}\\b`).test(declared) ? [{ at, type }] : []));

/**
 * A statement in Java that writes the record `row`.
 * @param {string} source of a writer
 * @param {Field[]} fields
 */
export function writerOf(source, fields) {
  const of = /^public final class (\w+)/m.exec(source)?.[1];
  const [, kind, call, declared] = /** @type {RegExpExecArray} */ (
    /public static (Put|Increment) (\w+)\((.*)\) \{/.exec(source)
  );
  const values = given(declared, fields).map(({ at, type }) => JAVA[type](`row.get(${at})`));
  const cell = kind === 'Put' ? `bytes("${CELL}")` : '1';
  return `rows.mutate(${of}.${call}(${[...values, cell].join(', ')}));`;
}

/**
 * A class that writes the rows of a table, and calls the functions of its reader.
 * @param {string} table the name of its classes
 * @param {{ reader: string, asked: string }} sources of readers: the one that is called, and the one whose checks have the values
 * @param {string} write a statement
 */
export function driverOf(table, { reader, asked }, write) {
  const calls = [...asked.matchAll(CHECKS.java)].map(([, , name, values]) => {
    const tested = new RegExp(`public static \\S+ ${name}\\([^)]*Predicate<Result> matching`).test(reader);
    const all = ['connection', ...(values ? [values] : []), ...(tested ? ['row -> true'] : [])];
    return `    all.add(keys(${table}Reader.${name}(${all.join(', ')})));`;
  });
  return `import java.math.BigDecimal;
import java.time.Instant;
import java.util.*;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;
public final class ${table}Driver {
  private static byte[] bytes(String digits) { return Bytes.fromHex(digits); }
  private static List<String> keys(Iterator<Result> rows) {
    List<String> keys = new ArrayList<>();
    while (rows.hasNext()) keys.add(Bytes.toHex(rows.next().getRow()));
    return keys;
  }
  private static List<String> keys(List<Result> rows) { return keys(rows.iterator()); }
  public static void write(Connection connection, List<List<String>> records) throws Exception {
    ${table}Writer.main(new String[0]);
    try (BufferedMutator rows = ${table}Writer.open(connection)) {
      for (List<String> row : records) ${write}
    }
  }
  public static List<List<String>> run(Connection connection) throws Exception {
    ${table}Reader.main(new String[0]);
    List<List<String>> all = new ArrayList<>();
${calls.join('\n')}
    return all;
  }
}
`;
}

/**
 * An object in Scala that writes the rows of a table by its writer, and calls the functions of its reader.
 * @param {string} table the name of its objects
 * @param {{ reader: string, asked: string, writer: string, fields: Field[] }} sources asked: a reader whose checks have the values
 */
export function scalaDriver(table, { reader, asked, writer, fields }) {
  const calls = [...asked.matchAll(CHECKS.scala)].map(([, , name, values]) => {
    const tested = new RegExp(`def ${name}\\([^)]*matching: Result`).test(reader);
    const all = ['connection', ...(values ? [values] : []), ...(tested ? ['row => true'] : [])];
    return `      keys(${table}Reader.${name}(${all.join(', ')}))`;
  });
  const [, call, declared, kind] = /** @type {RegExpExecArray} */ (
    /def (put|increment)\((.*)\): (Put|Increment) =/.exec(writer)
  );
  const values = given(declared, fields).map(({ at, type }) =>
    JAVA[type](`row.get(${at})`).replace('Long.parse', 'java.lang.Long.parse'),
  );
  const cell = kind === 'Put' ? `Bytes.fromHex("${CELL}")` : '1';
  return `import java.time.Instant
import java.util.{ArrayList, Arrays, List => JavaList}
import org.apache.hadoop.hbase.client._
import org.apache.hadoop.hbase.util.Bytes
object ${table}Driver {
  private def bytes(digits: String): Array[Byte] = Bytes.fromHex(digits)
  private def keys(rows: IterableOnce[Result]): JavaList[String] = {
    val keys = new ArrayList[String]
    rows.iterator.foreach(row => keys.add(Bytes.toHex(row.getRow)))
    keys
  }
  def write(connection: Connection, records: JavaList[JavaList[String]]): Unit = {
    ${table}Writer.main(Array.empty)
    val rows = ${table}Writer.open(connection)
    records.forEach(row => rows.mutate(${table}Writer.${call}(${[...values, cell].join(', ')})))
    rows.close()
  }
  def run(connection: Connection): JavaList[JavaList[String]] = {
    ${table}Reader.main(Array.empty)
    Arrays.asList(
${calls.join(',\n')}
    )
  }
}
`;
}

/** A value of a record as Python takes it. @type {Record<string, (value: string | number) => string>} */
const PYTHON = {
  text: (value) => JSON.stringify(value),
  integer: (value) => String(value),
  time: (value) => `EPOCH + timedelta(milliseconds=${value})`,
};

/**
 * A script that writes tables through the gateway, then reads them: their keys, and the rows of each query.
 * @param {Record<string, string>} sources of writers and readers, by file
 * @param {{ fields: Field[], rows: Record<string, string | number>[], counted: string, asked: Record<string, string> }} how counted:
 * the table of counters; asked: readers whose checks have the values, by table
 */
export function pythonDriver(sources, { fields, rows, counted, asked }) {
  const tables = Object.keys(sources).flatMap((file) => /^(\w+)_reader\.py$/.exec(file)?.[1] ?? []);
  const records = rows.map(
    (row) => `    (${fields.map(({ name, type }) => PYTHON[type](row[name])).join(', ')}),`,
  );
  const written = tables.map((table) => {
    const writer = sources[`${table}_writer.py`];
    const [, declared] = /** @type {RegExpExecArray} */ (/^def (?:put|increment)\((.*)\):$/m.exec(writer));
    const values = given(declared, fields).map(({ at }) => `row[${at}]`);
    const put = [`batch`, ...values, `bytes.fromhex("${CELL}")`].join(', ');
    const increment = ['table', ...values, '1'].join(', ');
    const each = `    for row in RECORDS:\n        ${table}_writer.put(${put.replace('batch', 'table')})`;
    // Cells with timestamps of their own are put without a batch.
    const put_ = writer.includes('def put(table, ')
      ? each
      : `    with ${table}_writer.batch(connection) as batch:\n        for row in RECORDS:\n            ${table}_writer.put(${put})`;
    const add = `    for row in RECORDS:\n        ${table}_writer.increment(${increment})`;
    return `def write_${table}(connection, table):\n${table === counted ? add : put_}\n`;
  });
  const read = tables.map((table) => {
    const reader = sources[`${table}_reader.py`];
    const calls = [...asked[table].matchAll(CHECKS.python)].map(([, , name, values]) => {
      const tested = new RegExp(`def ${name}\\([^)]*\\bmatching\\b`).test(reader);
      const all = ['connection', ...(values ? [values] : []), ...(tested ? ['lambda row: True'] : [])];
      return `        keys(${table}_reader.${name}(${all.join(', ')})),`;
    });
    return `def read_${table}(connection):\n    return [\n${calls.join('\n')}\n    ]\n`;
  });
  const all = tables.map(
    (table) => `    ("${table}", ${table}_writer, ${table}_reader, write_${table}, read_${table}),`,
  );
  return `import json
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import happybase

${tables.map((table) => `import ${table}_reader\nimport ${table}_writer`).join('\n')}

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
RECORDS = [
${records.join('\n')}
]


def keys(rows):
    return [row.hex() for row, columns in rows]


${[...written, ...read].join('\n\n')}

found = {"keys": [], "found": []}
connection = happybase.Connection("127.0.0.1", int(sys.argv[1]))
for name, writer, reader, write, read in [
${all.join('\n')}
]:
    writer.test()
    reader.test()
    connection.create_table(name, {"f": {}})
    table = connection.table(name)
    write(connection, table)
    found["keys"].append(keys(table.scan()))
    found["found"].append(read(connection))
print(json.dumps(found))
`;
}
