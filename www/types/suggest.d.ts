// Suggested row keys; data/schema/suggest-1.schema.json describes the answer.

/** Options of a search, each with a default. */
export type SearchOptions = {
  tables?: 1 | 2 | 3;
  regions?: number;
  prefer?: 'balanced' | 'writes' | 'reads' | 'bytes';
  allowRandomSalt?: boolean;
  /** Fields that every key contains, or a formula that every key starts with. */
  keep?: string[];
  cost?: Record<string, number>;
  seed?: number;
};
/** Progress of a search: `done` is the share of the whole; once, with the phase `shortlist`, the best designs so far. */
export type SearchProgress = {
  stage: 'search';
  phase: 'profile' | 'orders' | 'sample' | 'shortlist' | 'measure' | 'near' | 'tables' | 'final';
  done: number;
  shortlist?: FrontDesign[];
};

/** A query that suits the records, of the field whose value or time it gives. */
export type ProposedQuery = {
  asks: 'all' | 'one' | 'newest' | 'whole' | 'row';
  field: string;
  query: Omit<Query, 'name'>;
};

/** A sentence by its code. */
export type Note = { code: string; args: Record<string, string>; kind?: string };
/** Shares from 0 to 1, reads and latency in units of one cached request, bytes per row; less is better in each. */
export type Scores = {
  hottestRegion: number;
  hottestServer: number;
  reads: number;
  /** Units a second that adding records takes besides their own puts. */
  updates?: number;
  latency: number;
  readHottestServer: number;
  keyBytes: number;
  bytesPerRow: number;
  encodedBytesPerRow: number;
  tables: number;
  regions: number[];
  repeatedRows: number;
  /** 95% confidence intervals. */
  intervals: Record<string, [number, number]>;
};
export type SuggestedQuery = {
  name: string;
  table: string;
  kind: 'nothing' | 'get' | 'scan' | 'fullScan';
  scans: number;
  regions: number;
  blocks: number;
  rowsRead: number;
  rowsReturned: number;
  filter: boolean;
  exact: boolean;
  sorted?: boolean;
  cost: number;
  latency: number;
};
export type Suggestion = {
  design: object;
  rowkeys: string[];
  kinds?: { kind: string; rowkey: string }[];
  /** The shape of its records, where they are not rows of their own: cells of one row, or parts of cells that they share. */
  shape?: 'wide' | 'pages';
  label: string;
  labels: string[];
  scores: Scores;
  queries: SuggestedQuery[];
  reasons: Note[];
  without: {
    choice: Note;
    rowkey: string;
    change: Pick<Scores, 'hottestRegion' | 'hottestServer' | 'reads' | 'bytesPerRow' | 'repeatedRows'>;
  }[];
  ties: string[][];
  /** Constants of the cost model with half or twice of which another design has its place. */
  sensitive?: string[];
  moves?: { rewritten: number; moved: number };
};
export type FieldProfile = {
  name: string;
  type: string;
  distinct: number;
  missing: number;
  topShare: number;
  rises?: number;
  followsArrival: boolean;
  lengths: [number, number];
  constantPrefix?: string;
  range?: [number, number];
  unique: boolean;
  uniqueByLuck: boolean;
  uniqueWith?: string[];
  dependsOn?: string[];
};
/** The row keys of a design that no other beats in every score. */
export type FrontDesign = { rowkeys: string[]; scores: Scores; suggestion?: number };
export type Suggestions = {
  suggestions: Suggestion[];
  front: FrontDesign[];
  cover: number;
  baseline?: { rowkey: string; scores: Scores };
  profile: FieldProfile[];
  considered: {
    rounds: { rows: number; candidates: number; kept: number }[];
    sets: number;
    alternatives: { name: string; rowkey: string; scores: Scores; reason: Note }[];
  };
  notes: Note[];
  rows: number;
  cost: Record<string, number>;
};
