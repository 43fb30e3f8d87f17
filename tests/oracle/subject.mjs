// The package under test: the npm tarball, installed in its own folder and called there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as core from '#core';
import { npm, ROOT } from '../../scripts/run.mjs';

/** @typedef {import('./records.mjs').Field} Field */
/** The package's description of a part of a formula. @typedef {{ fields: string[], oneToOne: boolean, selfDelimiting: boolean }} Part */

/** Packs the project and installs the tarball. @param {string} folder an empty one */
export async function install(folder) {
  npm(['pack', '--pack-destination', folder, '--ignore-scripts', '--loglevel=error'], { quiet: true });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "asks-rowscape", "private": true, "type": "module" }\n',
  );
  const how = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  npm(['install', ...how, '--prefix', project, join(folder, tarball)], { quiet: true });
  // A module within that project, so that the name `rowscape` is looked up as a user's would be.
  const asks = join(project, 'asks.mjs');
  writeFileSync(asks, "export * from 'rowscape';\n");
  const rowscape = await import(pathToFileURL(asks).href);
  // Not all of what the core can do is part of what the package offers: the page has it.
  core.initSync({ module: readFileSync(join(ROOT, 'dist', 'wasm', 'whole.wasm')) });
  return new Subject(rowscape, core);
}

/** The package as its users have it. */
class Subject {
  /** @param {any} rowscape @param {any} wasm the core's own functions */
  constructor(rowscape, wasm) {
    this.rowscape = rowscape;
    this.wasm = wasm;
    /** The table of steps; it says what to try. @type {import('./formulas.mjs').Step[]} */
    this.steps = wasm.steps();
  }

