// What passes between the page, its worker and the wasm module.

export type Problem = {
  code: string;
  place: { path?: string; column?: number; end?: number; file?: string; row?: number; field?: string };
  args: Record<string, string>;
  message: string;
};

export type FieldType = 'text' | 'integer' | 'time' | 'bytes' | 'float' | 'decimal' | 'boolean';
export type Field = { name: string; type: FieldType; format?: string; zone?: string; width?: number };
export type Input = {
  format: 'csv' | 'jsonl';
  separator?: string;
  quote?: string;
  header?: boolean;
  fields: Field[];
};
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type GuessedField = Field & { examples: string[]; why: string };
export type Guess = {
  input: Input;
  encoding: Encoding;
  gzip: boolean;
  fields: GuessedField[];
  preview: string[][];
  problems: Problem[];
};

export type Part = {
  from: number;
  to: number;
  text: string;
  fields: string[];
  kind: string;
  order: string;
  oneToOne: boolean;
  distinct: number | null;
  width: { min: number; max: number | null };
  alphabet: string;
};
export type Step = {
  name: string;
  signature: string;
  takes: string[];
  gives: string;
  encoding: boolean;
  help: string;
};
export type FormulaCheck = { problems: Problem[]; printed: string | null; parts: Part[] };

export type Splits = {
  algorithm?: string;
  regions?: number;
  points?: string[];
  between?: [string, string];
  [other: string]: unknown;
};
export type Design = {
  rowscape: number;
  name?: string;
  fields?: Field[];
  arrival?: string;
  rowkey?: string;
  splits?: Splits;
  tables?: DesignTable[];
  [other: string]: unknown;
};
export type DesignTable = {
  name?: string;
  splits?: Splits;
  kinds?: { name?: string; fields?: Field[]; arrival?: string; rowkey?: string; [other: string]: unknown }[];
  [other: string]: unknown;
};

export type Region = {
  index: number;
  start: string;
  stop: string;
  rows: number;
  share: number;
  bytes: number;
};
export type TimeAxis = { field: string; start: number; step: number; buckets: number; outside?: number };
export type Verdict = {
  code: string;
  severity: 'good' | 'warning' | 'bad';
  args: Record<string, string>;
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
    duplicates: { keys: number; rows: number; examples: { key: string; rows: number[] }[] };
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
  moments: { rows: Uint32Array; largestShare: Float64Array; effective: Float64Array };
  busiest: { field: string; values: { value: string; rows: number }[] }[];
  verdict: Verdict;
};

/**
 * The picture of a report, small enough to hand over and draw at once: at most `MOST_BANDS` bands of regions.
 * A band is one region until there are more regions than bands.
 */
export type Picture = {
  bands: number;
  buckets: number;
  /** First region of each band, and the number of regions at the end. */
  edges: Uint32Array;
  /** Start key of each band's first region. */
  starts: string[];
  /** Busiest row of heat of each band, band-major: bands × buckets. */
  peak: Uint32Array;
  /** Rows of all regions of each band; the same array as `peak` when a band is one row of heat. */
  sum: Uint32Array;
  /** Rows of each band over all time. */
  rows: Float64Array;
  /** Rows of the busiest region of each band over all time. */
  most: Float64Array;
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
export type View = Omit<Report, 'regions' | 'heat'> & {
  listed: Listed;
  /** Keys that are held: all, or those of a sample. */
  held: number;
  /** When not all records could be held: how many were sampled, of how many, and whether the counts are of all. */
  sample: { rows: number; of: number; exact: boolean } | null;
  /** The regions with most rows, most first. */
  busiestRegions: Region[];
  /** The first regions in key order. */
  firstRegions: Region[];
  picture: Picture;
};

export type Finding = {
  code: string;
  name: string;
  severity: 'note' | 'warning' | 'bad';
  columns?: [number, number];
  args: Record<string, string>;
  message: string;
  why: string;
  remedy: string;
  fix?: { rowkey?: string; splits?: Splits };
  reference: string;
};

export type KeyPage = {
  first: number;
  bytes: Uint8Array;
  ends: Uint32Array;
  rows: Uint32Array;
  times: Float64Array;
  spans: Uint32Array;
  parts: number;
};

export type Source =
  | { kind: 'file'; name: string; file: File }
  | { kind: 'url'; name: string; url: string }
  | { kind: 'generator'; name: string; spec: object };

export type Loaded = {
  rows: number;
  bytes: number;
  memory: number;
  milliseconds: number;
  /** Whether only the columns are held that the document names. */
  narrowed: boolean;
  /** Whether the records were too many to hold, so that a sample of them is. */
  sampled: boolean;
  problems: { ragged: number; refused: number; first: Problem[] };
};
export type Progress = { stage: 'read' | 'sort'; rows: number; bytes: number; total: number | null };

export type Example = {
  id: string;
  title: string;
  story: string;
  design: string;
  data?: string;
  source?: string;
  generate?: object;
};
