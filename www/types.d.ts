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
export type GuessedField = Field & { examples: string[]; code: string };
export type Guess = {
  input: Input;
  encoding: Encoding;
  gzip: boolean;
  fields: GuessedField[];
  preview: string[][];
  problems: Problem[];
  /** Of each file. */
  encodings?: Encoding[];
  /** Of plain row keys: how they are built, and the formula that gives them again. */
  keys?: { separator: string | null; segments: KeySegment[]; rowkey: string; regions: number };
};
/** What stands at a place in all keys. */
export type KeySegment = {
  kind: 'digits' | 'hex' | 'HEX' | 'letters' | 'text' | 'same' | 'time';
  min: number;
  max: number;
  text?: string;
  pattern?: string;
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
  queries?: Query[];
  growth?: Growth;
  cluster?: Cluster;
  [other: string]: unknown;
};
export type Value = string | number | boolean;
export type Condition =
  | Value
  | [Value, Value]
  | { eq: Value }
  | { in: Value[] }
  | { prefix: string }
  | { from?: Value; to?: Value };
export type Query = {
  name: string;
  where?: Record<string, Condition>;
  order?: string | { field: string; direction?: 'ascending' | 'descending' };
  limit?: number;
  rate?: number;
  scan?: [string, string];
};
export type Growth = {
  rowsNow?: number;
  rowsPerDay?: number;
  bytesNow?: number;
  bytesPerDay?: number;
  months?: number;
  /** Where in the key space it comes. */
  arrivals?: 'rising' | 'spread' | { loop: number } | { tablePerPeriod: number };
};
export type Cluster = {
  heapGB?: number;
  memstoreFraction?: number;
  flushMB?: number;
  maxRegionGB?: number;
  majorCompactionDays?: number;
  splitPolicy?: string;
};
export type Family = {
  name: string;
  compression?: string;
  versions?: number;
  ttl?: number;
  cells?: { qualifier: string; bytes: number }[];
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
  /** Rows that are reads, where the document says what tells them. */
  reads?: number;
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
    duplicates: {
      keys: number;
      rows: number;
      examples: { key: string; rows: number[] }[];
      estimated: boolean;
      /** Of an estimate: between which figures the keys, then the rows, lie, 19 times of 20. */
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
  /** Bytes of the row keys of each cell of `heat`: of a stream, and when `report({ keyBytes: true })` asks for them. */
  keyBytes?: Float64Array;
  /** Reads of each cell of `heat`, where the document says what tells them. */
  reads?: Float64Array;
  moments: { rows: Uint32Array; largestShare: Float64Array; effective: Float64Array };
  busiest: { field: string; values: { value: string; rows: number }[] }[];
  /**
   * The load of each server: of as many as the design has, or `report({ servers })` says. None without a time, or when
   * regions are so many that the report counts several as one.
   */
  servers: (ServerLoad & { together: number }) | null;
  verdict: Verdict;
};

/** A figure and its 95% interval; a figure that was counted has none. */
export type Figure = { value: number; low: number; high: number };
/** The values of a field or of the leading parts of a key: how many different ones, and those with most rows. */
export type ValueCounts = {
  /** Name of the field, or the parts as the formula has them. */
  of: string;
  rows: number;
  distinct: Figure;
  /** Rows that are an estimate are an upper bound. */
  busiest: { value: string; rows: Figure }[];
};
/** What `Analysis.known(document, most)` and `Stream.known(most)` give. */
export type Known = {
  fields: ValueCounts[];
  leading: ValueCounts[];
  queries: ({ read: number; returned: number } | null)[];
  sampled: number;
  /** By how much a share estimated from the sample may be off, 19 times of 20; 0 when all rows are in it. */
  shareOffBy: number;
};
/** What `Stream.fine(ranges)` gives: sampled rows by ranges of keys, finer than regions, and time. */
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

/**
 * The picture of a report, small enough to hand over and draw at once: at most `MOST_BANDS` bands of regions.
 * A band is one region until there are more regions than bands.
 */
export type Picture = {
  /** What its cells are. Of shares, `sum` is rows. */
  metric: import('./worker/codes.js').Metric;
  bands: number;
  buckets: number;
  /** First region of each band, and the number of regions at the end; of a part, with what of its region lies below it. */
  edges: Uint32Array | Float64Array;
  /** Start key of each band's first region. */
  starts: string[];
  /** The cells of `peak`, of parts a row for each slot, as codes, evenly over the logarithm; `one` is the factor that makes the least worth telling apart 1. */
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
  /** What any rectangle of `sum` adds up to, where the picture is large: see `heat/sums.js`. */
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
  /** Whether reads are told from writes. */
  tellsReads: boolean;
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

/** A picture of another metric, or of finer moments, than a report's own. */
export type Sheet = { picture: Picture; moments: Report['moments']; time: TimeAxis | null };

export type Finding = {
  code: string;
  name: string;
  severity: 'note' | 'warning' | 'bad';
  columns?: [number, number];
  args: Record<string, string>;
  message: string;
  why: string;
  remedy: string;
  fix?: Fix;
  reference: string;
};

/** An edit of the design: members of a table, the queries of the document, and what they cost. */
export type Fix = {
  rowkey?: string;
  splits?: Splits;
  families?: Family[];
  queries?: Query[];
  /** All of the document, in normal form. */
  tables?: (DesignTable & { name: string; families: Family[] })[];
  costs?: { code: string; args: Record<string, string> }[];
};

/** How a query is answered; figures of regions are unknown while split points hang on records that are not there. */
export type QueryPlan = {
  name: string;
  /** What is wrong with the query: then there is nothing else. */
  problems: Problem[];
  kind?: 'nothing' | 'get' | 'scan' | 'fullScan';
  exact?: boolean;
  /** The first of the ranges. */
  ranges: { start: string; stop: string }[];
  rangeCount: number;
  filters: { name: string; pairs?: { key: string; mask: string }[]; pattern?: string; exact?: boolean }[];
  delivery: { reversed: boolean; merge: boolean; sort: boolean };
  reasons: Problem[];
  /** Regions and servers touched. */
  regions: number | null;
  servers: number | null;
  /** Where the ranges lie, pair after pair, in regions: 2.5 is the middle of region 2. */
  spans: Float64Array | null;
  /** Rows of the records held. */
  counted: { read: number; returned: number } | null;
};
export type QueryAnswer = { plans: QueryPlan[]; problems: Problem[]; regionCount: number | null };

export type ByteKinds = { row: number; family: number; qualifier: number; overhead: number; value: number };
export type Estimate = { least: number; most: number };
export type FamilyBytes = {
  name: string;
  columns: { qualifier: string; bytes: ByteKinds }[];
  bytes: ByteKinds;
  withVersions: number;
  byteLess: number;
  blocks: number;
  index: Estimate;
  files: Estimate;
  prefix: Estimate;
  fastDiff: Estimate;
  compressed: Estimate;
};
export type Storage = {
  rows: number;
  cells: number;
  madeUp: boolean;
  exact: boolean;
  families: FamilyBytes[];
  bytes: ByteKinds;
  total: number;
  least: number;
  most: number | null;
  byteLess: number;
  problems: Problem[];
};

export type Day = {
  regions: number;
  empty: number;
  largest: number;
  splits: number;
  live: number;
  stale: number;
  overLive: number;
  overStale: number;
};
export type Life = { days: Day[]; stopped?: Problem };
/** A table's months: what was asked, and what came of it or what is wrong with it. */
export type Outlook = {
  bytesPerDay: number;
  rowBytes: number;
  /** Days before, in which what is there now came. */
  before: number;
  life: Life | null;
  problems: Problem[];
};
/** Regions by every rule. */
export type Sizing = {
  bytes: number;
  suggested: number;
  bearable: boolean;
  /** `least` is missing where a rule says nothing, `most` without a bound; `splitsAt` is there when its regions would split. */
  rules: { name: string; source: string; least?: number; most?: number; splitsAt?: number }[];
};
/** The same items in another layout. */
export type Layout = {
  name: string;
  rows: number;
  cells: number;
  bytes: number;
  keyBytes: number;
  first: number;
  all: number;
  updateReads: number;
  updateBytes: number;
  rowBytes: number;
  problems: Problem[];
};

export type Line = {
  code: string;
  unit: 'rows' | 'regions' | 'share' | 'times' | 'servers' | 'bytes' | 'findings' | 'ranges' | 'queries';
  better: 'more' | 'less' | 'neither';
  values: (number | null)[];
  changes: ('same' | 'better' | 'worse' | 'other' | 'unknown')[];
  /** Of a sample: between which figures the truth of each lies. */
  between?: ([number, number] | null)[];
};
/** Rows that lie elsewhere under another design. */
export type Moves = {
  rows: number;
  rewritten: number;
  moved: number;
  leastMoved: number | null;
  regions?: { region: number; rows: number; moved: number }[];
  /** Of a sample: between which numbers the truth lies of those rewritten, moved, and moved at least. */
  between?: ([number, number] | null)[];
};
export type QueryLines = { name: string; lines: Line[] };
export type Side = {
  name: string;
  rowkey: string;
  findings: string[];
  better: string[];
  worse: string[];
  moves: Moves | null;
};
/** Designs on the same records, or a sample of them; the first is what the others are held against. */
export type Comparison = {
  rows: number;
  sampled: number;
  designs: Side[];
  lines: Line[];
  queries: QueryLines[];
};
/** Something of a design that can be varied. */
export type Parameter = {
  parameter: 'regions' | 'number' | 'order';
  number?: number;
  step?: string;
  value?: number;
  text: string;
};
export type Variant = {
  setting: number | number[] | null;
  rowkey: string;
  splits: Splits;
  problem: Problem | null;
};
/** Variants of a design and what they are worth; the first is the design as it is. */
export type Sweep = {
  parameter: Parameter;
  rows: number;
  sampled: number;
  shareError: number;
  variants: Variant[];
  lines: Line[];
  queries: QueryLines[];
  /** The limit that the values were tried for. */
  mostScans: number | null;
};

/** A setting that follows from the key, as `create` and `alter` take it. */
export type Setting = {
  /** None for the table. */
  family: string | null;
  name: string;
  value: string;
  configuration: Record<string, string>;
  reason: Problem;
};

/** What queries ask a second, beside what is written. */
export type Reads = {
  requests: number;
  /** Queries without a rate. */
  unrated: string[];
  servers: number[];
  /** Those that are asked most, with their share of the rows. */
  regions: { region: number; start: string; reads: number; share: number }[];
  regionCount: number;
};

/** A split of a region, or a merge of neighbours, as `reshape` has them. Rows are in `\xNN` notation. */
export type RegionStep = {
  round: number;
  action: 'split' | 'merge';
  start: string;
  stop: string;
  at: string[];
};
/** The way from one design to another. */
export type Migration = {
  way: 'nothing' | 'reshape' | 'in-place' | 'new-table';
  /** With the regions that lose most rows. */
  moves: (Moves & { regions: { region: number; rows: number; moved: number }[] }) | null;
  steps: Problem[];
  clients: Problem[];
  checks: Problem[];
  /** The first of the splits and merges. */
  reshape: RegionStep[];
  stepCount: number;
  /** Scan ranges of each query. */
  queries: { name: string; before: number; meanwhile: number; after: number }[];
};

export type ExistingRegion = {
  start: string;
  stop: string;
  server: string | null;
  megabytes: number | null;
  requests: number | null;
  encoded: string | null;
};
export type ExistingFamily = {
  name: string;
  compression: string;
  versions: number | null;
  ttl: number | null;
  settings: Record<string, string>;
};
/** A table as the core reads it. */
export type ExistingTable = {
  name: string;
  regions: ExistingRegion[];
  points: string[];
  families: ExistingFamily[];
  keys: string[];
};
/** What a text tells of a table as it is, beside the design. */
export type ExistingAnswer = {
  forms: string[];
  problems: Problem[];
  tables: { name: string; regions: number }[];
  /** None when the text tells no regions. */
  table: {
    name: string;
    points: string[];
    families: ExistingFamily[];
    regionCount: number;
    /** In all; unknown when the text does not tell. */
    megabytes: number | null;
    requests: number | null;
    /** The first of them; with the rows of the records that the design puts there. */
    regions: (ExistingRegion & { rows: number | null })[];
  } | null;
  /** A sample of row keys: how many of those tried the formula can have made, one that it cannot, and all by region. */
  keys: { count: number; tried: number; read: number; other: string | null; regions: number[] } | null;
  /** The first of the splits and merges to the regions of the design. */
  steps: RegionStep[];
  stepCount: number;
};

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

export type Source =
  /** `text` is what was typed or pasted, `keys` whether a person said that it is row keys, `header` whether the first row is names. */
  | { kind: 'file'; name: string; files: File[]; text?: string; keys?: boolean; header?: boolean }
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