  /** The answer, or undefined if the package rejects the input. @template T @param {() => T} ask @returns {T | undefined} */
  #orRefused(ask) {
    try {
      return ask();
    } catch (error) {
      if (error instanceof this.rowscape.RowscapeError) return;
      throw error;
    }
  }

  /** A design; undefined when the package refuses the formula or the splits. @param {object} document */
  design(document) {
    return this.#orRefused(() => this.rowscape.parseDesign({ rowscape: 1, ...document }));
  }

  /**
   * The key of each record, undefined for a refused one.
   * @param {any} design
   * @param {string[][]} records
   * @returns {(Uint8Array | undefined)[]}
   */
  keys(design, records) {
    const columns = design.fields.map((/** @type {Field} */ { name }, /** @type {number} */ at) => [
      name,
      records.map((record) => record[at]),
    ]);
    return [...design.encodeColumns(Object.fromEntries(columns))].map((key) => key?.slice());
  }

  /** The split points; undefined when it refuses the splits. @param {any} design @returns {Uint8Array[] | undefined} */
  points(design) {
    return this.#orRefused(() => design.splitPoints);
  }

  /** The parts of a formula. @param {string} rowkey @param {Field[]} fields @returns {Part[]} */
  parts(rowkey, fields) {
    return this.wasm.checkFormula(rowkey, fields).parts;
  }

  /**
   * A key read back; undefined when the package says that the design can't have made it.
   * @param {any} design
   * @param {Uint8Array} key
   * @returns {{ fields: { value: string | null }[] } | undefined}
   */
  decoded(design, key) {
    return this.#orRefused(() => design.decode(key));
  }

  /**
   * The plan of the first query of a document; undefined when it refuses the query.
   * @param {string} document
   * @returns {any}
   */
  plan(document) {
    const { plans, problems } = this.wasm.plan(document);
    return problems.length || plans[0].problems.length ? undefined : plans[0];
  }

  /**
   * Counts the rows that queries read and return, on these records.
   * @param {Field[]} fields
   * @param {string[][]} records
   * @param {string} document
   * @returns {(document: string) => { read: number, returned: number }} for the first query of a document
   */
  counts(fields, records, document) {
    const quoted = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
    const lines = [fields.map(({ name }) => name), ...records].map((line) => line.map(quoted).join());
    const held = new this.wasm.Records({ format: 'csv', fields });
    held.push(Buffer.from(`${lines.join('\n')}\n`));
    held.finish();
    const analysis = new this.wasm.Analysis(held, document);
    held.free();
    return (asked) => analysis.queries(asked)[0];
  }

  /** Storage of rows. @param {object} document @param {Uint8Array[]} keys @returns {any} */
  storage(document, keys) {
    const lengths = keys.map((key) => key.length);
    const bytes = lengths.reduce((sum, length) => sum + length, 0);
    const measured = { count: keys.length, bytes, min: Math.min(...lengths), max: Math.max(...lengths) };
    return this.wasm.storage(JSON.stringify(document), 0, measured, keys.length);
  }

  /** Bytes of the rows and cells of records. @param {{ fields: Field[] }} document @param {string[][]} records */
  async stored(document, records) {
    const design = this.rowscape.parseDesign(document);
    const named = document.fields.map(({ name }) => name);
    const lines = records.map((record) =>
      JSON.stringify(Object.fromEntries(record.map((value, at) => [named[at], value]))),
    );
    const { report } = await design.analyze(lines.join('\n'));
    return this.wasm.storage(JSON.stringify(document), 0, report.keys, report.keys.count);
  }

  /**
   * The versions that records leave in a table, and the bytes of their cells.
   * @param {{ fields: Field[] }} document @param {string[][]} records @returns {Promise<{ storage: any, versions: any }>}
   */
  async model(document, records) {
    const design = this.rowscape.parseDesign(document);
    const named = document.fields.map(({ name }) => name);
    const lines = records.map((record) =>
      JSON.stringify(Object.fromEntries(record.map((value, at) => [named[at], value]))),
    );
    const { report, versions } = await design.analyze(lines.join('\n'));
    const storage = this.wasm.storage(JSON.stringify(document), 0, report.keys, report.keys.count);
    return { storage, versions };
  }

  /** Problems of a row with one cell of so many bytes. @param {number} bytes @returns {string[]} codes */
  storageProblems(bytes) {
    const cells = [{ qualifier: 'q', bytes: bytes - 20 - 8 - 2 }];
    const fields = [{ name: 'n', type: 'integer' }];
    const document = {
      rowscape: 1,
      fields,
      rowkey: 'n.int64()',
      table: { families: [{ name: 'd', cells }] },
    };
    const { problems } = this.wasm.storage(JSON.stringify(document), 0, undefined, 1);
    return problems.map((/** @type {{ code: string }} */ { code }) => code);
  }

  /** The days of a simulated table. @param {object} spec @returns {{ regions: number }[]} */
  days(spec) {
    return this.wasm.simulate(spec).days;
  }

  /** Bytes in the shell's notation as bytes. @param {string} text @returns {Uint8Array} */
  bytes(text) {
    return this.rowscape.bytes.toBytesBinary(text);
  }

  /** The stop row of a prefix. @param {Uint8Array} prefix @returns {Uint8Array} */
  stopOf(prefix) {
    return this.rowscape.bytes.prefixScan(prefix).stopRow;
  }

  /** Bytes in the shell's notation. @param {Uint8Array} bytes @returns {string} */
  notation(bytes) {
    return this.rowscape.bytes.toStringBinary(bytes);
  }

  /**
   * The records whose keys a scan returns, in order. Records of one key keep theirs.
   * @param {(Uint8Array | undefined)[]} keys
   */
  scans(keys) {
    const { compare } = this.rowscape.bytes;
    const sorted = keys.flatMap((key, record) => (key ? [{ key, record }] : []));
    sorted.sort((a, b) => compare(a.key, b.key) || a.record - b.record);
    return (/** @type {Uint8Array} */ start, /** @type {Uint8Array} */ stop) =>
      sorted
        .filter(({ key }) => compare(key, start) >= 0 && (!stop.length || compare(key, stop) < 0))
        .map(({ record }) => record);
  }
}
