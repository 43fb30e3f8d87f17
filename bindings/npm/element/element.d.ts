/**
 * `<rowscape-figure src="design.json" data="calls.csv" view="heatmap">`: a design and its records as a figure.
 *
 * It draws itself once it is about to be seen, in a shadow root, and follows the page's colours and fonts. What is
 * written inside it (a table, a picture) shows until it is drawn, where there is no script, and beside an error.
 */
export declare class RowscapeFigure extends HTMLElement {
  /** What is shown: attribute `view`. */
  readonly view: 'heatmap' | 'keys' | 'regions' | 'bytes' | 'queries' | 'compare';
  /** Whether it is drawn; `rowscape-drawn` is sent when it is, `rowscape-failed` when it can't be. */
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
