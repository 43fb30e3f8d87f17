import * as core from '#core';
import { beginWork, breathe, stopIfCancelled } from './stopping.js';

/** @import { SearchOptions, SearchProgress, Suggestions } from '../types.d.ts' */

/** Milliseconds of a step of the search: progress and a cancel wait for its end. */
const STEP = 40;

/**
 * Row keys for a study and records, searched in steps.
 * @param {core.Records} records
 * @param {{ study: string, options?: SearchOptions }} ask the study as JSON text
 * @param {(progress: SearchProgress) => void} progress
 * @returns {Promise<Suggestions>}
 */
export async function suggestionsOf(records, { study, options = {} }, progress) {
  beginWork();
  const search = new core.Search(records, study, JSON.stringify(options));
  try {
    for (;;) {
      progress({ stage: 'search', ...search.progress() });
      await breathe();
      stopIfCancelled();
      const found = search.step(STEP);
      if (found) return found;
    }
  } finally {
    search.free();
  }
}
