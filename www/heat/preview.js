import { colours, pixelsOf } from './palette.js';

/** @import { Scheme } from './palette.js' */

/** Columns of a picture that is drawn when the page is built. */
export const BUCKETS = 84;
/** The shades of such a picture, from no rows to the end of the scale: a character each. */
const SHADES = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Cells as text.
 * @param {number[]} parts of the scale
 */
export const levelsOf = (parts) =>
  parts
    .map((part) => SHADES[part > 0 ? Math.max(1, Math.round(Math.min(1, part) * (SHADES.length - 1))) : 0])
    .join('');

/**
 * Paints such a picture, a pixel per cell, the first region at the bottom.
 * @param {HTMLCanvasElement} canvas
 * @param {{ bands: number, levels: string }} preview
 * @param {Scheme} scheme
 */
export function paintPreview(canvas, { bands, levels }, scheme) {
  const table = pixelsOf(colours(scheme));
  const width = levels.length / bands;
  canvas.width = width;
  canvas.height = bands;
  const pixels = Uint32Array.from(levels, (_, at) => {
    const [row, column] = [bands - 1 - Math.floor(at / width), at % width];
    const shade = SHADES.indexOf(levels[row * width + column]) / (SHADES.length - 1);
    return table[Math.round(shade * (table.length - 1))];
  });
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, bands);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}
