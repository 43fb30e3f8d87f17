// The figure on show, for those that take a picture of it or its numbers.
/** @import { Scene } from '../heat/scene.js' */

/** File formats that a figure can be exported as. */
export const FIGURE_FILES = /** @type {const} */ (['png', 'svg', 'csv', 'json', 'report']);

/**
 * The figure with the ranges of the query that is open.
 * @typedef {{ scene: Scene | null, ranges: Float64Array | null }} Shown
 */

/** @type {() => Shown} */
let shown = () => ({ scene: null, ranges: null });

/** @param {typeof shown} figure asked when it is taken */
export function offerFigure(figure) {
  shown = figure;
}

/** Gives a person a file of the figure. @param {typeof FIGURE_FILES[number]} kind */
export async function exportFigure(kind) {
  const { saveAs } = await import('./figure-files.js');
  const { scene, ranges } = shown();
  if (scene) await saveAs(kind, scene, ranges);
}
