import { html, nothing } from 'lit';
import { jumpTo } from '../../actions/actions.js';
import { offerFigure } from '../../actions/figure-export.js';
import { firstKeyOf } from '../../design/region-borders.js';
import { bandAt, placeOf, regionOf } from '../../heat/bands.js';
import { Figure, paintRamp } from '../../heat/figure.js';
import { Gestures } from '../../heat/gestures.js';
import { keyOf } from '../../heat/keyboard.js';
import { cellAt } from '../../heat/layout.js';
import { paintBox, paintCrosshair, paintRanges } from '../../heat/marks.js';
import { paint } from '../../heat/paint.js';
import { partsOf } from '../../heat/palette.js';
import { Playback } from '../../heat/playback.js';
import { linesOf } from '../../heat/readout.js';
import { isByRegion } from '../../heat/scene.js';
import { isWhole, STEP, showing, WHOLE, within, zoomed } from '../../heat/viewport.js';
import { DEEPEST, partsFor } from '../../state/heat-parts.js';
import { sheetFor } from '../../state/heat-sheets.js';
import { state } from '../../state/store.js';
import { onScheme, scheme } from '../../state/theme.js';
import { count } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { nextFrame, slices, View } from '../shared/view.js';
import { heatCaption } from './heat-caption.js';
import { heatEmpty } from './heat-empty.js';
import { heatTip, placeTip } from './heat-tip.js';
import { BRIGHTEST, heatTools, momentText } from './heat-tools.js';

/** @import { Metric } from '../../types.d.ts' */
/** @import { Box } from '../../heat/layout.js' */
/** @import { Cell } from '../../heat/readout.js' */
/** @import { Span } from '../../heat/viewport.js' */

/** While the picture on show is about to be replaced. */
const BUSY = new Set(['starting', 'reading', 'sorting']);
/** Milliseconds without a zoom after which the words follow the picture. */
const SETTLED = 160;
/** Rows whose arrivals are worth playing. */
const PLAYED = 20;
/** Closer than this part of all time, finer moments are asked for. */
const CLOSE = 0.5;

/**
 * A place in the picture, in parts of all times and keys: it stays when moments become finer.
 * @typedef {{ x: number, y: number }} Place
 */

/** The figure: region × time, with sums at the edges. */
export class HeatMap extends View {
  static reads = slices('page', 'records', 'work', 'report', 'queries');

