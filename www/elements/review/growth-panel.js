import { html, nothing } from 'lit';
import { propose } from '../../actions/actions.js';
import { arrivals, growth, servers } from '../../actions/review-answers.js';
import { withLayout, withOutlook } from '../../design/document.js';
import { CLUSTER, MONTHS, SPLIT_POLICIES, SPLIT_POLICY } from '../../design/outlook-defaults.js';
import { table } from '../../state/document-engine.js';
import { explained } from '../../state/glossary.js';
import { state } from '../../state/store.js';
import { bytes, count } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { GIB, SECONDS_PER_DAY } from '../../text/units.js';
import { slices, View } from '../shared/view.js';
import { figureInput } from './figure-input.js';
import { sizingRules } from './sizing-rules.js';
import { smallChart } from './small-chart.js';

/** @import { Cluster, Day, Design, Growth, Life, Problem } from '../../types.d.ts' */

const WAYS = /** @type {const} */ (['rising', 'spread', 'loop', 'tablePerPeriod']);

/** Months of the table's life. */
export class GrowthPanel extends View {
  static reads = slices('design', 'formula', 'report', 'review');

  /** @type {Problem[]} */
  #problems = [];
  /** The edits under way. */
  #edits = Promise.resolve();
  /** Day that is looked at; the last when none is chosen. @type {number | null} */
  #day = null;

  render() {
    const { outlook } = state;
    const problems = [...this.#problems, ...(outlook?.problems ?? [])];
    return html`
      <section class="growth" aria-labelledby="growth-title">
        <h2 id="growth-title">${say('page.growth')}</h2>
        ${outlook?.life ? this.#life(outlook.life) : nothing}
        ${this.#inputs()}
        ${state.sizing ? sizingRules(state.sizing, growth().months ?? MONTHS) : nothing}
        <div aria-live="polite">${problems.slice(0, 4).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</div>
      </section>
    `;
  }

  /** @param {Life} life */
  #life({ days, stopped }) {
    const day = Math.min(this.#day ?? days.length - 1, days.length - 1);
    const months = growth().months ?? MONTHS;
    const of = (/** @type {(day: Day) => number} */ member) => days.map(member);
    const common = {
      day,
      point: this.#point,
      begin: say('page.growth-begin'),
      end: stopped ? say('page.growth-day', { day: days.length }) : say('page.growth-months', { months }),
    };
    return html`
      <p class="sentence">${this.#sentence(days, months)}</p>
      ${stopped ? html`<p class="note bad">${describe(stopped)}</p>` : nothing}
      <div class="charts">
        ${smallChart({
          ...common,
          title: say('page.growth-regions'),
          format: count,
          series: [
            { name: say('page.growth-all'), values: of(({ regions }) => regions), look: 'line' },
            { name: say('page.growth-empty'), values: of(({ empty }) => empty), look: 'other' },
          ],
        })}
        ${smallChart({
          ...common,
          title: say('page.growth-largest'),
          format: bytes,
          series: [{ name: '', values: of(({ largest }) => largest), look: 'line' }],
          limit: { name: say('page.growth-splits-at'), value: this.#cluster('maxRegionGB') * GIB },
        })}
        ${smallChart({
          ...common,
          title: say('page.growth-size'),
          format: bytes,
          series: [
            { name: say('page.growth-stored'), values: of(({ live, stale }) => live + stale), look: 'other' },
            { name: say('page.growth-live'), values: of(({ live }) => live), look: 'area' },
          ],
        })}
      </div>
      <label class="day"><span>${say('page.growth-day', { day: day + 1 })}</span>
        <input type="range" min="0" max=${days.length - 1} .value=${String(day)} @input=${(/** @type {Event} */ event) => this.#point(Number(textOf(event)))}></label>
    `;
  }

  /** @param {Day[]} days @param {number} months */
  #sentence(days, months) {
    const last = days[days.length - 1];
    const splits = days.reduce((sum, day) => sum + day.splits, 0);
    const over = days.findIndex(({ overLive }) => overLive > 0);
    const figures = {
      months,
      regions: count(last.regions),
      empty: count(last.empty),
      largest: bytes(last.largest),
      size: bytes(last.live + last.stale),
      splits: count(splits),
    };
    const { before = 0 } = state.outlook ?? {};
    return html`${explained(say('page.growth-sentence', figures))} ${before ? say('page.growth-before', { days: count(before) }) : nothing} ${say(splits ? 'page.growth-splits' : 'page.growth-no-splits', figures)}
      ${over >= 0 ? html`<strong class="bad">${say('page.growth-over', { day: over + 1 })}</strong>` : nothing}`;
  }

