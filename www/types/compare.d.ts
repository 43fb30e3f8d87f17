// Comparison of designs and tables, and migration between them.
import type { Problem, Splits } from './design.d.ts';

export type Line = {
  code: string;
  unit:
    | 'rows'
    | 'cells'
    | 'regions'
    | 'share'
    | 'times'
    | 'servers'
    | 'bytes'
    | 'findings'
    | 'ranges'
    | 'queries';
  better: 'more' | 'less' | 'neither';
  values: (number | null)[];
  changes: ('same' | 'better' | 'worse' | 'other' | 'unknown')[];
  /** For a sample: 95% confidence intervals. */
  between?: ([number, number] | null)[];
};
/** Rows that another design places elsewhere. */
export type Moves = {
  rows: number;
  rewritten: number;
  moved: number;
  leastMoved: number | null;
  regions?: { region: number; rows: number; moved: number }[];
  /** For a sample: 95% confidence intervals of `rewritten`, `moved` and `leastMoved`. */
  between?: ([number, number] | null)[];
};
export type QueryLines = { name: string; lines: Line[] };
export type Side = {
  name: string;
  rowkey: string;
  findings: string[];
  /** The most important differences from the first design. */
  leading: { query: string | null; code: string; unit: Line['unit']; before: number; now: number }[];
  better: string[];
  worse: string[];
  moves: Moves | null;
};
/** Designs on the same records, or a sample of them; the first is the baseline. */
export type Comparison = {
  rows: number;
  sampled: number;
  /** True if keys were split into equal shares of the records, not at the designed split points. */
  equalShares: boolean;
  designs: Side[];
  lines: Line[];
  queries: QueryLines[];
};
/** A parameter of a design that can be varied. */
export type Parameter = {
  parameter: 'regions' | 'number' | 'order';
  number?: number;
  step?: string;
  kind?: string;
  value?: number;
  text: string;
};
export type Variant = {
  setting: number | number[] | null;
  rowkey: string;
  splits: Splits;
  problem: Problem | null;
};
/** Variants of a design and their measures; the first is the unchanged design. */
export type Sweep = {
  parameter: Parameter;
  rows: number;
  sampled: number;
  shareError: number;
  variants: Variant[];
  lines: Line[];
  queries: QueryLines[];
  /** The limit on scans that the values were tried for. */
  mostScans: number | null;
};

/** A split of a region, or a merge of adjacent regions, from `reshape`. Rows are in `\xNN` notation. */
export type RegionStep = {
  round: number;
  action: 'split' | 'merge';
  start: string;
  stop: string;
  at: string[];
};
/** A migration from one design to another. */
export type Migration = {
  way: 'nothing' | 'alter' | 'reshape' | 'in-place' | 'new-table';
  /** With the regions that lose the most rows. */
  moves: (Moves & { regions: { region: number; rows: number; moved: number }[] }) | null;
  steps: Problem[];
  clients: Problem[];
  checks: Problem[];
  /** Commands that alter column families; empty if none differs. */
  familyCommands: string;
  /** The first splits and merges. */
  reshape: RegionStep[];
  stepCount: number;
  /** Shell commands that do the listed steps. */
  commands: string;
  /** Number of scan ranges of each query. */
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
/** An existing table, as the core reads it. */
export type ExistingTable = {
  name: string;
  regions: ExistingRegion[];
  points: string[];
  families: ExistingFamily[];
  keys: string[];
  /** Null without figures of its regions. */
  judgement: TableJudgement | null;
};
/** Something to do with a region of an existing table; a merge takes its right neighbor, too. */
export type TableAct = { action: 'split' | 'move' | 'merge'; region: number; to?: string };

/** Where the requests of an existing table go, or its bytes if no request is known; and what evens them out. */
export type TableJudgement = {
  /** True if a server or a region takes far more than its share. */
  hot: boolean;
  verdict: Problem;
  /** The regions that it names, by their index; and their share. */
  regions: number[];
  share: number;
  servers: { server: string; regions: number; share: number }[];
  acts: TableAct[];
  commands: string;
};

/** An existing table read from text, compared with the design. */
export type ExistingAnswer = {
  forms: string[];
  problems: Problem[];
  tables: { name: string; regions: number }[];
  /** Null if the text has no regions. */
  table: {
    name: string;
    points: string[];
    families: ExistingFamily[];
    regionCount: number;
    /** Null without figures of its regions. */
    judgement: TableJudgement | null;
    /** In total; null if unknown. */
    megabytes: number | null;
    requests: number | null;
    /** The first regions, with the number of records that the design puts there. */
    regions: (ExistingRegion & { rows: number | null })[];
  } | null;
  /**
   * A sample of row keys: `read` of the `tried` keys match the formula, `other` is one that does not,
   * `regions` counts all keys by region.
   */
  keys: { count: number; tried: number; read: number; other: string | null; regions: number[] } | null;
  /** The first splits and merges that lead to the regions of the design. */
  steps: RegionStep[];
  stepCount: number;
  /** Shell commands that do the listed steps. */
  commands: string;
};
