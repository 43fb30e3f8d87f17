import * as core from '#core';
import { beginWork, Cancelled, giveWay, stopIfCancelled } from './stopping.js';

/** @import { SearchOptions, SearchProgress, Suggestions } from '../types.d.ts' */

/** Milliseconds of a step of the search: progress and a cancel wait for its end. */
const STEP = 40;

/** The search under way. @type {core.Search | null} */
let current = null;

/** Ends the search under way at its next rest, and no other work. */
export function stopSearch() {
  current = null;
}

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
  // A later search takes the place of an earlier one.
  current = search;
  try {
    for (;;) {
      progress({ stage: 'search', ...search.progress() });
      await giveWay();
      stopIfCancelled();
      if (current !== search) throw new Cancelled();
      const found = search.step(STEP);
      if (found) return found;
    }
  } finally {
    search.free();
  }
}
