import { LitElement } from 'lit';
import { coloursOfCodes } from '../../heat/palette.js';
import { workedOut } from '../../heat/picture-cache.js';
import { WHOLE } from '../../heat/viewport.js';
import { scheme } from '../../state/theme.js';

/** @import { Picture, View } from '../../types.d.ts' */

/** A report, or the heat of a key in even shares. @typedef {Pick<View, 'picture'> & Partial<Pick<View, 'even'>>} Shown */

/** Pictures in even shares, by report. @type {WeakMap<Shown, Picture>} */
const evens = new WeakMap();

/**
 * The heat of a table without anything around it. It is drawn again when its size or the scheme is another.
 */
export class HeatMiniature extends LitElement {
  static properties = { view: { attribute: false }, scheme: { attribute: false } };

  #resize = new ResizeObserver(() => this.requestUpdate());

  constructor() {
    super();
    /** @type {Shown | null} */
    this.view = null;
    /** Named so that a change of it draws anew. */
    this.scheme = scheme();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#resize.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resize.disconnect();
  }

  updated() {
    const { view, clientWidth, clientHeight } = this;
    if (!view || !clientWidth || !clientHeight) return;
    const dots = devicePixelRatio || 1;
    const canvas = this.querySelector('canvas') ?? this.appendChild(document.createElement('canvas'));
    canvas.width = Math.round(clientWidth * dots);
    canvas.height = Math.round(clientHeight * dots);
    const draw = canvas.getContext('2d');
    if (!draw) return;
    draw.imageSmoothingEnabled = false;
    const { width, height } = canvas;
    const { pyramid } = workedOut(evenPicture(view));
    pyramid.paintWith(coloursOfCodes(evenPicture(view), this.scheme, { gain: 1, linear: true }));
    const cut = pyramid.cut(WHOLE, width, height);
    draw.drawImage(cut.bitmap, cut.x, cut.y, cut.wide, cut.high, 0, 0, width, height);
    const { bands } = view.picture;
    const high = canvas.height / bands;
    if (high < 5 * dots) return;
    draw.fillStyle = getComputedStyle(this).getPropertyValue('--line');
    for (let band = 1; band < bands; band++) draw.fillRect(0, Math.round(band * high), canvas.width, dots);
  }
}
/** The picture in even shares, as the large figure begins; one object for each report. @param {Shown} view */
function evenPicture(view) {
  if (view.picture.metric === 'even') return view.picture;
  const known = evens.get(view);
  if (known) return known;
  /** @type {Picture} */
  const picture = { ...view.picture, ...view.even, metric: 'even' };
  evens.set(view, picture);
  return picture;
}
customElements.define('heat-miniature', HeatMiniature);
