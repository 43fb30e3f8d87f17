// What passes between the page, its worker and the wasm module.
import type { Encoding, Problem, ReadFile } from './types/design.d.ts';

export type * from './types/compare.d.ts';
export type * from './types/design.d.ts';
export type * from './types/report.d.ts';
export type * from './types/review.d.ts';

export type Source =
  /** `text` is what was typed or pasted, `keys` whether a person said that it is row keys, `header` whether the first row is names, `encoding` that of files without a byte order mark. */
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
};
