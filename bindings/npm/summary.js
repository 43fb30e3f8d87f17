// Summaries as files: counts of records that merge.
import { headline } from './analyze.js';
import { call, optionsOf, RowscapeError, wrongKind } from './error.js';
import { bytesOf, textOf } from './given.js';
import { read, unfinished } from './reading.js';
import * as wasm from './wasm/rowscape.js';

/** @import { Headline, Report } from './analyze.js' */
/** @import { Finding } from './finding.js' */
/** @import { KindSources, ReadOptions, Source } from './reading.js' */
/** @import { Field } from './rowkeys.js' */

/** A part of the records that was summarized by itself. @typedef {{ id: string, rows: number, name: string }} SummaryPart */

/**
 * The analysis of a summary. `report` counts all rows; `findings` are about `sampled` of them, or about the design alone if the
 * summary has no samples.
 * @typedef {{ headline: Headline, report: Report, findings: Finding[], rows: number, sampled: number | null }} SummaryAnalysis
 */

/** The handle of a summary in the wasm module. @type {(summary: Summary) => wasm.Summary} */
let held;

/** Counts of records under all tables of a design document. Create it with `design.summarize` or {@link openSummary}. */
export class Summary {
  static {
    held = (summary) => summary.#held;
  }

  /** @type {wasm.Summary | undefined} */
  #handle;

  /** @param {wasm.Summary} handle */
  constructor(handle) {
    this.#handle = handle;
    /** Number of records. @type {number} */
    this.rows = handle.rows;
    /** Number of sampled rows; null if samples were left out. @type {number | null} */
    this.sampled = handle.sampled ?? null;
    /** The parts that it is made of. @type {readonly SummaryPart[]} */
    this.parts = handle.parts();
  }

  get #held() {
    if (this.#handle) return this.#handle;
    const message = 'the summary was freed; open it again';
    throw new RowscapeError({ code: 'value.freed', place: {}, args: {}, message });
  }

  /** The design document in normal form. @returns {Record<string, unknown>} */
  get document() {
    return JSON.parse(call(() => this.#held.document()));
  }

  /**
   * Where all rows land under a table, exactly, and the findings about the sampled rows.
   * @param {{ table?: string | number }} [options] table: name or 0-based index, if the document has several
   * @returns {SummaryAnalysis}
   */
  analyze(options) {
    const { table } = optionsOf(options, ['table']);
    return call(() => {
      const number = this.#held.tableNumber(table === undefined ? undefined : String(table));
      const [report, findings] = [this.#held.report(number), this.#held.findings(number)];
      return {
        headline: headline(report, findings),
        report,
        findings,
        rows: this.rows,
        sampled: this.sampled,
      };
    });
  }

  /**
   * The same counts without sampled rows, keys and values.
   * @returns {Summary}
   */
  withoutSamples() {
    return call(() => new Summary(this.#held.withoutSamples()));
  }

  /**
   * The bytes of the file, as `rowscape merge` and `rowscape analyze` read them.
   * @returns {Uint8Array}
   */
  toBytes() {
    return call(() => this.#held.toBytes());
  }

  /** Frees its memory in the wasm module. This also happens automatically once the object is unreachable. */
  free() {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose]() {
    this.free();
  }
}

/**
 * Opens a summary file.
 * @param {Uint8Array} bytes
 * @returns {Summary}
 * @throws {RowscapeError} if it is no summary, damaged, or of a version that this build does not read
 */
export const openSummary = (bytes) => call(() => new Summary(new wasm.Summary(bytesOf(bytes, 'bytes'))));

/**
 * Adds up summaries of one design, each of other records.
 * @param {readonly (Summary | Uint8Array)[]} parts summaries, or the bytes of their files
 * @returns {Summary}
 * @throws {RowscapeError} `summary.other-design` for another design or other split points, with the path of the first difference;
 *   `summary.part-twice` for a part that comes twice
 */
export function mergeSummaries(parts) {
  if (!Array.isArray(parts) || !parts.length)
    throw wrongKind('parts', 'at least one summary in a list', parts);
  return call(() => {
    /** @type {wasm.Summary | undefined} */
    let whole;
    try {
      for (const part of parts) {
        const opened = part instanceof Summary ? held(part).copy() : new wasm.Summary(bytesOf(part, 'parts'));
        if (!whole) {
          whole = opened;
          continue;
        }
        try {
          whole.merge(opened);
        } finally {
          opened.free();
        }
      }
      const merged = new Summary(/** @type {wasm.Summary} */ (whole));
      whole = undefined;
      return merged;
    } finally {
      whole?.free();
    }
  });
}

/**
 * Reads records that are whole.
 * @template T
 * @param {StudyOfKinds} of
 * @param {Source | KindSources} source
 * @param {ReadOptions} options
 * @param {(records: wasm.Records) => T} use
 * @returns {Promise<T>}
 */
async function using(of, source, options, use) {
  const records = await read(of.fields, source, options, of);
  try {
    const broken = unfinished(records);
    if (broken) throw new RowscapeError(broken);
    return call(() => use(records));
  } finally {
    records.free();
  }
}

/** A design document, its fields, and a table of it with its kinds. @typedef {{ document: string, fields: readonly Field[], table: number, kinds: readonly string[] }} StudyOfKinds */

/**
 * @param {StudyOfKinds} of
 * @param {Source | KindSources} source
 * @param {ReadOptions & { part?: string, samples?: boolean }} options
 */
export async function summarize(of, source, options) {
  const { name, part = '', samples = true } = options;
  textOf(part, 'part');
  const given = /** @type {{ name?: unknown }} */ (source)?.name;
  const file = name ?? (typeof given === 'string' ? given : undefined);
  return using(of, source, options, (records) => {
    return new Summary(wasm.Summary.of(records, of.document, file, part, !samples));
  });
}

/**
 * @param {StudyOfKinds} of
 * @param {Source | KindSources} source
 * @param {ReadOptions} options
 */
export const fixed = (of, source, options) =>
  using(of, source, options, (records) => JSON.parse(wasm.fixedSplits(records, of.document)));
