import type { Comparison, KeyPage, Part, QueryAnswer, View } from '../../../www/types.d.ts';

export type Shows = 'heatmap' | 'keys' | 'regions' | 'bytes' | 'queries' | 'compare';

/** A request of a figure to the worker. */
export type Asked = {
  documents: string[];
  table: number;
  view: Shows;
  data: { name: string; file: Blob } | null;
};

/** The answer, with only what the view needs. */
export type Answer = {
  name: string;
  rowkey?: string;
  parts?: Part[];
  report?: View;
  /** Split points of a table without records. */
  points?: string[];
  keys?: KeyPage;
  /** The record of the key, by field. */
  record?: Record<string, string>;
  plans?: QueryAnswer;
  comparison?: Comparison & { names: string[] };
};
