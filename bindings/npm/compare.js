// Designs on records: comparison, variation of one parameter, and migration.
import { Design } from './design.js';
import { call, optionsOf, wrongKind } from './error.js';
import { json } from './given.js';
import { recordsOf } from './rowkeys.js';
import * as wasm from './wasm/rowscape.js';

/** @import { FieldValue } from './columns.js' */
/** @import { Problem } from './error.js' */
/** @import { Field } from './rowkeys.js' */

/** Records as one list per field, all of the same length. @typedef {Record<string, ArrayLike<FieldValue>>} Columns */

/**
 * One measure of a comparison.
 * @typedef {object} Line
 * @property {string} code stable, such as `measure.key-bytes`; its sentence is in the messages of the page
 * @property {string} unit of the values; a `share` is between 0 and 1
 * @property {'more' | 'less' | 'neither'} better
 * @property {(number | null)[]} values one per design, `null` if it has none
 * @property {('same' | 'better' | 'worse' | 'other' | 'unknown')[]} changes how each compares with the first
 * @property {([number, number] | null)[]} [between] for a sample: 95% confidence intervals
 */

/** @typedef {{ name: string, lines: Line[] }} QueryLines */

/**
 * One of the most important figures, for the first design (`before`) and this one (`now`): its hottest region, a query, or its
 * bytes.
 * @typedef {{ query: string | null, code: string, unit: string, before: number, now: number }} LeadingFigure
 */

/**
 * Rows under one design compared with the same rows under another.
 * @typedef {object} Moves
 * @property {number} rows rows with a key under either design
 * @property {number} rewritten rows with a different key
 * @property {number} moved rows in a region with another index
 * @property {number | null} leastMoved rows in another region if regions are matched so that as few rows as possible move
 * @property {([number, number] | null)[]} [between] for a sample: 95% confidence intervals of `rewritten`, `moved` and
 *   `leastMoved`
 * @property {{ region: number, rows: number, moved: number }[]} regions for each region of the first design
 */

/**
 * Designs compared on the same records; the first is the baseline.
 * @typedef {object} Comparison
 * @property {number} rows
 * @property {number} sampled number of records used: all, or a uniform sample
 * @property {boolean} equalShares true if each key was split into equal shares of the records, with as many regions as its design
 * @property {{ name: string, rowkey: string, findings: string[], leading: LeadingFigure[], better: string[], worse: string[], moves: Moves | null }[]} designs
 * @property {Line[]} lines
 * @property {QueryLines[]} queries the queries of the first document under each design
 */

/**
 * A parameter of a design that can be varied: `regions`, a `number` in its formulas, or the `order` of the parts of the key.
 * @typedef {object} Parameter
 * @property {'regions' | 'number' | 'order'} parameter
 * @property {number} [number] 0-based index of the number
 * @property {string} [step] the step or source that it belongs to
 * @property {string} [kind] the kind of records whose row key it is of, where the table has several
 * @property {number} [value] its current value
 * @property {string} text the call, or the parts of the key
 */

/**
 * Variants of a design; the first is the unchanged design.
 * @typedef {object} Sweep
 * @property {Parameter} parameter
 * @property {number} rows
 * @property {number} sampled number of records used: all, or a uniform sample
 * @property {number} shareError maximum error of any share (95% confidence)
 * @property {{ setting: number | number[] | null, rowkey: string, splits: object, problem: Problem | null }[]} variants
 * @property {Line[]} lines
 * @property {QueryLines[]} queries
 */

/**
 * A split of a region, or a merge of adjacent regions. Rows are in `\xNN` notation.
 * @typedef {{ round: number, action: 'split' | 'merge', start: string, stop: string, at: string[] }} RegionStep
 */

/**
 * A column family that differs between two designs of a table.
 * @typedef {object} FamilyAlter
 * @property {string} family
 * @property {'added' | 'removed' | 'altered'} change
 * @property {{ name: string, from: string, to: string }[]} settings as HBase names and writes them
 */