  #inputs() {
    return html`<div class="inputs">${this.#rowInputs()}${this.#lifeInputs()}${this.#clusterInputs()}</div>`;
  }

  /** How many rows or bytes there are and will be. */
  #rowInputs() {
    const { bytesPerDay, bytesNow, rowsPerDay, rowsNow, months = MONTHS } = growth();
    const { outlook } = state;
    const inBytes = bytesPerDay !== undefined;
    return html`
      ${
        inBytes
          ? figureInput({
              label: say('page.growth-bytes-per-day'),
              value: bytesPerDay,
              unit: 'B',
              set: (value) => this.#grow({ bytesPerDay: value }),
            })
          : figureInput({
              label: say('page.growth-rows-per-day'),
              value: rowsPerDay,
              unit: outlook ? say('page.growth-of-bytes', { bytes: bytes(outlook.bytesPerDay) }) : '',
              set: (value) => this.#grow({ rowsPerDay: value }),
            })
      }
      ${figureInput({ label: say(inBytes ? 'page.growth-bytes-now' : 'page.growth-rows-now'), value: inBytes ? bytesNow : rowsNow, unit: inBytes ? 'B' : '', hint: '0', set: (value) => this.#grow(inBytes ? { bytesNow: value } : { rowsNow: value }) })}
      ${figureInput({ label: say('page.growth-ahead'), value: months, unit: say('page.growth-unit-months'), set: (value) => this.#grow({ months: value }) })}
    `;
  }

  /** How long rows live, and where new ones come. */
  #lifeInputs() {
    const ttl = table()?.families.find((family) => family.ttl)?.ttl;
    const { kind, days } = arrivals();
    return html`
      ${figureInput({ label: say('page.growth-ttl'), value: ttl && ttl / SECONDS_PER_DAY, unit: say('page.growth-unit-days'), hint: say('page.growth-for-ever'), set: this.#live })}
      <label class="figure-input"><span>${say('page.growth-arrivals')}</span>
        <select @change=${(/** @type {Event} */ event) => this.#arrive(textOf(event), days)}>
          ${WAYS.map((way) => html`<option value=${way} ?selected=${way === kind}>${say(`page.arrivals-${way}`)}</option>`)}
        </select></label>
      ${
        kind === 'loop' || kind === 'tablePerPeriod'
          ? figureInput({
              label: say('page.growth-period'),
              value: days,
              unit: say('page.growth-unit-days'),
              set: (value) =>
                typeof value === 'number' && value >= 1 && this.#arrive(kind, Math.round(value)),
            })
          : nothing
      }
    `;
  }

  /** How the cluster is set. */
  #clusterInputs() {
    const figure = (
      /** @type {keyof typeof CLUSTER} */ name,
      /** @type {string} */ label,
      /** @type {string} */ unit,
    ) =>
      figureInput({
        label,
        unit,
        value: state.design?.cluster?.[name],
        hint: String(CLUSTER[name]),
        set: (value) => this.#setCluster({ [name]: value }),
      });
    const policy = state.design?.cluster?.splitPolicy ?? SPLIT_POLICY;
    return html`
      ${figureInput({ label: say('page.servers'), value: table()?.servers, hint: String(servers()), set: this.#serve })}
      ${figure('maxRegionGB', say('page.growth-max-region'), 'GiB')}
      <label class="figure-input"><span>${say('page.growth-policy')}</span>
        <select @change=${(/** @type {Event} */ event) => this.#setCluster({ splitPolicy: textOf(event) })}>
          ${SPLIT_POLICIES.map((one) => html`<option value=${one} ?selected=${one === policy}>${say(`page.policy-${one}`)}</option>`)}
        </select></label>
      ${figure('flushMB', say('page.growth-flush'), 'MiB')}
      ${figure('majorCompactionDays', say('page.growth-compaction'), say('page.growth-unit-days'))}
    `;
  }

  /** @param {keyof typeof CLUSTER} name */
  #cluster(name) {
    return state.design?.cluster?.[name] ?? CLUSTER[name];
  }

  #point = (/** @type {number} */ day) => {
    this.#day = day;
    this.requestUpdate();
  };

  /** @param {(design: Design) => Design} edit */
  #propose(edit) {
    // One after the other: an edit is one of the design that the edits before it have left.
    this.#edits = this.#edits.then(async () => {
      this.#problems = await propose(edit);
      this.requestUpdate();
    });
  }

  /** @param {Record<string, unknown>} changes */
  #setCluster(changes) {
    this.#propose((design) => withOutlook(design, { cluster: without({ ...design.cluster, ...changes }) }));
  }

  /** @param {Record<string, unknown>} changes */
  #grow(changes) {
    this.#propose((design) =>
      withOutlook(design, { growth: /** @type {Growth} */ (without({ ...growth(), ...changes })) }),
    );
  }

  /** Where rows come. @param {string} kind @param {number} days */
  #arrive(kind, days) {
    this.#grow({ arrivals: kind === 'rising' || kind === 'spread' ? kind : { [kind]: days } });
  }

  /** How long rows live: a member of the families. @param {string | number | undefined} days */
  #live = (days) => {
    const ttl = typeof days === 'number' ? Math.round(days * SECONDS_PER_DAY) : days;
    const { families = [] } = table() ?? {};
    const all = families.length ? families : ttl === undefined ? [] : [{ name: 'd' }];
    this.#propose((design) =>
      withLayout(design, state.table, {
        families: all.map((family) => /** @type {any} */ (without({ ...family, ttl }))),
      }),
    );
  };

  /** @param {string | number | undefined} number */
  #serve = (number) => {
    this.#propose((design) =>
      withLayout(design, state.table, { servers: /** @type {number | undefined} */ (number) }),
    );
  };
}

/** Without members that are not given. @param {object} object @returns {Growth & Cluster} */
function without(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** @param {Event} event */
function textOf({ target }) {
  return /** @type {HTMLInputElement} */ (target).value;
}
customElements.define('growth-panel', GrowthPanel);
