/**
 * `<rowscape-figure src="design.json" data="calls.csv" view="heatmap">` shows a design and its records.
 *
 * It draws itself in a shadow root shortly before it scrolls into view, and follows the page's colors and fonts. Its content
 * (a table, a picture) shows until it is drawn, without scripts, and beside an error.
 */
export declare class RowscapeFigure extends HTMLElement {
  /** The selected view: attribute `view`. */
  readonly view: 'heatmap' | 'keys' | 'regions' | 'bytes' | 'queries' | 'compare';
  /** True once it is drawn. It sends `rowscape-drawn` once it is, or `rowscape-failed` if it cannot be. */
  readonly drawn: boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    'rowscape-figure': RowscapeFigure;
  }
  interface HTMLElementEventMap {
    'rowscape-drawn': CustomEvent<null>;
    'rowscape-failed': CustomEvent<Error & { code?: string }>;
  }
}
