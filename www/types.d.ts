// Types shared by the page, its worker and the wasm module.
import type { Encoding, Problem, ReadFile } from './types/design.d.ts';

export type * from './types/compare.d.ts';
export type * from './types/design.d.ts';
export type * from './types/observe.d.ts';
export type * from './types/report.d.ts';
export type * from './types/review.d.ts';
export type * from './types/suggest.d.ts';

export type Source =
  /**
   * `text` is typed or pasted text, `keys` whether the user said that it contains row keys, `header` whether
   * the first row is a header, `encoding` that of files without a byte order mark.
   */
  | {
      kind: 'file';
      name: string;
      files: File[];
      text?: string;
      keys?: boolean;
      header?: boolean;
      encoding?: Encoding;
    }
  | { kind: 'url'; name: string; url: string }
  /** Files of counts, merged into one. */
  | { kind: 'summary'; name: string; files: File[] }
  | { kind: 'generator'; name: string; spec: object };

/** A source that is read record by record. */
export type RecordSource = Extract<Source, { kind: 'file' | 'url' }>;

export type Loaded = {
  rows: number;
  bytes: number;
  memory: number;
  milliseconds: number;
  /** True if only the columns that the document names are loaded. */
  narrowed: boolean;
  /** Names of the fields of a file that are loaded, in the order of the values of a record. */
  fields?: string[];
  /** Bytes read of packed files, which are read in parts, and their size. */
  read?: { bytes: number; size: number };
  /** Slices of large files that other workers read, where there were any. */
  slices?: number;
  /** True if there were too many records to hold, so only a sample is loaded. */
  sampled: boolean;
  problems: {
    ragged: number;
    refused: number;
    bad_bytes?: number;
    told?: number;
    first: Problem[];
    /** How each file was read. */
    files?: ReadFile[];
  };
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
  /** Made when the page is built. */
  preview?: Preview;
};
/** A verdict with a picture: `levels` has a character per cell, the first region first. */
export type Preview = {
  verdict: { severity: 'good' | 'warning' | 'bad'; code: string; args?: Record<string, string> };
  bands: number;
  levels: string;
};
