import { LitElement } from 'lit';
import { coloursOfCodes } from '../../heat/palette.js';
import { workedOut } from '../../heat/picture-cache.js';
import { WHOLE } from '../../heat/viewport.js';
import { scheme } from '../../state/theme.js';

/** @import { View } from '../../types.d.ts' */

/**
 * The heat of a table without anything around it. It is drawn again when its size or the scheme is another.
 */
export class HeatMiniature extends LitElement {
  static properties = { view: { attribute: false }, scheme: { attribute: false } };

  #resize = new ResizeObserver(() => this.requestUpdate());

  constructor() {
    super();
    /** @type {View | null} */
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
    const { pyramid } = workedOut(view.picture);
    pyramid.paintWith(coloursOfCodes(view.picture, this.scheme, { gain: 1, linear: false }));
    const cut = pyramid.cut(WHOLE, width, height);
    draw.drawImage(cut.bitmap, cut.x, cut.y, cut.wide, cut.high, 0, 0, width, height);
    const { bands } = view.picture;
    const high = canvas.height / bands;
    if (high < 5 * dots) return;
    draw.fillStyle = getComputedStyle(this).getPropertyValue('--line');
    for (let band = 1; band < bands; band++) draw.fillRect(0, Math.round(band * high), canvas.width, dots);
  }
}
customElements.define('heat-miniature', HeatMiniature);
