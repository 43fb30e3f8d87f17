// Designs, their fields and formulas, and guesses about files.

export type Problem = {
  code: string;
  place: { path?: string; column?: number; end?: number; file?: string; row?: number; field?: string };
  args: Record<string, string>;
  message: string;
};

export type FieldType = 'text' | 'integer' | 'time' | 'bytes' | 'float' | 'decimal' | 'boolean';
export type Field = {
  name: string;
  type: FieldType;
  format?: string;
  zone?: string;
  width?: number;
  /** Columns of a file whose texts, joined by a space, form its text. */
  from?: string[];
  /** True if records may lack it, which is NULL. */
  nullable?: boolean;
};
export type Input = {
  format: 'csv' | 'jsonl' | 'scan' | 'keys' | 'parquet' | 'arrow' | 'avro' | 'hfile' | 'wal';
  separator?: string;
  quote?: string;
  header?: boolean;
  /** Encoding of files without a byte order mark; UTF-8 by default. */
  encoding?: Encoding;
  /** The columns of a file that states them. */
  stated?: object[];
  /** How row keys are written, and the formula by which they are taken back to their fields. */
  keys?: string;
  fields: Field[];
};
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
/** How a file was read; `by`: its byte order mark, a person, or nobody. */
export type ReadFile = { name: string; format: string; encoding: Encoding; by: 'mark' | 'given' | 'assumed' };
/** `args`: the arguments of the sentence of `code`. */
export type GuessedField = Field & {
  examples: string[];
  range?: StatedRange;
  code: string;
  args?: Record<string, string>;
};
/** The range of a column as its file states it, in part or in full. */
export type StatedRange = { least?: string; most?: string; missing?: number };
export type Guess = {
  input: Input;
  encoding: Encoding;
  gzip: boolean;
  /** Records and row groups, as all files state them. */
  rows?: number;
  groups?: number;
  fields: GuessedField[];
  preview: string[][];
  problems: Problem[];
  /** The encoding of each file. */
  encodings?: Encoding[];
  /** For row keys: their structure. */
  keys?: { separator: string | null; segments: KeySegment[] };
  /** A first design, if there are fields. */
  design: Design;
};
/** A segment that all keys share. */
export type KeySegment = {
  kind: 'digits' | 'hex' | 'HEX' | 'letters' | 'text' | 'bytes' | 'same' | 'time' | 'number' | 'computed';
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
/** The formula of code with what it rests on, or what was not understood. */
export type CodeReading = {
  formula?: string;
  assumed?: { name: string; code: string }[];
  problem?: Problem;
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
  /** The fields that together distinguish any two records. */
  identity?: string[];
  rowkey?: string;
  kinds?: { [name: string]: RecordKind };
  splits?: Splits;
  /** How a record changes a row with the same key; default `append`. */
  writes?: Writes;
  tables?: DesignTable[];
  queries?: Query[];
  growth?: Growth;
  writesPerSecond?: number;
  cluster?: Cluster;
  [other: string]: unknown;
};
export type Value = string | number | boolean;
export type Condition =
  | Value
  | [Value, Value]
  | { eq: Value }
  | { in: Value[] }
  | { prefix: string | string[] }
  | { from?: Value; to?: Value };
export type Query = {
  name: string;
  /** The table that serves it; by default every table. */
  table?: string;
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
  /** Where new rows fall in the key space. */
  arrivals?: 'rising' | 'spread' | { loop: number } | { tablePerPeriod: number };
};
export type Cluster = {
  heapGB?: number;
  memstoreFraction?: number;
  flushMB?: number;
  maxRegionGB?: number;
  majorCompactionDays?: number;
  regionWrites?: number;
  serverWrites?: number;
  rowWrites?: number;
  regionReads?: number;
  serverReads?: number;
  splitPolicy?: string;
};
export type Family = {
  name: string;
  compression?: string;
  versions?: number;
  minVersions?: number;
  ttl?: number;
  /** The share of the rows that have cells of it, or how many do. */
  share?: number;
  rows?: number;
  cells?: FamilyCell[];
};
/** A cell of each record; a formula makes the qualifier or the value of its fields. */
export type FamilyCell = {
  qualifier: string | CellFormula;
  bytes?: number;
  value?: CellFormula;
  packed?: number | CellFormula;
  /** The time field that is its timestamp; the time of the write without one. */
  timestamp?: string;
};
export type CellFormula = { formula: string };
export type Writes = 'append' | 'bulk' | 'upsert' | 'counter';
export type DesignTable = {
  name?: string;
  splits?: Splits;
  writes?: Writes;
  kinds?: { [name: string]: RecordKind };
  [other: string]: unknown;
};
/** A kind of the records of a table. */
export type RecordKind = {
  when: { field: string; is: Value[] };
  fields?: string[];
  rowkey: string;
  cells?: (FamilyCell & { family: string })[];
};
