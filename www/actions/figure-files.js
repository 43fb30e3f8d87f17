import { tablesOf } from '../design/document.js';
import { lastRegionOf, regionOf } from '../heat/bands.js';
import { paintRanges } from '../heat/marks.js';
import { paint } from '../heat/paint.js';
import { workedOut } from '../heat/picture-cache.js';
import { sceneOf } from '../heat/scene.js';
import { SVG_PATTERNS, SvgPen } from '../heat/svg-pen.js';
import { state } from '../state/store.js';
import { download, fileName } from './download.js';
import { reportOf } from './figure-report.js';

/** @import { Sheet, View } from '../types.d.ts' */
/** @import { FIGURE_FILES } from './figure-export.js' */
/** @import { Pyramid } from '../heat/pyramid.js' */
/** @import { Pen, Scene } from '../heat/scene.js' */

/** Pixels of a picture for each of the page. */
const SCALE = 2;
/** Room above the figure for what it is of. */
const TITLE = 30;

/**
 * Inputs of a figure export.
 * @typedef {object} Taken
 * @property {Scene} scene
 * @property {Pyramid} pyramid
 * @property {Float64Array | null} ranges of the query that is open
 * @property {string} title
 */

/**
 * A file of the figure as it is on show, of its numbers, or of all that is told of the design.
 * @type {Record<typeof FIGURE_FILES[number], (taken: Taken) => Promise<void>>}
 */
const SAVE = {
  async png({ title, ...rest }) {
    const { width, height } = rest.scene.layout;
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * SCALE);
    canvas.height = Math.round((height + TITLE) * SCALE);
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.scale(SCALE, SCALE);
    pen.translate(0, TITLE);
    draw(pen, rest.scene, rest, title, SCALE);
    // Behind what is drawn, for the figure clears its own place.
    pen.globalCompositeOperation = 'destination-over';
    pen.fillStyle = rest.scene.look.page;
    pen.fillRect(0, -TITLE, width, height + TITLE);
    const blob = await new Promise((made) => canvas.toBlob(made));
    if (blob) download(`${fileName(state.design?.name)}.png`, blob);
  },

  async svg(taken) {
    download(`${fileName(state.design?.name)}.svg`, new Blob([svgOf(taken)], { type: 'image/svg+xml' }));
  },

  async report(taken) {
    const text = reportOf(taken.scene.view, svgOf(taken));
    download(`${fileName(state.design?.name)}.html`, new Blob([text], { type: 'text/html' }));
  },

  async csv({ scene }) {
    download(`${fileName(state.design?.name)}.csv`, new Blob([...csvOf(scene.sheet)], { type: 'text/csv' }));
  },

  async json({ scene }) {
    const text = `${JSON.stringify(jsonOf(scene.view, scene.sheet))}\n`;
    download(`${fileName(state.design?.name)}.json`, new Blob([text], { type: 'application/json' }));
  },
};

/**
 * A file of the figure as it is on show.
 * @param {keyof typeof SAVE} kind
 * @param {Scene} scene
 * @param {Float64Array | null} ranges of the query that is open
 */
export async function saveAs(kind, scene, ranges) {
  const { design, table } = state;
  const title = [design?.name, design && tablesOf(design)[table]?.rowkey].filter(Boolean).join(': ');
  await SAVE[kind]({ scene, pyramid: workedOut(scene.sheet.picture).pyramid, ranges, title });
}

/** The figure as a drawing that stays sharp. @param {Taken} taken */
function svgOf({ title, ...rest }) {
  const { layout, look } = rest.scene;
  const pen = new SvgPen();
  pen.translate(0, TITLE);
  const scene = { ...rest.scene, look: { ...look, ...SVG_PATTERNS } };
  draw(/** @type {Pen} */ (/** @type {unknown} */ (pen)), scene, rest, title, 1);
  pen.restore();
  return pen.document(layout.width, layout.height + TITLE, title, look);
}

/**
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {{ pyramid: Pyramid, ranges: Float64Array | null }} what
 * @param {string} title
 * @param {number} dots
 */
function draw(pen, scene, { pyramid, ranges }, title, dots) {
  paint(pen, sceneOf(scene), pyramid, dots);
  if (ranges) paintRanges(pen, scene, ranges);
  pen.font = scene.look.font.replace('12px', '14px');
  pen.fillStyle = scene.look.ink;
  pen.textAlign = 'left';
  pen.textBaseline = 'alphabetic';
  pen.fillText(title, 8, -10);
}

/** @param {Sheet} sheet */
function momentsOf({ picture: { buckets }, time }) {
  if (!time) return [];
  return Array.from({ length: buckets }, (_, at) =>
    new Date(Math.round(time.start + at * time.step)).toISOString(),
  );
}

/** The metric whose numbers a file holds: even shares are a way to color rows. @param {Sheet['picture']} picture */
const toldAs = ({ metric }) => (metric === 'even' ? 'rows' : metric);

/**
 * Region × time, a line for each region, part of one or line of the picture, in pieces.
 * @param {Sheet} sheet
 */
export function* csvOf(sheet) {
  const { picture } = sheet;
  const { bands, buckets, starts, peak } = picture;
  const metric = toldAs(picture);
  const cells = metric === 'share' ? peak : picture.sum;
  const quoted = (/** @type {string} */ text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const moments = sheet.time ? momentsOf(sheet) : ['all'];
  yield `first_region,last_region,start_row,metric,${moments.join(',')}\r\n`;
  for (let band = 0; band < bands; band++) {
    const regions = `${regionOf(picture, band)},${lastRegionOf(picture, band)}`;
    const row = cells.subarray(band * buckets, (band + 1) * buckets);
    yield `${regions},${quoted(starts[band])},${metric},${row.join(',')}\r\n`;
  }
}

/** @param {View} view @param {Sheet} sheet */
export function jsonOf(view, sheet) {
  const { picture } = sheet;
  const { bands, buckets, starts, peak, parts } = picture;
  const metric = toldAs(picture);
  const cells = metric === 'share' ? peak : picture.sum;
  return {
    metric,
    ...(parts?.sample && { sample: parts.sample }),
    regionCount: view.regionCount,
    time: sheet.time && { field: sheet.time.field, step: sheet.time.step, moments: momentsOf(sheet) },
    lines: Array.from({ length: bands }, (_, band) => ({
      firstRegion: regionOf(picture, band),
      lastRegion: lastRegionOf(picture, band),
      startRow: starts[band],
      cells: [...cells.subarray(band * buckets, (band + 1) * buckets)],
    })),
  };
}
