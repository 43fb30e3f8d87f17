import { html, nothing } from 'lit';
import { jumpTo } from '../actions.js';
import { compact, count, decimal, duration, moment, percent } from '../format.js';
import { boxOf, cellAt, layoutOf } from '../heat/layout.js';
import { bitmapOf, mostOf, paint, paintCrosshair } from '../heat/paint.js';
import { css } from '../heat/palette.js';
import { paintRanges } from '../heat/ranges.js';
import { firstKeyOf } from '../regions.js';
import { state } from '../store.js';
import { describe, say } from '../text.js';
import { onScheme, scheme } from './theme.js';
import { View } from './view.js';

/** @import { Layout } from '../heat/layout.js' */
/** @import { Look } from '../heat/paint.js' */
/** @typedef {{ band: number, bucket: number }} Cell */

/** The figure: region × time, with sums at the edges. */
export class HeatMap extends View {
  /** @type {Cell | null} */
  #hover = null;
  /** @type {Cell | null} */
  #pinned = null;
  #focused = false;
  #gain = 1;
  #frame = 0;
  #drawing = 0;
  /** @type {Layout} */
  #layout = layoutOf(600, 400);
  /** @type {{ key: unknown[], canvas: HTMLCanvasElement } | null} */
  #bitmap = null;
  #size = { width: 0, height: 0 };
  #resize = new ResizeObserver((entries) => {
    // A stage that was taken away is seen to shrink to nothing.
    const entry = entries.find(({ target }) => target.isConnected);
    if (!entry) return;
    this.#size = entry.contentRect;
    this.#draw();
  });

  connectedCallback() {
    super.connectedCallback();
    onScheme(() => this.#drawSoon());
  }

  updated() {
    const stage = this.querySelector('.stage');
    if (stage) this.#resize.observe(stage);
    this.#drawSoon();
  }

  /** Draws with the next frame, when the layout is known anyway. */
  #drawSoon() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  render() {
    const { view } = state;
    if (!view) return nothing;
    const cell = this.#cell();
    const outside = view.time?.outside ?? 0;
    return html`
      <figure class="heat" aria-busy=${state.counting || state.phase === 'sorting'}>
        <div class="stage" role="application" tabindex="0" aria-label=${say('page.heat-label')} aria-describedby="heat-help"
          @pointermove=${this.#move} @pointerleave=${this.#leave} @click=${this.#pin} @keydown=${this.#key}
          @focus=${this.#focus} @blur=${this.#blur}>
          <canvas role="img" aria-label=${this.#summary()}></canvas>
        </div>
        ${cell ? this.#tooltip(cell) : nothing}
        <figcaption>
          <span id="heat-help">${say('page.heat-help')}</span>
          ${outside ? html`<span>${say('page.outside', { rows: count(outside) })}</span>` : nothing}
          <span class="scale">
            <span>1</span>
            <canvas class="ramp" width="128" height="1" aria-hidden="true"></canvas>
            <span>${compact(Math.max(1, mostOf(view.picture.peak) / this.#gain))}${this.#gain > 1 ? '+' : ''}</span>
            <span>${say('page.rows-a-cell')}</span>
            <button type="button" class="quiet small" aria-label=${say('page.darker')} title=${say('page.darker')}
              ?disabled=${this.#gain <= 1} @click=${() => this.#brighten(0.5)}>−</button>
            <button type="button" class="quiet small" aria-label=${say('page.brighter')} title=${say('page.brighter')}
              ?disabled=${this.#gain >= 4096} @click=${() => this.#brighten(2)}>+</button>
          </span>
        </figcaption>
        <output class="unseen" aria-live="polite">${this.#focused && cell ? this.#lines(cell).join(', ') : ''}</output>
      </figure>
    `;
  }

  #cell() {
    const cell = this.#pinned ?? this.#hover;
    const picture = state.view?.picture;
    return cell && picture && cell.band < picture.bands && cell.bucket < picture.buckets ? cell : null;
  }

  #summary() {
    const { view } = state;
    if (!view) return '';
    return say('page.heat-summary', {
      regions: count(view.regionCount),
      moments: count(view.picture.buckets),
      verdict: describe(view.verdict),
    });
  }

  /**
   * What is known of a cell, a line each.
   * @param {Cell} cell
   */
  #lines({ band, bucket }) {
    const { view } = state;
    if (!view) return [];
    const { picture, time, moments } = view;
    const first = picture.edges[band];
    const last = picture.edges[band + 1] - 1;
    const at = band * picture.buckets + bucket;
    const inBand = picture.rows[band];
    const stop = picture.starts[band + 1];
    return [
      first === last
        ? say('page.region', { index: count(first) })
        : say('page.regions-folded', {
            first: count(first),
            last: count(last),
            most: count(picture.most[band]),
          }),
      say('page.key-range', {
        start: picture.starts[band] || say(first ? 'page.region' : 'page.first-key', { index: count(first) }),
        stop:
          stop ||
          say(last + 1 < view.regionCount ? 'page.region' : 'page.last-key', { index: count(last + 1) }),
      }),
      ...(time
        ? [
            say('page.time-range', {
              start: `${moment(time.start + bucket * time.step, time.step)} UTC`,
              step: duration(time.step),
            }),
          ]
        : []),
      say('page.cell-rows', {
        rows: count(picture.sum[at]),
        share: percent(picture.sum[at] / Math.max(1, moments.rows[bucket])),
      }),
      say('page.region-rows', { rows: count(inBand), share: percent(inBand / Math.max(1, view.keys.count)) }),
      say('page.moment-effective', { regions: decimal(moments.effective[bucket]) }),
    ];
  }

  /** @param {Cell} cell */
  #tooltip(cell) {
    const [title, ...lines] = this.#lines(cell);
    return html`
      <div class=${`tooltip${this.#pinned ? ' pinned' : ''}`}>
        <strong>${title}</strong>
        ${lines.map((line, index) => html`<span class=${index === 0 ? 'mono' : ''}>${line}</span>`)}
        ${
          this.#pinned
            ? html`<span class="row">
              <button type="button" class="quiet small" @click=${() => this.#copy(cell)}>${say('page.copy')}</button>
              <button type="button" class="quiet small" @click=${this.#unpin}>${say('page.unpin')}</button>
            </span>`
            : nothing
        }
      </div>
    `;
  }

  /** @param {Cell} cell */
  #copy(cell) {
    navigator.clipboard?.writeText(this.#lines(cell).join('\t')).catch(() => {});
  }

  #unpin = () => {
    this.#pinned = null;
    this.#hover = null;
    this.requestUpdate();
  };

  /** @param {PointerEvent} event */
  #move = (event) => {
    this.#hover = this.#under(event);
    this.#soon();
  };

  #leave = () => {
    this.#hover = null;
    this.#soon();
  };

  /** @param {MouseEvent} event */
  #pin = (event) => {
    const cell = this.#under(event);
    this.#pinned =
      cell && this.#pinned?.band === cell.band && this.#pinned.bucket === cell.bucket ? null : cell;
    if (this.#pinned) this.#jump(this.#pinned);
    this.requestUpdate();
  };

  #focus = () => {
    this.#focused = true;
    this.requestUpdate();
  };

  #blur = () => {
    this.#focused = false;
    this.requestUpdate();
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const picture = state.view?.picture;
    if (!picture) return;
    if (event.key === 'Escape') {
      this.#unpin();
      return;
    }
    if (event.key === 'Enter' && this.#pinned) {
      this.#jump(this.#pinned);
      return;
    }
    const far = event.shiftKey ? 10 : 1;
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [far, 0],
      ArrowDown: [-far, 0],
      ArrowLeft: [0, -far],
      ArrowRight: [0, far],
      Home: [0, -picture.buckets],
      End: [0, picture.buckets],
      PageUp: [picture.bands, 0],
      PageDown: [-picture.bands, 0],
    });
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const from = this.#cell() ?? { band: -step[0], bucket: -step[1] };
    this.#pinned = {
      band: Math.max(0, Math.min(picture.bands - 1, from.band + step[0])),
      bucket: Math.max(0, Math.min(picture.buckets - 1, from.bucket + step[1])),
    };
    this.requestUpdate();
  };

  /** Shows the first key of the cell's region in the list. @param {Cell} cell */
  #jump({ band }) {
    const { view } = state;
    if (!view) return;
    jumpTo(firstKeyOf(view.listed, view.picture.edges[band]));
  }

  /** @param {MouseEvent} event */
  #under({ clientX, clientY }) {
    const canvas = this.querySelector('canvas');
    if (!canvas || !state.view) return null;
    const { left, top } = canvas.getBoundingClientRect();
    return cellAt(this.#layout, state.view.picture, clientX - left, clientY - top);
  }

  /** @param {number} factor */
  #brighten(factor) {
    this.#gain *= factor;
    this.requestUpdate();
  }

  #soon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.requestUpdate());
  }

  #draw() {
    const canvas = this.querySelector('canvas');
    const { view } = state;
    if (!canvas || !view) return;
    const { width, height } = this.#size;
    if (width < 1 || height < 1) return;
    const dots = devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    const draw = canvas.getContext('2d');
    if (!draw) return;
    draw.setTransform(dots, 0, 0, dots, 0, 0);
    this.#layout = layoutOf(width, height);
    const look = this.#look();
    const { plot } = this.#layout;
    const key = [
      view,
      Math.round(plot.width * dots),
      Math.round(plot.height * dots),
      look.scheme,
      this.#gain,
    ];
    if (!this.#bitmap || key.some((part, index) => part !== this.#bitmap?.key[index])) {
      this.#bitmap = {
        key,
        canvas: bitmapOf(view, .../** @type {[number, number, any, number]} */ (key.slice(1))),
      };
      this.#drawRamp(look);
    }
    paint(draw, this.#layout, view, this.#bitmap.canvas, look);
    const spans = state.query === null ? null : state.queries?.plans[state.query]?.spans;
    if (spans) paintRanges(draw, this.#layout, view.picture, spans, look);
    const cell = this.#cell();
    if (cell) {
      paintCrosshair(draw, this.#layout, view, cell, look, this.#pinned !== null);
      this.#place(cell);
    }
  }

  /** @param {Look} look */
  #drawRamp({ scheme: mode }) {
    const ramp = /** @type {HTMLCanvasElement | null} */ (this.querySelector('.ramp'));
    const draw = ramp?.getContext('2d');
    if (!ramp || !draw) return;
    for (let x = 0; x < ramp.width; x++) {
      draw.fillStyle = css(mode, 1 + Math.round((x / (ramp.width - 1)) * 254));
      draw.fillRect(x, 0, 1, 1);
    }
  }

  /** Puts the tooltip beside its cell, inside the figure. @param {Cell} cell */
  #place(cell) {
    const tooltip = /** @type {HTMLElement | null} */ (this.querySelector('.tooltip'));
    const picture = state.view?.picture;
    if (!tooltip || !picture) return;
    const box = boxOf(this.#layout, picture, cell);
    const { width, height } = tooltip.getBoundingClientRect();
    const right = box.x + box.width + 12;
    const left = right + width <= this.#layout.width ? right : Math.max(0, box.x - width - 12);
    const top = Math.max(0, Math.min(box.y - 12, this.#layout.height - height));
    tooltip.style.setProperty('translate', `${Math.round(left)}px ${Math.round(top)}px`);
  }

  /** @returns {Look} */
  #look() {
    const style = getComputedStyle(this);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    return {
      ink: colour('--ink'),
      muted: colour('--muted'),
      line: colour('--line'),
      bar: colour('--bar'),
      accent: colour('--accent'),
      page: colour('--page'),
      font: `12px ${style.fontFamily}`,
      mono: `12px ${colour('--mono')}`,
      scheme: scheme(),
    };
  }
}
customElements.define('heat-map', HeatMap);
