// Where records land: the reports of the core, and the page's form of them.
import type { Problem } from './design.d.ts';

export type Region = {
  index: number;
  start: string;
  stop: string;
  /** Different row keys where records are meant to share rows; else as many as records. */
  rows: number;
  records: number;
  /** Share of all records. */
  share: number;
  bytes: number;
  /** Rows that are reads, if the document distinguishes them. */
  reads?: number;
};
export type TimeAxis = {
  field: string;
  start: number;
  step: number;
  buckets: number;
  outside?: number;
  /** The first and the last time in a bucket, in milliseconds; absent if records were only counted. */
  first?: number;
  last?: number;
};
export type Verdict = {
  code: string;
  severity: 'good' | 'warning' | 'bad';
  args: Record<string, string>;
  /** The headline, without a final period. */
  title: string;
  /** The evidence, then the cause or the next step. */
  detail: string;
  /** Headline and detail in one string. */
  message: string;
};
export type Refusal = { code: string; field: string | null; count: number; message: string };
export type Report = {
  rows: number;
  refused: { count: number; reasons: Refusal[]; first: Problem[] };
  /** Rows with a key whose arrival could not be read. */
  untimed?: number;
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
      /** For each quarter of the records in order of time: how many, and how many are the first of their key. */
      quarters?: [number, number][];
      /** For an estimate: 95% confidence intervals of keys and of rows. */
      between?: [[number, number], [number, number]];
    };
    /** Where cells have formulas: different row keys, and the lengths of the qualifiers of each such cell. */
    cells?: { rows: number; columns: { qualifiers: { count: number } }[] };
  };
  time: TimeAxis | null;
  regionCount: number;
  regionsPerHeatRow: number;
  /** All regions; if there are very many, those with the most rows. */
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
  /** Bytes of the row keys in each cell of `heat`: for a stream, and with `report({ keyBytes: true })`. */
  keyBytes?: Float64Array;
  /** Reads in each cell of `heat`, if the document distinguishes them. */
  reads?: Float64Array;
  moments: { rows: Uint32Array; largestShare: Float64Array; effective: Float64Array };
  /** `between`: the least and the most rows of a value whose rows were not counted one by one. */
  busiest: { field: string; values: { value: string; rows: number; between?: [number, number] }[] }[];
  /**
   * The load of each server, for the number of servers in the design or in `report({ servers })`. Null
   * without a time, or if there are so many regions that the report counts several as one.
   */
  servers: (ServerLoad & { together: number }) | null;
  verdict: Verdict;
};

/** A figure and its 95% confidence interval; for a counted figure, both ends equal the value. */
export type Figure = { value: number; low: number; high: number };
/**
 * The values of a field or of the leading parts of a key: the number of distinct ones, and those with the
 * most rows.
 */
export type ValueCounts = {
  /** Name of the field, or the parts as in the formula. */
  of: string;
  rows: number;
  distinct: Figure;
  /** Estimated rows are an upper bound. */
  busiest: { value: string; rows: Figure }[];
};
/** Rows read and returned by a query. */
export type RowCount = {
  read: number;
  returned: number;
  /** The records of these rows, if some share one. */
  records?: { read: number; returned: number };
  /** True if they are estimated from a sample: of the records, or of the keys if all records were counted. */
  estimated?: boolean;
  /** True if they may be fewer, because records outside of the sample share rows, too. */
  atMost?: boolean;
};
/** The result of `Analysis.known(document, most)` and `Stream.known(most)`. */
export type Known = {
  fields: ValueCounts[];
  leading: ValueCounts[];
  queries: (RowCount | null)[];
  sampled: number;
  /**
   * Maximum error of a share estimated from the sample (95% confidence); 0 if the sample contains all rows.
   */
  shareOffBy: number;
};
/** The result of `Stream.fine(ranges)`: sampled rows by time and by key ranges finer than regions. */
export type Fine = {
  /** Start row of each range; the first is empty. */
  starts: string[];
  time: { start: number; span: number; buckets: number };
  /** Sampled rows in the picture; they stand for `rows`. */
  sampled: number;
  rows: number;
  /** Sampled rows, range by range. */
  heat: Uint32Array;
};

