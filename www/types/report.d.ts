// Where records land, as the core counts it and as the page holds it.
import type { Problem } from './design.d.ts';

export type Region = {
  index: number;
  start: string;
  stop: string;
  rows: number;
  share: number;
  bytes: number;
  /** Rows that are reads, where the document says what tells them. */
  reads?: number;
};
export type TimeAxis = {
  field: string;
  start: number;
  step: number;
  buckets: number;
  outside?: number;
  /** The first and the last time in a bucket, in milliseconds; not of records that were only counted. */
  first?: number;
  last?: number;
};
export type Verdict = {
  code: string;
  severity: 'good' | 'warning' | 'bad';
  args: Record<string, string>;
  /** The headline, without a final full stop. */
  title: string;
  /** The evidence, then the cause or the next step. */
  detail: string;
  /** Headline and detail as one text. */
  message: string;
};
export type Refusal = { code: string; field: string | null; count: number; message: string };
export type Report = {
  rows: number;
  refused: { count: number; reasons: Refusal[]; first: Problem[] };
  keys: {
    count: number;
    bytes: number;
    min: number;
    max: number;
    mean: number;
    first: string;
    last: string;
    duplicates: {
      keys: number;
      rows: number;
      examples: { key: string; rows: number[] }[];
      estimated: boolean;
      /** For an estimate: 95% confidence intervals of the keys, then of the rows. */
      between?: [[number, number], [number, number]];
    };
  };
  time: TimeAxis | null;
  regionCount: number;
  regionsPerHeatRow: number;
  /** All regions; of very many, those with most rows. */
  regions: Region[];
  skew: {
    mean: number;
    median: number;
    max: number;
    maxOverMean: number;
    cv: number;
    gini: number;
    empty: number;
  };
  heat: Uint32Array;
  /**
   * Bytes of the row keys of each cell of `heat`: of a stream, and when `report({ keyBytes: true })` asks for
   * them.
   */
  keyBytes?: Float64Array;
  /** Reads of each cell of `heat`, where the document says what tells them. */
  reads?: Float64Array;
  moments: { rows: Uint32Array; largestShare: Float64Array; effective: Float64Array };
  busiest: { field: string; values: { value: string; rows: number }[] }[];
  /**
   * The load of each server: of as many as the design has, or `report({ servers })` says. None without a
   * time, or when regions are so many that the report counts several as one.
   */
  servers: (ServerLoad & { together: number }) | null;
  verdict: Verdict;
};

/** A figure and its 95% interval; a figure that was counted has none. */
export type Figure = { value: number; low: number; high: number };
/**
 * The values of a field or of the leading parts of a key: how many different ones, and those with most rows.
 */
export type ValueCounts = {
  /** Name of the field, or the parts as the formula has them. */
  of: string;
  rows: number;
  distinct: Figure;
  /** Rows that are an estimate are an upper bound. */
  busiest: { value: string; rows: Figure }[];
};
/** Result of `Analysis.known(document, most)` and `Stream.known(most)`. */
export type Known = {
  fields: ValueCounts[];
  leading: ValueCounts[];
  queries: ({ read: number; returned: number } | null)[];
  sampled: number;
  /** By how much a share estimated from the sample may be off, 19 times of 20; 0 when all rows are in it. */
  shareOffBy: number;
};
/** Result of `Stream.fine(ranges)`: sampled rows by time and by key ranges finer than regions. */
export type Fine = {
  /** Start row of each range; the first is empty. */
  starts: string[];
  time: { start: number; span: number; buckets: number };
  /** Sampled rows in the picture; they stand for `rows`. */
  sampled: number;
  rows: number;
  /** Sampled rows, range-major. */
  heat: Uint32Array;
};

/** Metrics that the cells of a picture can count. */
export type Metric = 'rows' | 'bytes' | 'share' | 'reads' | 'writes';

/**
 * The picture of a report, small enough to hand over and draw at once: at most `MOST_BANDS` bands of regions.
 * A band is one region until there are more regions than bands.
 */
export type Picture = {
  /** Metric of its cells. For shares, `sum` counts rows. */
  metric: Metric;
  bands: number;
  buckets: number;
  /**
   * First region of each band, and the number of regions at the end; of a part, with what of its region lies
   * below it.
   */
  edges: Uint32Array | Float64Array;
  /** Start key of each band's first region. */
  starts: string[];
  /**
   * The cells of `peak`, of parts a row for each slot, as codes, evenly over the logarithm; `one` is the
   * factor that makes the least worth telling apart 1.
   */
  codes: Uint16Array;
  /** The busiest cell. */
  top: number;
  one: number;
  /** Busiest row of heat of each band, band-major: bands × buckets. */
  peak: Uint32Array | Float64Array;
  /** Rows of all regions of each band; the same array as `peak` when a band is one row of heat. */
  sum: Uint32Array | Float64Array;
  /** Where bands begin among all keys, from 0 to 1, and the end: where they are parts of regions. */
  places?: Float64Array;
  parts?: Parts;
  /** Prefix sums of `sum` for large pictures: see `heat/sums.js`. */
  sums?: Float64Array;
  /** Rows of each band over all time. */
  rows: Float64Array;
  /** Rows of the busiest region of each band over all time. */
  most: Float64Array;
};

/** Regions that are shown in parts, each a range of keys with about as many rows; other regions are whole. */
export type Parts = {
  /** The first of them. */
  from: number;
  /** The region after the last. */
  to: number;
  /** Rows of the bitmap a region: a part takes one or more. */
  slots: number;
  /** How many keys that are held sort below each band. */
  ranks: Float64Array;
  /** When rows are reckoned from a sample: its rows, and those of all records. */
  sample: { rows: number; of: number } | null;
};

/** Regions as columns, ascending: all of them, or of very many those with most rows. */
export type Listed = {
  complete: boolean;
  indices: Uint32Array;
  rows: Float64Array;
  /** Keys that sort below each. */
  before: Float64Array;
};

/** A report as the page holds it: the regions as columns, the heat as a picture. */
export type View = Omit<Report, 'regions' | 'heat' | 'reads'> & {
  /** True if reads and writes are counted separately. */
  tellsReads: boolean;
  listed: Listed;
  /** Keys that are held: all, or those of a sample. */
  held: number;
  /**
   * When not all records could be held: how many were sampled, of how many, and whether the counts are of
   * all.
   */
  sample: { rows: number; of: number; exact: boolean } | null;
  /** The regions with most rows, most first. */
  busiestRegions: Region[];
  /** The first regions in key order. */
  firstRegions: Region[];
  picture: Picture;
};

/** A picture of another metric, or of finer moments, than a report's own. */
export type Sheet = { picture: Picture; moments: Report['moments']; time: TimeAxis | null };

/** Regions on servers in turn, over time. */
export type ServerLoad = {
  servers: number;
  /** Rows of each over all time. */
  rows: number[];
  /** Share of the busiest in each stretch of time. */
  busiest: number[];
  /** Servers' worth of throughput: n when all take the same. */
  throughput: number;
  /** Rows of each in each stretch, server after server. */
  load: Float64Array;
  stretches: number;
};

export type KeyPage = {
  first: number;
  bytes: Uint8Array;
  ends: Uint32Array;
  rows: Uint32Array;
  /** The number of each row in the file, from 1. */
  numbers: Float64Array;
  times: Float64Array;
  spans: Uint32Array;
  parts: number;
};
