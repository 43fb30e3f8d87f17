// Files of counts, opened as one.
import * as core from '#core';
import { MOST_VALUES } from './read-records.js';

/** @import { Known, Report } from '../types.d.ts' */

/**
 * Reads summary files and adds them up. `kept` is a sample of the records, empty where samples were left out.
 * @param {File[]} files
 */
export async function readSummaries(files) {
  const whole = await mergedOf(files);
  try {
    const document = whole.document();
    const { length } = JSON.parse(document).tables ?? [document];
    return {
      kept: whole.records(),
      rows: whole.rows,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      document,
      tables: Array.from({ length }, (_, table) => ({
        report: /** @type {Report} */ (whole.report(table)),
        known: /** @type {Known} */ (whole.known(table, MOST_VALUES)),
      })),
    };
  } finally {
    whole.free();
  }
}

/** @param {File[]} files */
async function mergedOf([first, ...others]) {
  const whole = await opened(first);
  try {
    for (const file of others) {
      const part = await opened(file);
      try {
        inFile(file, () => whole.merge(part));
      } finally {
        part.free();
      }
    }
    return whole;
  } catch (error) {
    whole.free();
    throw error;
  }
}

/** @param {File} file */
async function opened(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return inFile(file, () => new core.Summary(bytes));
}

/**
 * Names the file that an error is about.
 * @template T
 * @param {File} file
 * @param {() => T} use
 */
function inFile({ name }, use) {
  try {
    return use();
  } catch (error) {
    const { place } = /** @type {{ place?: { file?: string } }} */ (error);
    if (place) place.file ??= name;
    throw error;
  }
}
