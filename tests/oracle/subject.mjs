// What the package says: the npm tarball, packed, installed in a folder of its own, and asked there.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from '../../scripts/run.mjs';

/** @typedef {import('./records.mjs').Field} Field */

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
  // The table of steps is not part of what the package offers; it only says what to try.
  const inside = join(project, 'node_modules', 'rowscape', 'dist', 'npm', 'wasm', 'rowscape.js');
  return new Subject(rowscape, (await import(pathToFileURL(inside).href)).steps());
}

/** The package as its users have it. */
class Subject {
  /** @param {any} rowscape @param {import('./formulas.mjs').Step[]} steps */
  constructor(rowscape, steps) {
    this.rowscape = rowscape;
    this.steps = steps;
  }

  /** What it says, or undefined when it refuses. @template T @param {() => T} ask @returns {T | undefined} */
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