/**
 * A migration from one design to another.
 * @typedef {object} Migration
 * @property {'nothing' | 'alter' | 'reshape' | 'in-place' | 'new-table'} way
 * @property {Moves | null} moves
 * @property {Problem[]} steps what to do, in order
 * @property {Problem[]} clients what clients do while both designs exist
 * @property {Problem[]} checks what to check before you drop the old design
 * @property {FamilyAlter[]} families column families that are altered
 * @property {string} familyCommands commands of HBase's shell that alter them
 * @property {RegionStep[]} reshape splits and merges
 * @property {{ name: string, before: number, meanwhile: number, after: number }[]} queries number of scan ranges of each query
 */

/** The documents as JSON text, and the table meant in each. @param {readonly Design[]} designs */
const documents = (designs) => ({
  texts: designs.map(textOf),
  tables: designs.map(({ name }) => name),
});

/** The document of a design as JSON text. @param {Design} design */
function textOf(design) {
  if (!(design instanceof Design)) throw wrongKind('design', 'a design from parseDesign', design);
  return JSON.stringify(design.toJSON());
}

/**
 * Records held by the module; whoever asked for them frees them.
 * @param {string} document a design or study with these fields, as JSON text
 * @param {readonly Field[]} fields
 * @param {Columns} columns
 */
export function heldColumns(document, fields, columns) {
  const given = recordsOf(fields, columns);
  try {
    return wasm.Records.ofColumns(document, given);
  } finally {
    given.free();
  }
}

/**
 * Runs `work` with records in the wasm module.
 * @template T
 * @param {Design} design whose fields they have
 * @param {Columns} columns
 * @param {(records: wasm.Records) => T} work
 * @returns {T}
 */
function withRecords(design, columns, work) {
  const records = heldColumns(textOf(design), design.fields, columns);
  try {
    return work(records);
  } finally {
    records.free();
  }
}

/**
 * Compares designs on the same records.
 * @param {readonly Design[]} designs at least two; the first is the baseline, and its fields are those of the records
 * @param {Columns} columns
 * @param {{ splits?: 'equal' | 'designed' }} [options] splits: `equal` (default) splits every key into equal shares of
 *   the records; `designed` uses the split points of each design
 * @returns {Comparison}
 */
export function compare(designs, columns, options) {
  const { splits = 'equal' } = optionsOf(options, ['splits']);
  if (!Array.isArray(designs) || !designs.length)
    throw wrongKind('designs', 'a list of at least two designs', designs);
  const { texts, tables } = documents(designs);
  const [first] = designs;
  return call(() =>
    withRecords(first, columns, (records) => wasm.compare(records, texts, tables, splits === 'designed')),
  );
}

/**
 * The parameters of a design that can be varied.
 * @param {Design} design
 * @returns {Parameter[]}
 */
export const parameters = (design) => call(() => wasm.parameters(textOf(design), design.name));

/**
 * Varies a parameter of a design: the spread of writes, the cost of reads and the bytes of keys for each value.
 * @param {Design} design
 * @param {Columns} columns
 * @param {{ parameter: 'regions' | 'number' | 'order', number?: number, values?: number[] | number[][] }} asked
 * @returns {Sweep}
 */
export function sweep(design, columns, asked) {
  const wanted = json(asked, 'asked');
  const text = textOf(design);
  return call(() =>
    withRecords(design, columns, (records) => wasm.sweep(records, text, design.name, wanted)),
  );
}

/**
 * Plans the migration from one design to another, with figures if you pass records.
 * @param {Design} from
 * @param {Design} to
 * @param {Columns} [columns]
 * @returns {Migration}
 */
export function migration(from, to, columns = {}) {
  const { texts, tables } = documents([from, to]);
  return call(() => withRecords(from, columns, (records) => wasm.migration(records, texts, tables)));
}
