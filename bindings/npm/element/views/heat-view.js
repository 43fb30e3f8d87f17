import { html, nothing } from 'lit/html.js';
import { roomForKeys } from '../../../../www/heat/key-axis.js';
import { boxOf, cellAt, layoutOf } from '../../../../www/heat/layout.js';
import { paintCrosshair } from '../../../../www/heat/marks.js';
import { paint } from '../../../../www/heat/paint.js';
import { coloursOfCodes, css, patternsOf } from '../../../../www/heat/palette.js';
import { workedOut } from '../../../../www/heat/picture-cache.js';
import { linesOf } from '../../../../www/heat/readout.js';
import { sceneOf } from '../../../../www/heat/scene.js';
import { WHOLE } from '../../../../www/heat/viewport.js';
import { compact, count } from '../../../../www/text/format.js';
import { describe, say } from '../../../../www/text/sentences.js';
import { regionTable } from './regions-view.js';

/** @import { View } from '../../../../www/types.d.ts' */
/** @import { Layout } from '../../../../www/heat/layout.js' */
/** @import { Look } from '../../../../www/heat/scene.js' */
/** @import { Answer } from '../types.d.ts' */
/** @typedef {{ band: number, bucket: number }} Cell */

const COLOURS = /** @type {const} */ (['ink', 'muted', 'line', 'bar', 'accent', 'page']);
/** Where an arrow key goes: bands up, moments on. @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Region × time as a picture, what is under the pointer in words, and the busiest regions as a table. */
export class HeatView {
  /** @type {View | null} */
  #report = null;
  /** @type {Cell | null} */
  #cell = null;
  /** @type {HTMLElement | null} */
  #stage = null;
  /** @type {'light' | 'dark'} */
  #scheme = 'light';
  /** @type {Layout} */
  #layout = layoutOf(600, 400);
  /** @type {ResizeObserver | null} */
  #resize = null;
  #frame = 0;
  #changed;

  /** @param {() => void} changed called when the template is to be drawn anew */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {Answer} answer */
  view({ report }) {
    if (!report) return nothing;
    this.#report = report;
    const cell = this.#cell;
    const [title, ...lines] = cell ? linesOf(given(report), cell) : [];
    const outside = report.time?.outside ?? 0;
    return html`<div class="stage" part="heatmap" role="application" tabindex="0" aria-label=${say('page.heat-label')}
        @pointermove=${this.#move} @pointerleave=${this.#leave} @keydown=${this.#key} @blur=${this.#leave}>
        <canvas role="img" aria-label=${summaryOf(report)}></canvas>
        <i class="probe" hidden></i>
        ${cell ? html`<div class="tooltip" part="tooltip" aria-live="polite"><strong>${title}</strong>${lines.map((line) => html`<span>${line}</span>`)}</div>` : nothing}
      </div>
      <p class="scale muted"><span>1</span> <canvas class="ramp" width="128" height="1" aria-hidden="true"></canvas>
        <span>${compact(Math.max(1, report.picture.top))}</span> <span>${say('page.rows-a-cell')}</span>
        ${outside ? html`<span>${say('page.outside', { rows: count(outside) })}</span>` : nothing}</p>
      <details part="details"><summary>${say('page.region-table')}</summary>
        ${regionTable(report, report.busiestRegions.slice(0, 20), 'page.regions-busiest')}</details>`;
  }

