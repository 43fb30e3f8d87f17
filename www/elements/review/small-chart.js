import { html, nothing, svg } from 'lit';

/** The drawing in its own units; it is as large as its box. */
const WIDE = 600;
const TALL = 120;
/** Points drawn of a line: of more the highest of each group. */
const POINTS = 300;

/**
 * A small chart of figures over days.
 * @param {object} about
 * @param {string} about.title
 * @param {{ name: string, values: number[], look: 'line' | 'area' | 'other' }[]} about.series drawn one upon the other
 * @param {{ name: string, value: number }} [about.limit] a dashed line
 * @param {(value: number) => string} about.format
 * @param {number} about.day the one whose figures are shown
 * @param {(day: number) => void} about.point told the day under the pointer
 * @param {string} about.end what the last day is called
 * @param {string} about.begin
 * @param {string} [about.about] between which figures the one shown lies, when it is estimated
 * @param {boolean} [about.dots] whether each point is marked: the days are few, and not days
 */
export function smallChart({
  title,
  series,
  limit,
  format,
  day,
  point,
  begin,
  end,
  about = '',
  dots = false,
}) {
  const days = series[0]?.values.length ?? 0;
  const most = niceAbove(
    series.reduce((top, { values }) => values.reduce((one, other) => Math.max(one, other || 0), top), 0),
  );
  const x = (/** @type {number} */ at) => (days > 1 ? (at / (days - 1)) * WIDE : WIDE);
  const y = (/** @type {number} */ value) => TALL - (value / most) * TALL;
  const moved = (/** @type {PointerEvent} */ event) => {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const part = (event.clientX - left) / Math.max(1, width);
    point(Math.max(0, Math.min(days - 1, Math.round(part * (days - 1)))));
  };
  const marked = limit && limit.value <= most ? limit : undefined;
  return html`<figure class="small-chart">
    <figcaption><span>${title}</span>
      ${series.map(({ name, values, look }) => html`<span class=${`now ${look}`}>${series.length > 1 ? html`<i aria-hidden="true"></i><span class="muted">${name}</span> ` : nothing}<strong class="figures">${format(values[day] ?? Number.NaN)}</strong></span>`)}
      ${about ? html`<span class="about muted small">${about}</span>` : nothing}
    </figcaption>
    <div class="plot" @pointermove=${moved} @pointerdown=${moved}>
      <svg viewBox=${`0 0 ${WIDE} ${TALL}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="grid" d=${`M0 0H${WIDE}M0 ${TALL / 2}H${WIDE}M0 ${TALL}H${WIDE}`}></path>
        ${series.map(({ values, look }) => {
          const points = known(thinned(values)).map(
            ([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
          );
          const marks = dots
            ? svg`<path class="dots" d=${points.map((at) => `M${at}h0`).join('')}></path>`
            : nothing;
          return svg`${marks}<path class=${look} d=${look === 'area' ? `M0 ${TALL}L${points.join('L')}L${WIDE} ${TALL}Z` : `M${points.join('L')}`}></path>`;
        })}
        ${marked ? svg`<path class="limit" d=${`M0 ${y(marked.value)}H${WIDE}`}></path>` : nothing}
        <path class="day" d=${`M${x(day)} 0V${TALL}`}></path>
      </svg>
      <span class="top muted small">${format(most)}</span>
    </div>
    <p class="axis muted small"><span>${begin}</span>${marked ? html`<span class="limit-name">${marked.name}</span>` : nothing}<span>${end}</span></p>
  </figure>`;
}

/** The least round number that is not below. @param {number} value */
function niceAbove(value) {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** Points whose value is known: the line goes on from one to the next. @param {[number, number][]} points */
const known = (points) => points.filter(([, value]) => !Number.isNaN(value));

/**
 * Day and value of at most so many points, the highest of each group.
 * @param {number[]} values
 * @returns {[number, number][]}
 */
function thinned(values) {
  const together = Math.ceil(values.length / POINTS);
  /** @type {[number, number][]} */
  const points = [];
  for (let from = 0; from < values.length; from += together) {
    let best = from;
    for (let at = from; at < Math.min(values.length, from + together); at++)
      if (values[at] > values[best]) best = at;
    points.push([best, values[best]]);
  }
  const last = values.length - 1;
  if (points.at(-1)?.[0] !== last) points.push([last, values[last]]);
  return points;
}
