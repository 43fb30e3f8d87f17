// Types of the data exchanged by the page, its worker and the wasm module.
import type { Problem } from './types/design.d.ts';

export type * from './types/compare.d.ts';
export type * from './types/design.d.ts';
export type * from './types/report.d.ts';
export type * from './types/review.d.ts';

export type Source =
  /**
   * `text` is what was typed or pasted, `keys` whether a person said that it is row keys, `header` whether
   * the first row is names.
   */
  | { kind: 'file'; name: string; files: File[]; text?: string; keys?: boolean; header?: boolean }
  | { kind: 'url'; name: string; url: string }
  | { kind: 'generator'; name: string; spec: object };

export type Loaded = {
  rows: number;
  bytes: number;
  memory: number;
  milliseconds: number;
  /** True if only the columns named by the document are held. */
  narrowed: boolean;
  /** True if the records do not fit in memory and a sample is held. */
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
