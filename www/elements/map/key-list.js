import { html, nothing } from 'lit';
import { showKey } from '../../actions/actions.js';
import { partColours } from '../../design/part-colours.js';
import { borderAt } from '../../design/region-borders.js';
import { keys } from '../../state/loading.js';
import { state } from '../../state/store.js';
import { figureText, intervalHelp, sampleOf } from '../../text/estimate.js';
import { count, moment } from '../../text/format.js';
import { say } from '../../text/sentences.js';
import { colouredKey } from '../shared/coloured-key.js';
import { slices, View } from '../shared/view.js';

/** @import { KeyPage } from '../../types.d.ts' */

const ROW = 26;
/** Keys asked for at a time. */
const PAGE = 200;
/** Pages kept. */
const KEPT = 24;
/** Tallest scrolled content that every browser lays out rightly; past it the scroll bar stands for more. */
const TALLEST = 6_000_000;

/** All keys in order, however many: only those in sight exist. */
export class KeyList extends View {
  static reads = slices('work', 'report', 'key');

  /** First key in sight; a fraction while scrolling. */
  #first = 0;
  #rows = 12;
  /** @type {unknown} */
  #version = null;
  /** @type {unknown} */
  #jump = null;
  /** @type {Map<number, KeyPage | Promise<void>>} */
  #pages = new Map();
  #own = -1;
  #resize = new ResizeObserver((entries) => {
    const entry = entries.find(({ target }) => target.isConnected);
    if (!entry) return;
    this.#rows = Math.ceil(entry.contentRect.height / ROW);
    this.requestUpdate();
  });

  render() {
    const { view, jump } = state;
    if (!view) return nothing;
    const all = view.held;
    if (this.#version !== state.keysVersion) {
      this.#version = state.keysVersion;
      this.#pages.clear();
      this.#first = Math.min(this.#first, Math.max(0, all - this.#rows));
    }
    if (jump && this.#jump !== jump) {
      this.#jump = jump;
      this.#first = Math.max(0, Math.min(jump.index, all - this.#rows + 1));
      queueMicrotask(() => this.#follow());
    }
    if (!all) return nothing;
    const from = Math.floor(this.#first);
    const indices = Array.from(
      { length: Math.max(0, Math.min(this.#rows + 1, all - from)) },
      (_, i) => from + i,
    );
    const colours = partColours(state.parts);
    const { duplicates, cells, min, max, mean } = view.keys;
    const named = cells?.columns.some(({ qualifiers }) => qualifiers.count > 0) ?? false;
    return html`
      <section class="keys" aria-labelledby="keys-title">
        <div class="title">
          <h2 id="keys-title">${say('page.keys')}</h2>
          <p class="muted figures">${say(min === max ? 'page.keys-alike' : 'page.keys-facts', { count: count(all), min: count(min), max: count(max), mean: mean.toFixed(1) })}</p>
          <p class=${duplicates.rows ? 'tag warning' : 'muted figures'} title=${duplicates.between ? intervalHelp() : nothing}>${repeatedText(
            duplicates,
            named,
          )}</p>
        </div>
        <div class="list" tabindex="0" role="group" aria-label=${say('page.keys-label')}
          @scroll=${this.#scrolled} @wheel=${this.#wheel} @keydown=${this.#key}>
          <div class="sheet">
            <ol class="window">${indices.map((index) => this.#row(index, colours))}</ol>
          </div>
        </div>
      </section>
    `;
  }

  updated() {
    const list = this.#list();
    if (!list) return;
    this.#resize.observe(list);
    const sheet = /** @type {HTMLElement} */ (list.firstElementChild);
    const tall = Math.min(TALLEST, this.#all() * ROW);
    sheet.style.setProperty('height', `${tall}px`);
    list.style.setProperty('--all', `${tall}px`);
  }

  /** @param {number} index @param {string[]} colours */
  #row(index, colours) {
    const page = this.#page(index);
    const border = state.view && borderAt(state.view.listed, index);
    const edge = border ? html`<span class="border"><span>${borderText(border)}</span></span>` : nothing;
    if (!page)
      return html`<li>${edge}<span class="index">${count(index)}</span><span class="waiting"></span></li>`;
    const at = index - page.first;
    if (at >= page.ends.length) return html`<li></li>`;
    const time = page.times[at];
    return html`<li class=${border ? 'edge' : ''} @click=${() => showKey(index)}>
      ${edge}<span class="index">${count(index)}</span>
      <span class="bytes mono">${colouredKey(page, at, colours)}${same(page, at) ? html`<span class="same">${say('page.same-key')}</span>` : nothing}</span>
      <time>${Number.isNaN(time) ? '' : `${moment(time, 1000)} UTC`}</time>
      <span class="record">${say('page.record', { row: count(page.numbers[at]) })}</span>
    </li>`;
  }

  /** @param {number} index @returns {KeyPage | null} */
  #page(index) {
    const number = Math.floor(index / PAGE);
    const page = this.#pages.get(number);
    if (page instanceof Promise) return null;
    if (page) return page;
    if (state.phase !== 'ready') return null;
    const version = this.#version;
    this.#pages.set(
      number,
      keys(number * PAGE, PAGE).then(
        (/** @type {KeyPage} */ given) => {
          if (version !== this.#version) return;
          this.#pages.set(number, given);
          const oldest = this.#pages.keys().next().value;
          if (this.#pages.size > KEPT && oldest !== undefined) this.#pages.delete(oldest);
          this.requestUpdate();
        },
        () => {
          this.#pages.delete(number);
        },
      ),
    );
    return null;
  }

  #all() {
    return state.view?.held ?? 0;
  }

  #list() {
    return /** @type {HTMLElement | null} */ (this.querySelector('.list'));
  }

  /** Moves by whole keys. @param {number} by */
  #move(by) {
    this.#first = Math.max(0, Math.min(this.#first + by, this.#all() - this.#rows + 1));
    this.#follow();
    this.requestUpdate();
  }

  /** Puts the scroll bar where the first key in sight is. */
  #follow() {
    const list = this.#list();
    if (!list) return;
    const room = list.scrollHeight - list.clientHeight;
    this.#own = Math.round((this.#first / Math.max(1, this.#all() - this.#rows + 1)) * room);
    list.scrollTop = this.#own;
  }

  #scrolled = () => {
    const list = this.#list();
    if (!list || Math.abs(list.scrollTop - this.#own) < 1.5) return;
    this.#own = -1;
    const room = Math.max(1, list.scrollHeight - list.clientHeight);
    this.#first = (list.scrollTop / room) * Math.max(0, this.#all() - this.#rows + 1);
    this.requestUpdate();
  };

  /**
   * While the scroll bar stands for more than it shows, a wheel still moves by what it says.
   * @param {WheelEvent} event
   */
  #wheel = (event) => {
    if (this.#all() * ROW <= TALLEST || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    this.#move(event.deltaY / ROW);
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key === 'Enter') showKey(Math.floor(this.#first));
    const page = Math.max(1, this.#rows - 1);
    const by = /** @type {Record<string, number>} */ ({
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -page,
      PageDown: page,
      Home: -this.#all(),
      End: this.#all(),
    })[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#move(by);
  };
}

/**
 * Keys of several rows: counted, estimated, or seen in a sample, which has the fewest of them. Where records of one key write
 * cells of their own, these cells.
 * @param {import('../../types.d.ts').Report['keys']['duplicates']} duplicates
 * @param {boolean} named
 */
function repeatedText({ keys, rows, between }, named) {
  const [ofKeys, ofRows] = between ?? [
    [keys, keys],
    [rows, rows],
  ];
  const figures = {
    keys: figureText({ value: keys, low: ofKeys[0], high: ofKeys[1] }),
    rows: figureText({ value: rows, low: ofRows[0], high: ofRows[1] }),
  };
  const where = sampleOf(state.view) ? '-sample' : '';
  if (named) return say(rows ? 'page.duplicate-cells' : 'page.no-duplicate-cells', figures);
  return say(rows ? `page.duplicates${where}` : `page.no-duplicates${where}`, figures);
}

/** @param {{ first: number, last: number }} border */
function borderText({ first, last }) {
  const empty = last - first;
  const code = ['page.region', 'page.region-after-empty'][empty] ?? 'page.region-after-some-empty';
  return say(code, { index: count(last), first: count(first), before: count(last - 1) });
}

/** True if a key equals the one before it. @param {KeyPage} page @param {number} at */
function same({ bytes, ends }, at) {
  if (at === 0) return false;
  const before = bytes.subarray(at > 1 ? ends[at - 2] : 0, ends[at - 1]);
  const key = bytes.subarray(ends[at - 1], ends[at]);
  return before.length === key.length && before.every((byte, index) => byte === key[index]);
}
customElements.define('key-list', KeyList);
