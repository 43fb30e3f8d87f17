// Tables as they are, and the way from there.
import { call } from './error.js';
import { textOf } from './given.js';
import { json } from './splits.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Problem } from './error.js' */
/** @import { Splits } from './splits.js' */
/** @import { RegionStep } from './study.js' */

/**
 * A region of a table as it is. Rows are in `\xNN` notation.
 * @typedef {object} ExistingRegion
 * @property {string} start
 * @property {string} stop
 * @property {string | null} server
 * @property {number | null} megabytes
 * @property {number | null} requests
 * @property {string | null} encoded its name in the cluster
 */

/**
 * A table as it is.
 * @typedef {object} ExistingTable
 * @property {string} name empty when the text does not tell
 * @property {ExistingRegion[]} regions
 * @property {string[]} points
 * @property {{ name: string, compression: string, versions: number | null, ttl: number | null,
 *   settings: Record<string, string> }[]} families
 * @property {string[]} keys of a sample of row keys
 */

/**
 * What a text tells of tables.
 * @typedef {object} Existing
 * @property {('list_regions' | 'get_splits' | 'describe' | 'meta' | 'splits' | 'keys')[]} forms what it was taken for
 * @property {ExistingTable[]} tables
 * @property {Problem[]} problems what could not be read, with its line, and what does not fit together
 */

/**
 * Reads what HBase's shell prints of tables (`list_regions`, `get_splits`, `describe`, `scan 'hbase:meta'`, the scan of a table, a
 * whole session), the `create` command, a file of split keys, or row keys one a line.
 * @param {string} text
 * @param {{ plain?: 'splits' | 'keys' }} [options] plain: what lines are that are none of the shell's
 * @returns {Existing}
 */
export function existingTables(text, { plain } = {}) {
  return call(() => wasm.existingTables(textOf(text, 'text'), plain));
}

/**
 * The fewest splits and merges from one way of splitting a table to another.
 * @param {Splits} from
 * @param {Splits} to
 * @returns {RegionStep[]}
 */
export const reshape = (from, to) => call(() => wasm.reshape(json(from), json(to)));