  /** @type {Metric} */
  #metric = 'even';
  #linear = true;
  #gain = 1;
  /** @type {Span} */
  #span = WHOLE;
  /** @type {Place | null} */
  #hover = null;
  /** @type {Place | null} */
  #pinned = null;
  /** @type {Box | null} */
  #box = null;
  #focused = false;
  /** @type {string | null} */
  #copied = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #settling;
  /** The picture that the visible span and the pin belong to. @type {unknown[]} */
  #of = [];
  #size = { width: 0, height: 0 };
  #figure = new Figure(scheme);
  #playback = new Playback(() => this.requestUpdate());
  #gestures = new Gestures({
    layout: () => this.#figure.layout,
    picture: () => this.#limits(),
    span: () => this.#span,
    show: (span) => this.#show(span),
    hover: (at) => this.#hovered(at),
    tap: (at) => this.#tapped(at),
    box: (box) => this.#boxed(box),
  });
  #resize = new ResizeObserver((entries) => {
    // A stage that was taken away is seen to shrink to nothing.
    const entry = entries.find(({ target }) => target.isConnected);
    if (!entry) return;
    this.#size = entry.contentRect;
    this.#draw();
  });

  connectedCallback() {
    super.connectedCallback();
    offerFigure(() => ({ scene: this.#figure.scene, ranges: this.#ranges() }));
    onScheme(() => this.#restyled());
    matchMedia('(forced-colors: active)').addEventListener('change', () => this.#restyled());
    addEventListener('scroll', this.#gestures.scrolled, { passive: true });
  }

  /** Where the parts of the figure lie. */
  get layout() {
    return this.#figure.layout;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('scroll', this.#gestures.scrolled);
    this.#playback.pause();
  }

  willUpdate() {
    const { source, keysVersion } = state;
    if (source !== this.#of[0]) {
      this.#span = WHOLE;
      this.#pinned = null;
      this.#playback.now = null;
      this.#playback.playing = false;
    } else if (keysVersion !== this.#of[1]) {
      // Sorted by other keys, the same time is looked at, of all keys.
      this.#span = { ...this.#span, y0: 0, y1: 1 };
    }
    this.#of = [source, keysVersion];
  }

  updated() {
    const stage = this.querySelector('.stage');
    if (stage) this.#resize.observe(stage);
    this.#drawSoon();
  }

  /** The colours may be others. */
  #restyled() {
    this.#figure.forgetLook();
    this.#drawSoon();
  }

  /** With the next frame the layout is known anyway. */
  #drawSoon = nextFrame(() => this.#draw());
  #updateSoon = nextFrame(() => this.requestUpdate());

  #sheet() {
    const { view } = state;
    if (!view) return null;
    const { x0, x1 } = this.#span;
    const close = x1 - x0 < CLOSE;
    const then = () => this.requestUpdate();
    const sheet = sheetFor(view, this.#metric, close, then);
    return partsFor(view, sheet, this.#span, this.#figure.layout.plot.height, then) ?? sheet;
  }

  /** How far one can zoom: a region into parts, where each is a band. */
  #limits() {
    const sheet = this.#sheet();
    const { view } = state;
    if (!sheet || !view) return null;
    const { bands, buckets, parts } = sheet.picture;
    const byRegion = parts || isByRegion({ sheet, view });
    return { bands: byRegion ? view.regionCount * DEEPEST : bands, buckets };
  }

  render() {
    const { view } = state;
    const sheet = this.#sheet();
    if (!view || !sheet) return nothing;
    if (!view.keys.count) return heatEmpty();
    const cell = this.#cell();
    const lines = cell ? this.#lines(cell) : null;
    const whole = isWhole(this.#span);
    return html`
      <figure class="heat" aria-busy=${state.counting || BUSY.has(state.phase)}>
        ${heatTools({
          metric: this.#metric,
          reads: view.tellsReads,
          choose: (metric) => this.#choose(metric),
          linear: this.#linear,
          scale: (linear) => this.#scale(linear),
          whole,
          zoom: (direction) => this.#zoom(STEP ** direction),
          reset: () => this.#show(WHOLE),
          gain: this.#gain,
          brighten: this.#brighten,
          playback: sheet.time && view.keys.count >= PLAYED ? this.#playback : null,
          nowText: momentText(sheet, this.#playback.now),
        })}
        <div class=${`stage${whole ? '' : ' zoomed'}`} role="application" tabindex="0" aria-label=${say('page.heat-keys')} aria-describedby="heat-help"
          @wheel=${this.#gestures.wheel} @pointerdown=${this.#gestures.down} @pointermove=${this.#gestures.move}
          @pointerup=${this.#gestures.up} @pointercancel=${this.#gestures.cancel} @pointerleave=${this.#gestures.leave}
          @keydown=${this.#key} @focus=${() => this.#focus(true)} @blur=${() => this.#focus(false)}>
          <canvas role="img" aria-label=${this.#summary()}></canvas>
        </div>
        ${lines ? heatTip(lines, { pinned: this.#pinned !== null, copied: this.#copied, copy: this.#copy, unpin: this.#unpin }) : nothing}
        ${heatCaption({ view, sheet, metric: this.#metric, span: this.#span, gain: this.#gain })}
        <output class="unseen" aria-live="polite">${this.#focused && lines ? lines.join(', ') : ''}</output>
      </figure>
    `;
  }

  #summary() {
    const { view } = state;
    if (!view) return '';
    return say('page.heat-summary', {
      what: `page.metric-${this.#metric}`,
      regions: count(view.regionCount),
      moments: count(view.picture.buckets),
      verdict: describe(view.verdict),
    });
  }

  /** The cell that is looked at. @returns {Cell | null} */
  #cell() {
    const place = this.#pinned ?? this.#hover;
    const picture = this.#sheet()?.picture;
    if (!place || !picture) return null;
    return {
      band: bandAt(picture, place.y),
      bucket: Math.max(0, Math.min(picture.buckets - 1, Math.floor(place.x * picture.buckets))),
    };
  }

  /** @param {Cell | null} cell @returns {Place | null} */
  #placeOf(cell) {
    const picture = this.#sheet()?.picture;
    if (!cell || !picture) return null;
    const y = (placeOf(picture, cell.band) + placeOf(picture, cell.band + 1)) / 2;
    return { x: (cell.bucket + 0.5) / picture.buckets, y };
  }

  /** @param {Cell} cell */
  #lines(cell) {
    const scene = this.#figure.scene;
    const sheet = this.#sheet();
    const { view } = state;
    if (!scene || !sheet || !view) return [];
    const known =
      scene.sheet === sheet && scene.view === view
        ? scene
        : { ...scene, ...this.#figure.worked(sheet), view, sheet };
    return linesOf(known, cell);
  }

  #copy = async (/** @type {string} */ text) => {
    await navigator.clipboard?.writeText(text).catch(() => {});
    this.#copied = text;
    this.requestUpdate();
  };

  #unpin = () => {
    this.#pinned = null;
    this.#hover = null;
    this.#copied = null;
    this.requestUpdate();
  };

  /** @param {{ x: number, y: number } | null} at */
  #hovered(at) {
    const picture = this.#sheet()?.picture;
    const cell = at && picture ? cellAt(this.#figure.layout, picture, at.x, at.y, this.#span) : null;
    const place = this.#placeOf(cell);
    if (place?.x === this.#hover?.x && place?.y === this.#hover?.y) return;
    this.#hover = place;
    if (!this.#pinned) this.#updateSoon();
  }

  /** @param {{ x: number, y: number }} at */
  #tapped(at) {
    const picture = this.#sheet()?.picture;
    if (!picture) return;
    const cell = cellAt(this.#figure.layout, picture, at.x, at.y, this.#span);
    const place = this.#placeOf(cell);
    const same = place?.x === this.#pinned?.x && place?.y === this.#pinned?.y;
    this.#pinned = same ? null : place;
    this.#copied = null;
    if (this.#pinned && cell) this.#jump(cell);
    this.requestUpdate();
  }

  /** @param {Box | null} box */
  #boxed(box) {
    if (!box && !this.#box) return;
    this.#box = box;
    this.#drawSoon();
  }

  /** @param {boolean} focused */
  #focus(focused) {
    this.#focused = focused;
    this.requestUpdate();
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const picture = this.#sheet()?.picture;
    if (!picture) return;
    const meant = keyOf(event, picture);
    if (!meant) return;
    event.preventDefault();
    const cell = this.#cell();
    if (meant.zoom) this.#zoom(STEP ** meant.zoom);
    if (meant.reset) this.#show(WHOLE);
    if (meant.brighten) this.#brighten(meant.brighten);
    if (meant.play && this.#sheet()?.time) this.#playback.toggle();
    if (meant.escape && !this.#gestures.giveUp()) this.#unpin();
    if (meant.open && cell) this.#jump(cell);
    if (!meant.step) return;
    const [up, across] = meant.step;
    const from = cell ?? {
      band: bandAt(picture, this.#span.y0 + 1e-9) - up,
      bucket: Math.ceil(this.#span.x0 * picture.buckets - across - 1e-9),
    };
    const to = {
      band: Math.max(0, Math.min(picture.bands - 1, from.band + up)),
      bucket: Math.max(0, Math.min(picture.buckets - 1, from.bucket + across)),
    };
    this.#pinned = this.#placeOf(to);
    this.#copied = null;
    this.#span = showing(this.#span, picture, to);
    this.requestUpdate();
  };

  /** Shows the first key of the cell's region in the list. @param {Cell} cell */
  #jump({ band }) {
    const { view } = state;
    const picture = this.#sheet()?.picture;
    if (view && picture) jumpTo(picture.parts?.ranks[band] ?? firstKeyOf(view.listed, picture.edges[band]));
  }

  /** The key ranges that the open query reads. */
  #ranges() {
    return (state.query === null ? null : state.queries?.plans[state.query]?.spans) ?? null;
  }

  /** Larger or smaller about the cell that is looked at, else the middle. @param {number} factor */
  #zoom(factor) {
    const picture = this.#limits();
    if (!picture) return;
    const { x0, x1, y0, y1 } = this.#span;
    const at = this.#pinned ?? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    this.#show(within(zoomed(this.#span, factor, at.x, at.y), picture));
  }

  /** @param {Span} span */
  #show(span) {
    this.#span = span;
    if (this.#hover) {
      this.#hover = null;
      this.#updateSoon();
    }
    this.#drawSoon();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.requestUpdate(), SETTLED);
  }

  /** @param {Metric} metric */
  #choose(metric) {
    this.#metric = metric;
    // Counts differ by orders of magnitude; multiples of an even share do not.
    this.#linear = metric === 'even';
    this.#gain = 1;
    this.requestUpdate();
  }

  /** @param {boolean} linear */
  #scale(linear) {
    this.#linear = linear;
    this.requestUpdate();
  }

  #brighten = (/** @type {number} */ factor) => {
    this.#gain = Math.max(1, Math.min(BRIGHTEST, this.#gain * factor));
    this.requestUpdate();
  };

  #draw() {
    const canvas = this.querySelector('canvas');
    const { view } = state;
    const sheet = this.#sheet();
    if (!canvas || !view || !sheet || this.#size.width < 1 || this.#size.height < 1) return;
    const apart = sheet.picture.parts || isByRegion({ sheet, view });
    const servers = apart && view.servers?.together === 1 ? view.servers.servers : null;
    const given = { span: this.#span, view, sheet, now: this.#playback.now, servers };
    const brightness = { gain: this.#gain, linear: this.#linear };
    const ready = this.#figure.prepare(canvas, this.#size, given, brightness);
    if (!ready) return;
    const { pen, scene, pyramid } = ready;
    const ramp = /** @type {HTMLCanvasElement | null} */ (this.querySelector('.ramp'));
    // An even share is marked.
    const mark = sheet.picture.metric === 'even' ? partsOf(sheet.picture, brightness)(1) : 0;
    if (ramp) paintRamp(ramp, scheme(), mark);
    const cell = this.#cell();
    paint(
      pen,
      scene,
      pyramid,
      this.#figure.dots,
      cell && servers ? regionOf(sheet.picture, cell.band) % servers : null,
    );
    const ranges = this.#ranges();
    if (ranges) paintRanges(pen, scene, ranges);
    if (cell) {
      paintCrosshair(pen, scene, cell, this.#pinned !== null);
      placeTip(this, scene, cell);
    }
    if (this.#box) paintBox(pen, scene, this.#box);
  }
}
customElements.define('heat-map', HeatMap);
