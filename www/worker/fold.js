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
 * The busiest cell and the sum of each block of a grid. Colour follows the busiest: a hot cell is never averaged away.
 * @param {Uint32Array} cells row-major
 * @param {number} columns
 * @param {Uint32Array} rowEdges first row of each block, then the number of rows
 * @param {Uint32Array} columnEdges
 * @returns {{ peak: Uint32Array, sum: Uint32Array }}
 */
export function foldCells(cells, columns, rowEdges, columnEdges) {
  const bands = rowEdges.length - 1;
  const bins = columnEdges.length - 1;
  const peak = new Uint32Array(bands * bins);
  const sum = new Uint32Array(bands * bins);
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
