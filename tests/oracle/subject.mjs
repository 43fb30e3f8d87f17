// What the package says: the npm tarball, packed, installed in a folder of its own, and asked there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  // The package does not offer analyses yet: what it is made of is asked.
  const dist = join(project, 'node_modules', 'rowscape', 'dist', 'npm');
  const rowscape = await import(pathToFileURL(join(dist, 'wasm', 'rowscape.js')).href);
  rowscape.initSync({ module: readFileSync(join(dist, 'rowscape.wasm')) });
  return new Subject(rowscape);
}

/** A field of a CSV file. @param {string} text */
const cell = (text) => `"${text.replaceAll('"', '""')}"`;

/** The keys of records under a formula, with everything that is asked about them. */
class Keys {
  /** @param {any} analysis @param {number} records */
  constructor(analysis, records) {
    this.analysis = analysis;
    const { bytes, ends, rows } = analysis.keys(0, records);
    /** Records in the order of their keys. @type {number[]} */
    this.order = Array.from(rows);
    /** Key of each record, undefined for a refused one. @type {(Uint8Array | undefined)[]} */
    this.of = new Array(records).fill(undefined);
    this.order.forEach((row, at) => {
      this.of[row] = bytes.slice(at ? ends[at - 1] : 0, ends[at]);
    });
  }

  /** Index of the region of each record, -1 without a key. @param {object} splits */
  regions(splits) {
    const regions = new Array(this.of.length).fill(-1);
    let rank = 0;
    const report = this.analysis.report({ splits: JSON.stringify(splits) });
    report.regions.forEach((/** @type {{ rows: number }} */ { rows }, /** @type {number} */ region) => {
      for (const end = rank + rows; rank < end; rank++) regions[this.order[rank]] = region;
    });
    return regions;
  }

  /** The records of a scan, in order. @param {string} start @param {string} stop in the shell's notation, empty for the end */
  scan(start, stop) {
    return this.order.slice(this.analysis.rank(start), stop ? this.analysis.rank(stop) : undefined);
  }
}

/** The package as its users have it. */
class Subject {
  /** @param {any} rowscape */
  constructor(rowscape) {
    this.rowscape = rowscape;
    /** @type {import('./formulas.mjs').Step[]} */
    this.steps = rowscape.steps();
  }

  /** Whether it takes a formula. @param {string} rowkey @param {Field[]} fields */
  takes(rowkey, fields) {
    return this.rowscape.checkFormula(rowkey, fields).problems.length === 0;
  }

  /** The split points, in the shell's notation; undefined when it refuses the splits. @param {object} splits @returns {string[] | undefined} */
  points(splits) {
    const { points, problems } = this.rowscape.splitPoints(JSON.stringify(splits));
    return problems.length ? undefined : points;
  }

  /** @param {string} rowkey @param {Field[]} fields @param {string[][]} records */
  keys(rowkey, fields, records) {
    const reading = new this.rowscape.Records({ format: 'csv', header: false, fields });
    reading.push(
      new TextEncoder().encode(records.map((record) => `${record.map(cell).join(',')}\n`).join('')),
    );
    reading.finish();
    const analysis = new this.rowscape.Analysis(reading, JSON.stringify({ rowscape: 1, fields, rowkey }));
    return new Keys(analysis, records.length);
  }
}
