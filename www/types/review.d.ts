// Types of the review of a design: findings, query plans, bytes, growth, settings.
import type { DesignTable, Family, Problem, Query, Splits } from './design.d.ts';
import type { Verdict } from './report.d.ts';

export type Finding = {
  code: string;
  name: string;
  severity: 'note' | 'warning' | 'bad';
  columns?: [number, number];
  args: Record<string, string>;
  /** The state of affairs, without a final full stop. */
  title: string;
  /** The evidence; empty where the title has it all. */
  detail: string;
  /** Title and detail as one text. */
  message: string;
  why: string;
  remedy: string;
  fix?: Fix;
  /** Judged by a sample of the records. */
  sampled?: true;
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
  /** The design with the edit made, judged on the same records; missing without records. */
  measured?: { rows: number; verdict: Verdict };
};

/**
 * How a query is answered; figures of regions are unknown while split points hang on records that are not
 * there.
 */
export type QueryPlan = {
  name: string;
  /** Problems of the query; if there are any, all other members are missing. */
  problems: Problem[];
  kind?: 'nothing' | 'get' | 'scan' | 'fullScan';
  exact?: boolean;
  /** The first of the ranges. */
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
  /** Matching rows after which reading stops, of each scan where they are merged. */
  stopsAfter?: number | null;
  reasons: Problem[];
  /** Regions and servers touched. */
  regions: number | null;
  servers: number | null;
  /** Where the ranges lie, pair after pair, in regions: 2.5 is the middle of region 2. */
  spans: Float64Array | null;
  /** Rows of the records held. */
  counted: { read: number; returned: number } | null;
  /** Those up to the limit of the query. */
  limited: { read: number; returned: number } | null;
  /** Fewer rows, by one short scan for each known value of fields that the query does not ask for. */
  shortScans: { fields: string[]; scans: number; read: number; returned: number } | null;
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
  /**
   * `least` is missing where a rule says nothing, `most` without a bound; `splitsAt` is there when its
   * regions would split.
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

/** A setting that follows from the key, as `create` and `alter` take it. */
export type Setting = {
  /** None for the table. */
  family: string | null;
  name: string;
  value: string;
  configuration: Record<string, string>;
  reason: Problem;
};

/** Read requests per second, next to writes. */
export type Reads = {
  requests: number;
  /** Queries without a rate. */
  unrated: string[];
  servers: number[];
  /** Those that are asked most, with their share of the rows. */
  regions: { region: number; start: string; reads: number; share: number }[];
  regionCount: number;
};

/** A text to take along, with the name of its file. */
export type ExportedText = { file: string; text: string };

/** Result of `Analysis.profile(document, table)`: the profile of the records in a link. */
export type LinkProfile = {
  generate: {
    rows: number;
    start?: string;
    span?: string;
    profile: number;
    fields: { name: string; from: unknown }[];
    [other: string]: unknown;
  };
  /**
   * For each table, into how many equal shares the records are split in place of points that were made from
   * them.
   */
  splits: (number | null)[];
  bytes: number;
  verdict: Verdict;
  agrees: boolean;
};