/** The quantity that the cells of a picture show. */
export type Metric = 'even' | 'rows' | 'bytes' | 'share' | 'reads' | 'writes';

/**
 * The picture of a report, small enough to transfer and draw at once: at most `MOST_BANDS` bands of regions.
 * Each band is one region unless there are more regions than bands.
 */
export type Picture = {
  /** The quantity of its cells. For shares, `sum` holds rows. */
  metric: Metric;
  bands: number;
  buckets: number;
  /**
   * First region of each band, with the number of regions at the end. For a part, plus the fraction of its
   * region below it.
   */
  edges: Uint32Array | Float64Array;
  /** Start key of each band's first region. */
  starts: string[];
  /**
   * The cells of `peak` as codes on an even logarithmic scale; for parts, one row per slot. `one` is the
   * factor that scales the smallest distinguishable value to 1.
   */
  codes: Uint16Array;
  /** Value of the busiest cell. */
  top: number;
  one: number;
  /** Busiest row of `heat` in each band, band by band: bands × buckets. */
  peak: Uint32Array | Float64Array;
  /** Rows of all regions in each band; the same array as `peak` if a band is one row of `heat`. */
  sum: Uint32Array | Float64Array;
  /** Start of each band among all keys, from 0 to 1, and the end; if bands are parts of regions. */
  places?: Float64Array;
  parts?: Parts;
  /** Summed-area table of `sum`, for large pictures: see `heat/sums.js`. */
  sums?: Float64Array;
  /** Rows of each band over all time. */
  rows: Float64Array;
  /** Rows of the busiest region of each band over all time. */
  most: Float64Array;
};

/**
 * Regions that are shown in parts, which are key ranges with about the same number of rows; other regions are
 * whole.
 */
export type Parts = {
  /** The first such region. */
  from: number;
  /** The region after the last one. */
  to: number;
  /** Bitmap rows per region; a part takes one or more. */
  slots: number;
  /** Number of loaded keys that sort below each band. */
  ranks: Float64Array;
  /** If rows are estimated from a sample: its rows, and those of all records. */
  sample: { rows: number; of: number } | null;
};

/** Regions as columns, ascending: all of them, or, if there are very many, those with the most rows. */
export type Listed = {
  complete: boolean;
  indices: Uint32Array;
  rows: Float64Array;
  /** Number of keys that sort below each region. */
  before: Float64Array;
};

/** The page's form of a report: regions as columns, `heat` as a picture. */
export type View = Omit<Report, 'regions' | 'heat' | 'reads'> & {
  /** True if reads are distinguished from writes. */
  tellsReads: boolean;
  listed: Listed;
  /** Number of loaded keys: all, or those of a sample. */
  held: number;
  /**
   * If not all records are loaded: the number of sampled ones, the number of all, and whether counts are
   * exact.
   */
  sample: { rows: number; of: number; exact: boolean } | null;
  /** The regions with the most rows, in descending order. */
  busiestRegions: Region[];
  /** The first regions in key order. */
  firstRegions: Region[];
  picture: Picture;
  /** Cells of the picture in the metric `even`, which the page shows first; absent in figures. */
  even?: Pick<Picture, 'codes' | 'top' | 'one'>;
};

/** A picture with another metric or finer intervals than that of the report. */
export type Sheet = { picture: Picture; moments: Report['moments']; time: TimeAxis | null };

/** Load over time, with regions assigned to servers in turn. */
export type ServerLoad = {
  servers: number;
  /** Rows of each server over all time. */
  rows: number[];
  /** Share of the busiest server in each time bucket. */
  busiest: number[];
  /** Throughput in number of servers: n if all have the same load. */
  throughput: number;
  /** Rows of each server in each time bucket, server after server. */
  load: Float64Array;
  stretches: number;
};

export type KeyPage = {
  first: number;
  bytes: Uint8Array;
  ends: Uint32Array;
  rows: Uint32Array;
  /** The 1-based number of each row in the file. */
  numbers: Float64Array;
  times: Float64Array;
  spans: Uint32Array;
  parts: number;
};
