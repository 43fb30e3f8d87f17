// Designs and tables held against each other, and the way from one to another.
import type { Problem, Splits } from './design.d.ts';

export type Line = {
  code: string;
  unit: 'rows' | 'regions' | 'share' | 'times' | 'servers' | 'bytes' | 'findings' | 'ranges' | 'queries';
  better: 'more' | 'less' | 'neither';
  values: (number | null)[];
  changes: ('same' | 'better' | 'worse' | 'other' | 'unknown')[];
  /** For a sample: the 95% confidence interval of each figure. */
  between?: ([number, number] | null)[];
};
/** Rows that lie elsewhere under another design. */
export type Moves = {
  rows: number;
  rewritten: number;
  moved: number;
  leastMoved: number | null;
  regions?: { region: number; rows: number; moved: number }[];
  /** For a sample: 95% confidence intervals of rows rewritten, moved, and moved at least. */
  between?: ([number, number] | null)[];
};
export type QueryLines = { name: string; lines: Line[] };
export type Side = {
  name: string;
  rowkey: string;
  findings: string[];
  /** How it differs from the first in what matters most. */
  leading: { query: string | null; code: string; unit: Line['unit']; before: number; now: number }[];
  better: string[];
  worse: string[];
  moves: Moves | null;
};
/** Designs on the same records, or a sample of them; the first is what the others are held against. */
export type Comparison = {
  rows: number;
  sampled: number;
  /** True if keys were split into equal shares of the records instead of as designed. */
  equalShares: boolean;
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
/** An existing table described by a text, compared with the design. */
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
  /**
   * A sample of row keys: how many of those tried the formula can have made, one that it cannot, and all by
   * region.
   */
  keys: { count: number; tried: number; read: number; other: string | null; regions: number[] } | null;
  /** The first of the splits and merges to the regions of the design. */
  steps: RegionStep[];
  stepCount: number;
};
