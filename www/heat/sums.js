/**
 * Prefix sums of a grid: each entry is the sum of all cells above and left of it.
 * @param {ArrayLike<number>} cells row-major
 * @param {number} rows
 * @param {number} columns
 */
export function sumsOf(cells, rows, columns) {
  const wide = columns + 1;
  const table = new Float64Array(wide * (rows + 1));
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    const from = row * columns;
    const above = row * wide + 1;
    const to = above + wide;
    for (let column = 0; column < columns; column++) {
      sum += cells[from + column];
      table[to + column] = table[above + column] + sum;
    }
  }
  return table;
}

/**
 * The sum of any rectangle of a grid in four look-ups. A pyramid of sums would be as large and know only
 * powers of two.
 */
export class Sums {
  #table;
  #wide;

  /** @param {Float64Array} table as `sumsOf` makes it @param {number} columns */
  constructor(table, columns) {
    this.#table = table;
    this.#wide = columns + 1;
  }

  /**
   * Rows `top` to `bottom` and columns `left` to `right`, the last of each left out.
   * @param {number} top
   * @param {number} bottom
   * @param {number} left
   * @param {number} right
   */
  of(top, bottom, left, right) {
    const [table, wide] = [this.#table, this.#wide];
    const [above, below] = [top * wide, bottom * wide];
    return table[below + right] - table[below + left] - table[above + right] + table[above + left];
  }
}
