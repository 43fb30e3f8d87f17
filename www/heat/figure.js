import { roomForKeys } from './key-axis.js';
import { layoutOf } from './layout.js';
import { coloursOfCodes, css, patternsOf } from './palette.js';
import { workedOut } from './picture-cache.js';
import { sceneOf } from './scene.js';

/** @import { Picture } from '../types.d.ts' */
/** @import { Look, Scene } from './scene.js' */

/**
 * The picture, its colours and its place on a canvas: what a frame needs, kept from the frame before where it
 * is the same.
 */
export class Figure {
  layout = layoutOf(600, 400);
  /** @type {Scene | null} */
  scene = null;
  dots = 1;
  /** @type {{ key: string, picture: Picture, colours: Uint32Array } | null} */
  #colours = null;
  /** @type {Look | null} */
  #look = null;
  #needed = 0;
  #scheme;

  /** @param {() => Look['scheme']} scheme asked with each frame */
  constructor(scheme) {
    this.#scheme = scheme;
  }

  /** The look is read anew: the theme or the font may be another. */
  forgetLook() {
    this.#look = null;
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{ width: number, height: number }} size in pixels of the page
   * @param {Omit<Parameters<typeof sceneOf>[0], 'layout' | 'look' | 'sums'>} given
   * @param {{ gain: number, linear: boolean }} brightness
   * @returns {{ pen: CanvasRenderingContext2D, scene: Scene, pyramid: import('./pyramid.js').Pyramid } | null}
   */
  prepare(canvas, { width, height }, given, brightness) {
    this.dots = devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * this.dots), Math.round(height * this.dots)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    const pen = canvas.getContext('2d');
    if (!pen) return null;
    pen.setTransform(this.dots, 0, 0, this.dots, 0, 0);
    const timed = given.sheet.time !== null;
    const { layout } = this;
    const served = (given.servers ?? 0) > 1;
    const scheme = this.#scheme();
    if (this.#look?.scheme !== scheme) this.#look = lookOf(canvas, pen, scheme);
    const { picture } = given.sheet;
    // Computed for all regions, so the plot keeps its position while zooming.
    const needed = roomForKeys(pen, this.#look, given.view.picture.starts);
    const known = layout.width === width && layout.height === height && this.#needed === needed;
    this.#needed = needed;
    if (!known || layout.timed !== timed || layout.served !== served)
      this.layout = layoutOf(width, height, timed, served, needed);
    const { pyramid, sums } = workedOut(picture);
    pyramid.paintWith(this.#coloursOf(picture, brightness));
    this.scene = sceneOf({ ...given, layout: this.layout, look: this.#look, sums });
    return { pen, scene: this.scene, pyramid };
  }

  /** Values derived from a picture. @param {import('../types.d.ts').Sheet} sheet */
  worked({ picture }) {
    return { sums: workedOut(picture).sums };
  }

  /** @param {Picture} picture @param {{ gain: number, linear: boolean }} brightness */
  #coloursOf(picture, brightness) {
    const scheme = this.#scheme();
    const key = [scheme, brightness.gain, brightness.linear].join();
    if (this.#colours?.key !== key || this.#colours.picture !== picture) {
      this.#colours = { key, picture, colours: coloursOfCodes(picture, scheme, brightness) };
    }
    return this.#colours.colours;
  }
}

/**
 * The colours from none to most, once for each scheme.
 * @param {HTMLCanvasElement} ramp
 * @param {Look['scheme']} scheme
 * @param {number} [mark] a place on it that is marked, from 0 to 1
 */
export function paintRamp(ramp, scheme, mark = 0) {
  const painted = `${scheme} ${mark}`;
  if (ramp.dataset.painted === painted) return;
  ramp.dataset.painted = painted;
  const pen = ramp.getContext('2d');
  if (!pen) return;
  for (let x = 0; x < ramp.width; x++) {
    pen.fillStyle = css(scheme, 1 + Math.round((x / (ramp.width - 1)) * 254));
    pen.fillRect(x, 0, 1, 1);
  }
  if (!mark) return;
  pen.fillStyle = scheme === 'dark' ? '#fff' : '#000';
  pen.fillRect(Math.round(mark * (ramp.width - 1)), 0, 1, 1);
}

/**
 * @param {Element} element
 * @param {CanvasRenderingContext2D} pen
 * @param {Look['scheme']} scheme
 * @returns {Look}
 */
function lookOf(element, pen, scheme) {
  const style = getComputedStyle(element);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const ink = colour('--ink');
  return {
    ink,
    muted: colour('--muted'),
    line: colour('--line'),
    bar: colour('--bar'),
    accent: colour('--accent'),
    page: colour('--page'),
    font: `12px ${style.fontFamily}`,
    mono: `12px ${colour('--mono')}`,
    scheme,
    ...patternsOf(pen, { bar: colour('--bar'), ink }),
  };
}
