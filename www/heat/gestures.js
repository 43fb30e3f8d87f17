import { placeAt } from './layout.js';
import { isWhole, moved, within, zoomed } from './viewport.js';

/** @import { Box, Layout } from './layout.js' */
/** @import { Span } from './viewport.js' */

/**
 * Interface between gestures and the figure: state that they read and actions that they call.
 * @typedef {object} Host
 * @property {() => Layout} layout
 * @property {() => { bands: number, buckets: number } | null} picture
 * @property {() => Span} span
 * @property {(span: Span) => void} show
 * @property {(at: { x: number, y: number } | null) => void} hover
 * @property {(at: { x: number, y: number }) => void} tap
 * @property {(box: Box | null) => void} box
 */

/** Pixels a pointer may wander while it is still a tap. */
const STILL = 5;
/** A box thinner than this goes across the whole picture. */
const THIN = 10;
/** Milliseconds after the page was scrolled in which the wheel goes on scrolling it. */
const SCROLLING = 350;

/** Wheel, box, pinch and drag. */
export class Gestures {
  #host;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  /**
   * @type {{ x: number, y: number, span: Span, kind: 'tap' | 'box' | 'pan' | 'pinch', apart: number } | null}
   */
  #began = null;
  #scrolled = 0;
  #wheeled = 0;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * Follows the page's own scrolling: a wheel that scrolls the page is not caught on its way over the figure.
   */
  scrolled = () => {
    if (performance.now() - this.#wheeled > SCROLLING) this.#scrolled = performance.now();
  };

  /** Shift: keys only; Alt: time only. Whole again, the wheel scrolls the page. @param {WheelEvent} event */
  wheel = (event) => {
    const picture = this.#host.picture();
    const at = this.#place(event);
    if (!picture || !at.inside) return;
    const span = this.#host.span();
    const whole = isWhole(span);
    const scrolling = event.timeStamp - this.#scrolled < SCROLLING && !event.ctrlKey;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    // Shift turns a wheel's turn sideways on most systems.
    const turn = (event.deltaY || (event.shiftKey ? event.deltaX : 0)) * lines;
    if (whole && (turn >= 0 || scrolling)) return;
    event.preventDefault();
    this.#wheeled = performance.now();
    if (!turn) {
      this.#host.show(
        moved(span, ((event.deltaX * lines) / this.#host.layout().plot.width) * (span.x1 - span.x0), 0),
      );
      return;
    }
    const factor = Math.exp(Math.max(-0.7, Math.min(0.7, -turn * (event.ctrlKey ? 0.01 : 0.002))));
    const along = event.shiftKey ? 'keys' : event.altKey ? 'time' : 'both';
    this.#host.show(within(zoomed(span, factor, at.x, at.y, along), picture));
  };

  /** @param {PointerEvent} event */
  down = (event) => {
    if (event.button !== 0 || this.#fromControl(event)) return;
    const at = this.#point(event);
    this.#pointers.set(event.pointerId, at);
    const kind = this.#pointers.size > 1 ? 'pinch' : 'tap';
    const { x, y } = this.#middle();
    this.#began = { x, y, span: this.#host.span(), kind, apart: this.#apart() };
    this.#host.box(null);
    if (kind === 'pinch') this.#capture(event);
  };

  /** @param {PointerEvent} event */
  move = (event) => {
    const at = this.#point(event);
    if (!this.#pointers.has(event.pointerId)) {
      this.#host.hover(at);
      return;
    }
    this.#pointers.set(event.pointerId, at);
    const began = this.#began;
    const picture = this.#host.picture();
    if (!began || !picture) return;
    if (began.kind === 'tap') {
      if (Math.hypot(at.x - began.x, at.y - began.y) < STILL) return;
      const pans = event.shiftKey || event.pointerType === 'touch';
      began.kind = pans ? 'pan' : 'box';
      this.#capture(event);
      this.#host.hover(null);
    }
    if (began.kind === 'box') this.#host.box(this.#box(began, at));
    else this.#host.show(within(this.#followed(began), picture));
  };

  /** @param {PointerEvent} event */
  up = (event) => {
    if (!this.#pointers.has(event.pointerId)) return;
    const at = this.#point(event);
    const began = this.#began;
    this.#pointers.delete(event.pointerId);
    if (!began) return;
    if (this.#pointers.size) {
      // The finger that stays goes on from where it is.
      const { x, y } = this.#middle();
      this.#began = { x, y, span: this.#host.span(), kind: 'pan', apart: 0 };
      return;
    }
    this.#began = null;
    if (began.kind === 'tap') this.#host.tap(at);
    if (began.kind === 'box') this.#zoomTo(this.#box(began, at));
  };

  /** @param {PointerEvent} event */
  cancel = (event) => {
    this.#pointers.delete(event.pointerId);
    if (!this.#pointers.size) this.#began = null;
    this.#host.box(null);
  };

  leave = () => {
    if (!this.#pointers.size) this.#host.hover(null);
  };

  /** Cancels a box being drawn; true if there was one. */
  giveUp() {
    if (this.#began?.kind !== 'box') return false;
    this.#began = null;
    this.#pointers.clear();
    this.#host.box(null);
    return true;
  }

  /** @param {Box | null} box */
  #zoomTo(box) {
    this.#host.box(null);
    const picture = this.#host.picture();
    if (!box || !picture) return;
    const [layout, span] = [this.#host.layout(), this.#host.span()];
    const low = placeAt(layout, box.x, box.y + box.height, span);
    const high = placeAt(layout, box.x + box.width, box.y, span);
    this.#host.show(within({ x0: low.x, x1: high.x, y0: low.y, y1: high.y }, picture));
  }

  /**
   * The box between two points. Drawn along one side only, or in a margin, it goes across the picture.
   * @param {{ x: number, y: number }} from
   * @param {{ x: number, y: number }} to
   * @returns {Box | null}
   */
  #box(from, to) {
    const { plot } = this.#host.layout();
    const x = (/** @type {number} */ at) => Math.max(plot.x, Math.min(plot.x + plot.width, at));
    const y = (/** @type {number} */ at) => Math.max(plot.y, Math.min(plot.y + plot.height, at));
    let [left, right] = [x(Math.min(from.x, to.x)), x(Math.max(from.x, to.x))];
    let [top, bottom] = [y(Math.min(from.y, to.y)), y(Math.max(from.y, to.y))];
    const [wide, tall] = [Math.abs(from.x - to.x), Math.abs(from.y - to.y)];
    if (Math.max(wide, tall) < THIN) return null;
    const besides = from.x < plot.x || from.x > plot.x + plot.width;
    const aboveOrBelow = from.y < plot.y || from.y > plot.y + plot.height;
    if (wide < THIN || (besides && !aboveOrBelow)) [left, right] = [plot.x, plot.x + plot.width];
    if (tall < THIN || (aboveOrBelow && !besides)) [top, bottom] = [plot.y, plot.y + plot.height];
    return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
  }

  /**
   * Keeps the touched points under the fingers.
   * @param {{ x: number, y: number, span: Span, apart: number }} began
   */
  #followed({ x, y, span, apart }) {
    const layout = this.#host.layout();
    const now = this.#middle();
    const held = placeAt(layout, x, y, span);
    const scaled = apart > 0 ? zoomed(span, this.#apart() / apart, held.x, held.y) : span;
    const there = placeAt(layout, now.x, now.y, scaled);
    return moved(scaled, held.x - there.x, held.y - there.y);
  }

  #middle() {
    const all = [...this.#pointers.values()];
    const mean = (/** @type {'x' | 'y'} */ side) => all.reduce((sum, one) => sum + one[side], 0) / all.length;
    return { x: mean('x'), y: mean('y') };
  }

  #apart() {
    const [one, other] = [...this.#pointers.values()];
    return other ? Math.max(8, Math.hypot(one.x - other.x, one.y - other.y)) : 0;
  }

  /** @param {MouseEvent} event */
  #point({ clientX, clientY, currentTarget }) {
    const { left, top } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** @param {MouseEvent} event */
  #place(event) {
    const { x, y } = this.#point(event);
    return placeAt(this.#host.layout(), x, y, this.#host.span());
  }

  /** @param {PointerEvent} event */
  #capture({ currentTarget, pointerId }) {
    try {
      /** @type {Element} */ (currentTarget).setPointerCapture(pointerId);
    } catch {
      // The pointer is gone already.
    }
  }

  /** @param {Event} event */
  #fromControl({ target }) {
    return target instanceof Element && target.closest('button') !== null;
  }
}
