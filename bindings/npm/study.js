// Designs on records: side by side, one parameter varied, and the way from one to another.
import { column } from './columns.js';
import { Design } from './design.js';
import { call, wrongKind } from './error.js';
import { json } from './given.js';
import * as wasm from './wasm/rowscape.js';

/** @import { FieldValue } from './columns.js' */
/** @import { Problem } from './error.js' */

/** Records field by field: lists of equal length. @typedef {Record<string, ArrayLike<FieldValue>>} Columns */

/**
 * A measure of all that is compared.
 * @typedef {object} Line
 * @property {string} code stable, such as `measure.key-bytes`; its sentence is in the messages of the page
 * @property {string} unit what it counts; a `share` is a part of 1
 * @property {'more' | 'less' | 'neither'} better
 * @property {(number | null)[]} values one each, `null` where it has none
 * @property {('same' | 'better' | 'worse' | 'other' | 'unknown')[]} changes how each stands against the first
 * @property {([number, number] | null)[]} [between] of a sample: between which figures the truth lies, 19 times of 20
 */

/** @typedef {{ name: string, lines: Line[] }} QueryLines */

/**
 * A figure that matters most, of a design and of the first: of its hottest region, of a query, or of its bytes.
 * @typedef {{ query: string | null, code: string, unit: string, before: number, now: number }} LeadingFigure
 */

/**
 * Rows under one design against the same rows under another.
 * @typedef {object} Moves
 * @property {number} rows with a key under either
 * @property {number} rewritten those whose key is another
 * @property {number} moved those in a region of another number
 * @property {number | null} leastMoved those in another region when regions are matched so that as few as possible move
 * @property {([number, number] | null)[]} [between] of a sample: between which numbers the truth lies, 19 times of 20, of
 *   those rewritten, moved, and moved at least
 * @property {{ region: number, rows: number, moved: number }[]} regions by region of the first design
 */

/**
 * Designs side by side; the first is what the others are held against.
 * @typedef {object} Comparison
 * @property {number} rows
 * @property {number} sampled records looked at: all, or a uniform sample of many
 * @property {boolean} equalShares whether each key was cut into equal shares of the records, as many as its design has regions
 * @property {{ name: string, rowkey: string, findings: string[], leading: LeadingFigure[], better: string[], worse: string[], moves: Moves | null }[]} designs
 * @property {Line[]} lines
 * @property {QueryLines[]} queries the queries of the first document under each design
 */

/**
 * What can be varied of a design: `regions`, a `number` in its formulas, or the `order` of the parts of the key.
 * @typedef {object} Parameter
 * @property {'regions' | 'number' | 'order'} parameter
 * @property {number} [number] which number, counted from 0
 * @property {string} [step] the step or source that takes it
 * @property {number} [value] what it is now
 * @property {string} text the call, or the parts
 */

/**
 * Variants of a design; the first is the design as it is.
 * @typedef {object} Sweep
 * @property {Parameter} parameter
 * @property {number} rows
 * @property {number} sampled records looked at: all, or a uniform sample of many
 * @property {number} shareError by what any share may be off, 19 times of 20
 * @property {{ setting: number | number[] | null, rowkey: string, splits: object, problem: Problem | null }[]} variants
 * @property {Line[]} lines
 * @property {QueryLines[]} queries
 */

/**
 * A split of a region, or a merge of neighbours. Rows are in `\xNN` notation.
 * @typedef {{ round: number, action: 'split' | 'merge', start: string, stop: string, at: string[] }} RegionStep
 */

/**
 * The way from one design to another.
 * @typedef {object} Migration
 * @property {'nothing' | 'reshape' | 'in-place' | 'new-table'} way
 * @property {Moves | null} moves
 * @property {Problem[]} steps what to do, in order
 * @property {Problem[]} clients what clients do while both designs exist
 * @property {Problem[]} checks what to check before the old design goes
 * @property {RegionStep[]} reshape
 * @property {{ name: string, before: number, meanwhile: number, after: number }[]} queries scan ranges
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
 * Runs `work` with records in the wasm module.
 * @template T
 * @param {Design} design whose fields they have
 * @param {Columns} columns
 * @param {(records: wasm.Records) => T} work
 * @returns {T}
 */
function withRecords(design, columns, work) {
  if (typeof columns !== 'object' || columns === null) throw wrongKind('columns', 'an object', columns);
  const rows = Math.max(0, ...design.fields.map(({ name }) => columns[name]?.length ?? 0));
  const missing = new Array(rows).fill(null);
  const given = new wasm.Columns();
  try {
    for (const field of design.fields) {
      const { bytes, ends, missing: none, format } = column(field, columns[field.name] ?? missing);
      given.add(bytes, ends, none, format);
    }
    const records = wasm.Records.ofColumns(textOf(design), given);
    try {
      return work(records);
    } finally {
      records.free();
    }
  } finally {
    given.free();
  }
}

/**
 * Designs on the same records, every figure side by side.
 * @param {readonly Design[]} designs two or more; the first is what the others are held against, and its fields are those
 *   of the records
 * @param {Columns} columns
 * @param {{ splits?: 'equal' | 'designed' }} [options] other keys under equal shares of the records, unless splits are to be
 *   those that are designed
 * @returns {Comparison}
 */
export function compare(designs, columns, { splits = 'equal' } = {}) {
  if (!Array.isArray(designs) || !designs.length)
    throw wrongKind('designs', 'a list of at least two designs', designs);
  const { texts, tables } = documents(designs);
  const [first] = designs;
  return call(() =>
    withRecords(first, columns, (records) => wasm.compare(records, texts, tables, splits === 'designed')),
  );
}

/**
 * What can be varied of a design.
 * @param {Design} design
 * @returns {Parameter[]}
 */
export const parameters = (design) => call(() => wasm.parameters(textOf(design), design.name));

/**
 * Varies a parameter of a design: curves of the spread of writes against what reads cost and the bytes of keys.
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
 * The way from one design to another, with figures when there are records.
 * @param {Design} from
 * @param {Design} to
 * @param {Columns} [columns]
 * @returns {Migration}
 */
export function migration(from, to, columns = {}) {
  const { texts, tables } = documents([from, to]);
  return call(() => withRecords(from, columns, (records) => wasm.migration(records, texts, tables)));
}
