import { bandAt, placeOf } from './bands.js';
import { scalesOf } from './layout.js';

/** @import { Sheet, View } from '../types.d.ts' */
/** @import { Layout } from './layout.js' */
/** @import { Scheme } from './palette.js' */
/** @import { Sums } from './sums.js' */
/** @import { Span } from './viewport.js' */

/**
 * Drawing interface of a canvas and of the SVG writer in `svg-pen.js`.
 * @typedef {CanvasRenderingContext2D} Pen
 */

/**
 * @typedef {object} Look
 * @property {string} ink
 * @property {string} muted
 * @property {string} line
 * @property {string} bar
 * @property {string} accent
 * @property {string} page
 * @property {string} font
 * @property {string} mono
 * @property {Scheme} scheme
 * @property {string | CanvasPattern} hatch of regions without rows
 * @property {string | CanvasPattern} stripes of regions with many more rows than others
 */

/**
 * All that a drawing of the figure hangs on.
 * @typedef {object} Scene
 * @property {Layout} layout
 * @property {Span} span
 * @property {View} view
 * @property {Sheet} sheet
 * @property {Sums} sums
 * @property {Look} look
 * @property {number | null} now how far playback is, from 0 to 1
 * @property {number | null} servers regions are dealt out to, in turn; null when it is not known or a band is several regions
 * @property {(time: number) => number} x
 * @property {(key: number) => number} y
 * @property {number} firstBand the first and, one further, the last that is on show
 * @property {number} lastBand
 * @property {number} firstBucket
 * @property {number} lastBucket
 * @property {number} tall pixels of a band, of the lowest when they differ
 */

/** A region with so many times the mean's rows is marked as hot. */
export const HOT = 4;

/**
 * @param {Pick<Scene, 'layout' | 'span' | 'view' | 'sheet' | 'sums' | 'look' | 'now' | 'servers'>} given
 * @returns {Scene}
 */
export function sceneOf(given) {
  const { layout, span, sheet } = given;
  const { picture } = sheet;
  const { buckets, parts } = picture;
  const rows = parts ? given.view.regionCount * parts.slots : picture.bands;
  return {
    ...given,
    ...scalesOf(layout, span),
    firstBand: bandAt(picture, span.y0 + 1e-9),
    lastBand: picture.bands && bandAt(picture, span.y1 - 1e-9) + 1,
    firstBucket: Math.floor(span.x0 * buckets + 1e-9),
    lastBucket: Math.min(buckets, Math.ceil(span.x1 * buckets - 1e-9)),
    tall: layout.plot.height / ((span.y1 - span.y0) * rows),
  };
}

/** True if each band is one region. @param {Pick<Scene, 'sheet' | 'view'>} scene */
export const isByRegion = ({ sheet, view }) =>
  !sheet.picture.parts && sheet.picture.bands === view.regionCount;

/** How high a band is, from its top. @param {Pick<Scene, 'sheet' | 'y'>} scene @param {number} band */
export function extentOf({ sheet: { picture }, y }, band) {
  const top = y(placeOf(picture, band + 1));
  return { top, height: y(placeOf(picture, band)) - top };
}

/**
 * Draws nothing beyond a box.
 * @param {Pen} pen
 * @param {import('./layout.js').Box} box
 * @param {() => void} draw
 */
export function inside(pen, { x, y, width, height }, draw) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  draw();
  pen.restore();
}

/**
 * @param {Pen} pen
 * @param {string | string[]} words the first for which there is room, else the last
 * @param {number} x
 * @param {number} y baseline
 * @param {Look} look
 * @param {number} [room] pixels
 */
export function caption(pen, words, x, y, look, room = Number.POSITIVE_INFINITY) {
  pen.font = look.font;
  const all = [words].flat();
  const text = all.find((one) => pen.measureText(one).width <= room) ?? all[all.length - 1];
  pen.fillStyle = look.muted;
  pen.textAlign = 'left';
  pen.textBaseline = 'alphabetic';
  pen.fillText(text, x, y);
}
