// Existing tables, and the splits and merges that change them.
import { call, optionsOf } from './error.js';
import { textOf } from './given.js';
import { json } from './splits.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Problem } from './error.js' */
/** @import { Splits } from './splits.js' */
/** @import { RegionStep } from './compare.js' */

/**
 * A region of an existing table. Rows are in `\xNN` notation.
 * @typedef {object} ExistingRegion
 * @property {string} start
 * @property {string} stop
 * @property {string | null} server
 * @property {number | null} megabytes
 * @property {number | null} requests
 * @property {string | null} encoded its encoded name in the cluster
 */

/**
 * Something to do with a region: cut it, take it to another server, or merge it with its right neighbor.
 * @typedef {{ action: 'split' | 'move' | 'merge', region: number, to?: string }} TableAct
 */

/**
 * Where the requests of a table go, or its bytes if no request is known.
 * @typedef {object} TableJudgement
 * @property {boolean} hot whether a server or a region takes far more than its share
 * @property {Problem} verdict the headline
 * @property {number[]} regions the regions that it names, by their index in `regions` of the table
 * @property {number} share their share, between 0 and 1
 * @property {{ server: string, regions: number, share: number }[]} servers busiest first; shares are between 0 and 1
 * @property {TableAct[]} acts moves, then splits, then merges; regions by their index in `regions`
 * @property {string} commands the same as commands of the HBase shell
 */

/**
 * An existing table.
 * @typedef {object} ExistingTable
 * @property {string} name empty if the text does not name it
 * @property {ExistingRegion[]} regions
 * @property {string[]} points split points
 * @property {{ name: string, compression: string, versions: number | null, ttl: number | null,
 *   settings: Record<string, string> }[]} families
 * @property {string[]} keys row keys, if the text is a sample of them
 * @property {TableJudgement | null} judgement `null` without figures of its regions
 */

/**
 * The tables that a text describes.
 * @typedef {object} Existing
 * @property {('list_regions' | 'get_splits' | 'describe' | 'meta' | 'splits' | 'keys')[]} forms the detected formats
 * @property {ExistingTable[]} tables
 * @property {Problem[]} problems unreadable lines, and contradictions
 */

/**
 * Reads HBase shell output about tables (`list_regions`, `get_splits`, `describe`, `scan 'hbase:meta'`, the scan of a table, a
 * whole session), `create` commands, a file of split points, or row keys, one per line.
 * @param {string} text
 * @param {{ plain?: 'splits' | 'keys' }} [options] plain: how to read lines that are not shell output
 * @returns {Existing}
 */
export function existingTables(text, options) {
  const { plain } = optionsOf(options, ['plain']);
  return call(() => wasm.existingTables(textOf(text, 'text'), plain));
}

/**
 * The fewest splits and merges that lead from the regions of one table to those of another.
 * @param {Splits} from
 * @param {Splits} to
 * @returns {RegionStep[]}
 */
export const reshape = (from, to) => call(() => wasm.reshape(json(from), json(to)));
