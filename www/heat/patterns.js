/** Pixels of a pattern that are drawn: colour is never the only sign. */
const HATCH = { size: 8, drawn: (/** @type {number} */ at) => at % 8 === 0 };
const STRIPES = { size: 4, drawn: (/** @type {number} */ at) => at % 4 < 2 };

/**
 * Of regions without rows, and of those with many more than others.
 * @param {CanvasRenderingContext2D} pen
 * @param {{ bar: string, ink: string }} colours
 */
export function patternsOf(pen, { bar, ink }) {
  return { hatch: pattern(pen, bar, HATCH) ?? bar, stripes: pattern(pen, ink, STRIPES) ?? ink };
}

/** @param {CanvasRenderingContext2D} pen @param {string} colour @param {typeof HATCH} what */
function pattern(pen, colour, { size, drawn }) {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const draw = tile.getContext('2d');
  if (!draw) return null;
  draw.fillStyle = colour;
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) if (drawn(x + y)) draw.fillRect(x, y, 1, 1);
  }
  return pen.createPattern(tile, 'repeat');
}
