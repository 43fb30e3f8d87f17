// Reviews of a design: findings, query plans, bytes, growth, settings.
import type { DesignTable, Family, Problem, Query, Splits } from './design.d.ts';
import type { RowCount, Verdict } from './report.d.ts';

export type Finding = {
  code: string;
  name: string;
  severity: 'note' | 'warning' | 'bad';
  /** The kind of records it is about, of a table that holds several. */
  kind?: string;
  columns?: [number, number];
  args: Record<string, string>;
  /** The state found, without a final period. */
  title: string;
  /** The evidence; empty if the title says it all. */
  detail: string;
  /** Title and detail in one string. */
  message: string;
  why: string;
  remedy: string;
  fix?: Fix;
  /** Set if the finding is based on a sample of the records. */
  sampled?: true;
  /** The same by the name that everything estimated has. */
  estimated?: true;
  reference: string;
};

/** An edit of the design: members of a table, the queries of the document, and their costs. */
export type Fix = {
  rowkey?: string;
  /** The kind of records whose row key it is. */
  kind?: string;
  splits?: Splits;
  families?: Family[];
  queries?: Query[];
  /** All tables of the document, in normal form. */
  tables?: (DesignTable & { name: string; families: Family[] })[];
  costs?: { code: string; args: Record<string, string> }[];
  /** The verdict on the edited design for the same records; absent without records. */
  measured?: { rows: number; of: number; estimated?: true; verdict: Verdict };
};

/** The plan of a query. Region figures are null if split points depend on records and none are loaded. */
export type QueryPlan = {
  name: string;
  /** Problems of the query; if there are any, the rest is empty. */
  problems: Problem[];
  kind?: 'nothing' | 'get' | 'scan' | 'fullScan';
  exact?: boolean;
  /** The first ranges. */
  ranges: { start: string; stop: string }[];
  rangeCount: number;
  filters: { name: string; pairs?: { key: string; mask: string }[]; pattern?: string; exact?: boolean }[];
  delivery: {
    reversed: boolean;
    merge: boolean;
    sort: boolean;
    tied?: number;
    basis?: 'records' | 'notNegative';
  };
  /** Number of matching rows after which reading stops; for merged scans, of each scan. */
  stopsAfter?: number | null;
  reasons: Problem[];
  /** Number of regions and servers that it touches. */
  regions: number | null;
  servers: number | null;
  /** Positions of the ranges, as pairs, in regions: 2.5 is the middle of region 2. */
  spans: Float64Array | null;
  /** Rows among all records; estimated if only a sample of them is loaded. */
  counted: RowCount | null;
  /** True if all records were counted, though only a sample is loaded. */
  exact?: boolean;
  /** Rows up to the limit of the query. */
  limited: RowCount | null;
  /** A cheaper plan: one short scan for each known value of fields that the query does not restrict. */
  shortScans: ({ fields: string[]; scans: number } & RowCount) | null;
  /** Least number of requests, where the split points are known without records. */
  leastRpcs?: number | null;
  /** Estimated cost up to the limit. */
  cost: ReadCost | null;
  /** The page of results after the limit. */
  next: { after: string; repeats: boolean; cost: ReadCost } | null;
};
/** Estimates; `units` are requests served from cache. */
export type ReadCost = {
  estimated: true;
  rows: number;
  rpcs: number;
  scanners: number;
  regions: number;
  seeks: number;
  blocks: number;
  bytes: number;
  units: number;
};
export type QueryAnswer = { plans: QueryPlan[]; problems: Problem[]; regionCount: number | null };

export type ByteKinds = { row: number; family: number; qualifier: number; overhead: number; value: number };
export type Estimate = { least: number; most: number };
export type FamilyBytes = {
  name: string;
  /** Rows that have cells of it. */
  rows: number;
  columns: { qualifier: string; bytes: ByteKinds }[];
  bytes: ByteKinds;
  withVersions: number;
  byteLess: number;
  blocks: number;
  index: Estimate;
  files: Estimate;
  prefix: Estimate;
  diff: Estimate;
  fastDiff: Estimate;
  compressed: Estimate;
  /** The one file after a major compaction, by the encoding of its blocks, and MOB files. */
  compacted: { none: number; rowIndex: number; prefix: number; diff: number; fastDiff: number; mob: number };
};
/** A family among others of its table. */
export type SharedFamily = {
  name: string;
  rows: number;
  bytes: number;
  /** Regions that it would fill in a table of its own, and those of the table. */
  alone: number;
  together: number;
  /** Store files that a scan of it opens. */
  files: number;
  /** Its bytes in a region, and those from which on it is flushed without the others. */
  regionBytes: number;
  flushBytes: number;
  /** Its bytes in a flush of all families. */
  withOthers: number;
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
  /** Bytes that one more record of a row takes: read before, then written. */
  update: { reads: number; writes: number };
  problems: Problem[];
  /** The families, if there are several. */
  shared: SharedFamily[];
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
/** The simulated growth of a table: its inputs, and the result or the problems. */
export type Outlook = {
  bytesPerDay: number;
  /** Days before the simulation in which the existing data arrived. */
  before: number;
  life: Life | null;
  problems: Problem[];
};
/** Number of regions by every rule. */
export type Sizing = {
  bytes: number;
  suggested: number;
  bearable: boolean;
  /**
   * `least` is absent if a rule does not apply, `most` if there is no upper bound; `splitsAt` is present if
   * its regions would split.
   */
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

/** A setting that follows from the key, as in `create` and `alter`. */
export type Setting = {
  /** Null for the table. */
  family: string | null;
  name: string;
  value: string;
  configuration: Record<string, string>;
  reason: Problem;
};

/** Read requests per second, beside the writes. */
export type Reads = {
  requests: number;
  /** Queries without a rate. */
  unrated: string[];
  servers: number[];
  /** The regions with the most reads, with their share of the rows. */
  regions: { region: number; start: string; reads: number; share: number }[];
  regionCount: number;
};

/** An export: its text and the name of its file. */
export type ExportedText = { file: string; text: string };

/** The result of `Analysis.profile(document, table)`: the profile of the records in a link. */
export type LinkProfile = {
  generate: {
    rows: number;
    start?: string;
    span?: string;
    profile: number;
    fields: { name: string; from: unknown }[];
    [other: string]: unknown;
  };
  /** For each table, the number of equal shares that replace split points made from the records. */
  splits: (number | null)[];
  bytes: number;
  verdict: Verdict;
  agrees: boolean;
};

/** Versions of cells that the records leave, by family, after a major compaction at the time of the last record. */
export type VersionsLeft = {
  families: { name: string; written: number; cells: number; left: number }[];
  at: number | null;
};
