import type { Comparison, KeyPage, Part, QueryAnswer, View } from '../../../www/types.d.ts';

export type Shows = 'heatmap' | 'keys' | 'regions' | 'bytes' | 'queries' | 'compare';

/** Request of a figure to the worker. */
export type Asked = {
  documents: string[];
  table: number;
  view: Shows;
  data: { name: string; file: Blob } | null;
};

/** Answer to a figure: only the data that its view needs. */
export type Answer = {
  name: string;
  rowkey?: string;
  parts?: Part[];
  report?: View;
  /** Split points of a table without records. */
  points?: string[];
  keys?: KeyPage;
  /** The record whose key it is, by field. */
  record?: Record<string, string>;
  plans?: QueryAnswer;
  comparison?: Comparison & { names: string[] };
};