  /** @param {ShadowRoot} root @param {'light' | 'dark'} scheme */
  updated(root, scheme) {
    const stage = /** @type {HTMLElement | null} */ (root.querySelector('.stage'));
    this.#scheme = scheme;
    if (stage !== this.#stage) {
      this.#resize?.disconnect();
      this.#resize = new ResizeObserver(() => this.#draw());
      this.#stage = stage;
      if (stage) this.#resize.observe(stage);
    }
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Draws at once, for paper. */
  drawNow() {
    this.#draw();
  }

  end() {
    cancelAnimationFrame(this.#frame);
    this.#resize?.disconnect();
    this.#stage = null;
    this.#report = null;
    this.#cell = null;
  }

  /** @param {PointerEvent} event */
  #move = (event) => {
    const canvas = this.#stage?.querySelector('canvas');
    if (!canvas || !this.#report) return;
    const { left, top } = canvas.getBoundingClientRect();
    this.#point(cellAt(this.#layout, this.#report.picture, event.clientX - left, event.clientY - top));
  };

  #leave = () => this.#point(null);

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const step = STEPS[event.key];
    const picture = this.#report?.picture;
    if (event.key === 'Escape') this.#point(null);
    if (!step || !picture) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const { band, bucket } = this.#cell ?? { band: 0, bucket: 0 };
    this.#point({
      band: Math.max(0, Math.min(picture.bands - 1, band + far * step[0])),
      bucket: Math.max(0, Math.min(picture.buckets - 1, bucket + far * step[1])),
    });
  };

  /** @param {Cell | null} cell */
  #point(cell) {
    if (cell?.band === this.#cell?.band && cell?.bucket === this.#cell?.bucket) return;
    this.#cell = cell;
    this.#changed();
  }

  #draw() {
    const report = this.#report;
    const stage = this.#stage;
    const canvas = stage?.querySelector('canvas');
    const draw = canvas?.getContext('2d');
    const { width = 0, height = 0 } = stage?.getBoundingClientRect() ?? {};
    if (!stage || !canvas || !draw || !report || width < 1 || height < 1) return;
    const dots = devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    draw.setTransform(dots, 0, 0, dots, 0, 0);
    const plain = lookOf(stage, this.#scheme);
    const look = { ...plain, ...patternsOf(draw, plain) };
    this.#layout = layoutOf(width, height, true, false, roomForKeys(draw, look, report.picture.starts));
    const { pyramid } = workedOut(report.picture);
    pyramid.paintWith(coloursOfCodes(report.picture, this.#scheme, { gain: 1, linear: false }));
    const scene = sceneOf({ ...given(report), layout: this.#layout, span: WHOLE, look, now: null });
    paint(draw, scene, pyramid, dots);
    drawRamp(stage, this.#scheme);
    if (!this.#cell) return;
    paintCrosshair(draw, scene, this.#cell, false);
    this.#place(this.#cell, stage);
  }

  /** Puts the tooltip beside its cell, inside the figure. @param {Cell} cell @param {HTMLElement} stage */
  #place(cell, stage) {
    const tooltip = /** @type {HTMLElement | null} */ (stage.querySelector('.tooltip'));
    if (!tooltip || !this.#report) return;
    const box = boxOf(this.#layout, this.#report.picture, cell);
    const { width, height } = tooltip.getBoundingClientRect();
    const right = box.x + box.width + 12;
    const left = right + width <= this.#layout.width ? right : Math.max(0, box.x - width - 12);
    const top = Math.max(0, Math.min(box.y - 12, this.#layout.height - height));
    tooltip.style.setProperty('translate', `${Math.round(left)}px ${Math.round(top)}px`);
  }
}

/** @param {View} report */
const summaryOf = ({ regionCount, picture, verdict }) =>
  say('page.heat-summary', {
    what: 'page.metric-rows',
    regions: count(regionCount),
    moments: count(picture.buckets),
    verdict: describe({ ...verdict, place: {} }),
  });

/** Drawing input of the figure. @param {View} view */
function given(view) {
  const { picture, moments, time } = view;
  return { view, sheet: { picture, moments, time }, sums: workedOut(picture).sums, servers: null };
}

/** The site's colours and fonts. @param {HTMLElement} stage @param {'light' | 'dark'} scheme @returns {Omit<Look, 'hatch' | 'stripes'>} */
function lookOf(stage, scheme) {
  const probe = /** @type {HTMLElement} */ (stage.querySelector('.probe'));
  const style = getComputedStyle(probe);
  const colour = (/** @type {string} */ name) => {
    probe.style.setProperty('color', `var(--r-${name})`);
    return style.color;
  };
  const colours = /** @type {Record<typeof COLOURS[number], string>} */ (
    Object.fromEntries(COLOURS.map((name) => [name, colour(name)]))
  );
  probe.style.removeProperty('color');
  return {
    ...colours,
    font: `12px ${style.fontFamily}`,
    mono: `12px ${style.getPropertyValue('--r-mono').trim() || 'monospace'}`,
    scheme,
  };
}

/** @param {HTMLElement} stage @param {'light' | 'dark'} scheme */
function drawRamp(stage, scheme) {
  const ramp = /** @type {HTMLCanvasElement | null | undefined} */ (
    stage.parentElement?.querySelector('.ramp')
  );
  const draw = ramp?.getContext('2d');
  if (!ramp || !draw) return;
  for (let x = 0; x < ramp.width; x++) {
    draw.fillStyle = css(scheme, 1 + Math.round((x / (ramp.width - 1)) * 254));
    draw.fillRect(x, 0, 1, 1);
  }
}
