/** @import { Pen } from './scene.js' */

/** The part of the canvas interface that the figure uses, writing SVG. */
export class SvgPen {
  fillStyle = '#000';
  strokeStyle = '#000';
  globalAlpha = 1;
  lineWidth = 1;
  font = '12px sans-serif';
  textAlign = 'left';
  textBaseline = 'alphabetic';
  imageSmoothingEnabled = false;
  /** @type {string[]} */
  #parts = [];
  /** Groups that each saved state has opened. @type {number[]} */
  #open = [0];
  /** @type {[number, number, number, number] | null} */
  #rect = null;
  #clips = 0;
  #measure = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));

  /** @param {string} text */
  measureText(text) {
    this.#measure.font = this.font;
    return this.#measure.measureText(text);
  }

  clearRect() {}

  /** @param {number} x @param {number} y @param {number} wide @param {number} high */
  fillRect(x, y, wide, high) {
    this.#parts.push(`<rect ${box(x, y, wide, high)} ${paint('fill', this.fillStyle, this.globalAlpha)}/>`);
  }

  /** @param {number} x @param {number} y @param {number} wide @param {number} high */
  strokeRect(x, y, wide, high) {
    const stroke = paint('stroke', this.strokeStyle, this.globalAlpha);
    this.#parts.push(
      `<rect ${box(x, y, wide, high)} fill="none" ${stroke} stroke-width="${this.lineWidth}"/>`,
    );
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const [, size, family] = /^(\S+)px (.*)$/.exec(this.font) ?? ['', '12', 'sans-serif'];
    const anchor = { left: 'start', center: 'middle', right: 'end' }[this.textAlign];
    const down = { middle: 0.35, top: 0.95, alphabetic: 0 }[this.textBaseline] ?? 0;
    const place = `x="${short(x)}" y="${short(y + down * Number(size))}"`;
    this.#parts.push(
      `<text ${place} font-family="${safe(family)}" font-size="${size}" text-anchor="${anchor}" ${paint('fill', this.fillStyle, this.globalAlpha)} xml:space="preserve">${safe(text)}</text>`,
    );
  }

  /**
   * @param {HTMLCanvasElement} bitmap
   * @param {number} fromX
   * @param {number} fromY
   * @param {number} fromWide
   * @param {number} fromHigh
   * @param {number} x
   * @param {number} y
   * @param {number} wide
   * @param {number} high
   */
  drawImage(bitmap, fromX, fromY, fromWide, fromHigh, x, y, wide, high) {
    const [across, down] = [wide / fromWide, high / fromHigh];
    const whole = box(x - fromX * across, y - fromY * down, bitmap.width * across, bitmap.height * down);
    this.#parts.push(
      `<image ${whole} preserveAspectRatio="none" image-rendering="pixelated" href="${bitmap.toDataURL('image/png')}"/>`,
    );
  }

  save() {
    this.#open.push(0);
  }

  restore() {
    this.#parts.push('</g>'.repeat(this.#open.pop() ?? 0));
  }

  beginPath() {
    this.#rect = null;
  }

  /** @param {number} x @param {number} y @param {number} wide @param {number} high */
  rect(x, y, wide, high) {
    this.#rect = [x, y, wide, high];
  }

  clip() {
    if (!this.#rect) return;
    const id = `clip${this.#clips++}`;
    this.#parts.push(`<clipPath id="${id}"><rect ${box(...this.#rect)}/></clipPath>`);
    this.#group(`clip-path="url(#${id})"`);
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.#group(`transform="translate(${short(x)} ${short(y)})"`);
  }

  /** @param {number} angle in radians */
  rotate(angle) {
    this.#group(`transform="rotate(${short((angle * 180) / Math.PI)})"`);
  }

  /** @param {string} attribute */
  #group(attribute) {
    this.#parts.push(`<g ${attribute}>`);
    this.#open[this.#open.length - 1]++;
  }

  /**
   * The whole drawing.
   * @param {number} wide
   * @param {number} high
   * @param {string} title
   * @param {{ bar: string, ink: string, page: string }} colours
   */
  document(wide, high, title, { bar, ink, page }) {
    const patterns = [
      `<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 8l8-8M7 9l2-2" stroke="${safe(bar)}"/></pattern>`,
      `<pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 4l4-4M3 5l2-2" stroke="${safe(ink)}" stroke-width="1.4"/></pattern>`,
    ];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img"><title>${safe(title)}</title><defs>${patterns.join('')}</defs><rect width="100%" height="100%" fill="${safe(page)}"/>${this.#parts.join('')}</svg>\n`;
  }
}

/** Patterns by their name in the document. */
export const SVG_PATTERNS = { hatch: 'url(#hatch)', stripes: 'url(#stripes)' };

/** @param {number} x @param {number} y @param {number} wide @param {number} high */
const box = (x, y, wide, high) =>
  `x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, wide))}" height="${short(Math.max(0, high))}"`;

/** @param {number} value */
const short = (value) => Math.round(value * 100) / 100;

/** @param {string} what @param {string} colour @param {number} alpha */
const paint = (what, colour, alpha) =>
  `${what}="${safe(String(colour))}"${alpha < 1 ? ` ${what}-opacity="${short(alpha)}"` : ''}`;

/** Without what XML has no place for. @param {string} text */
function safe(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get in
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return allowed.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
