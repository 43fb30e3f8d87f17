/** Most bands of regions that a picture holds: more than any screen has rows of pixels to spare for. */
export const MOST_BANDS = 1024;

/**
 * Folds `count` items into at most `most` groups of nearly equal size.
 * @param {number} count
 * @param {number} most
 * @returns {Uint32Array} first item of each group, then `count`
 */
export function groupEdges(count, most) {
  const groups = Math.max(1, Math.min(count, most));
  return Uint32Array.from({ length: groups + 1 }, (_, group) => Math.floor((group * count) / groups));
}

/**
 * The busiest cell and the sum of each block of a grid. Colour follows the busiest: a hot cell is never
 * averaged away.
 * @template {Uint32Array | Float64Array} Cells
 * @param {Cells} cells row-major
 * @param {number} columns
 * @param {Uint32Array} rowEdges first row of each block, then the number of rows
 * @param {Uint32Array} columnEdges
 * @returns {{ peak: Cells, sum: Cells }}
 */
export function foldCells(cells, columns, rowEdges, columnEdges) {
  const bands = rowEdges.length - 1;
  const bins = columnEdges.length - 1;
  const kind = /** @type {new (length: number) => Cells} */ (cells.constructor);
  const peak = new kind(bands * bins);
  const sum = new kind(bands * bins);
  for (let band = 0; band < bands; band++) {
    for (let row = rowEdges[band]; row < rowEdges[band + 1]; row++) {
      for (let bin = 0; bin < bins; bin++) {
        const at = band * bins + bin;
        for (let column = columnEdges[bin]; column < columnEdges[bin + 1]; column++) {
          const rows = cells[row * columns + column];
          if (rows > peak[at]) peak[at] = rows;
          sum[at] += rows;
        }
      }
    }
  }
  return { peak, sum };
}
