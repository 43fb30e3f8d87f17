import { html, nothing } from 'lit';
import { openEntry } from '../../actions/actions.js';
import { tablesOf } from '../../design/document.js';
import { designOf, exampleOf, pathOf } from '../../state/gallery-entries.js';
import { pictures } from '../../state/gallery-pictures.js';
import { glossary, linked } from '../../state/glossary.js';
import { count } from '../../text/format.js';
import { describe, detailOf, say } from '../../text/sentences.js';
import './gallery-records.js';
import '../shared/heat-miniature.js';
import { scheme } from '../../state/theme.js';
import { slices, View } from '../shared/view.js';

/** @import { Drawn } from '../../state/gallery-pictures.js' */
/** @import { Entry } from '../../state/gallery-entries.js' */
/** @import { Glossary } from '../../state/glossary.js' */
/** @import { Design, QueryPlan, View as Report } from '../../types.d.ts' */

/**
 * An entry with what was drawn of it.
 * @typedef {{ entry: Entry, design: Design, drawn: Drawn[] | null }} Shown
 */

/** One entry of the gallery: its story, its designs drawn side by side, its records. */
export class GalleryEntry extends View {
  static reads = slices('page');

  static properties = { entry: { attribute: false }, all: { attribute: false } };

  /** The entry and the better one beside it. @type {Shown[]} */
  #shown = [];
  #failed = false;
  /** @type {Glossary} */
  #words = {};
  /** @type {string | null} */
  #asked = null;

  constructor() {
    super();
    /** @type {Entry | null} */
    this.entry = null;
    /** @type {Entry[]} */
    this.all = [];
  }

  render() {
    const { entry, all } = this;
    if (!entry) return nothing;
    if (this.#asked !== entry.slug) this.#ask(entry);
    const better = all.find(({ slug }) => slug === entry.better);
    const at = all.indexOf(entry);
    const beside = { before: all[at - 1], after: all[at + 1] };
    return html`
      <nav class="crumbs" aria-label=${say('gallery.title')}>
        <a href="#gallery">${say('gallery.all')}</a>
        ${beside.before ? html`<a href=${`#gallery/${beside.before.slug}`} rel="prev">← ${beside.before.name}</a>` : nothing}
        ${beside.after ? html`<a href=${`#gallery/${beside.after.slug}`} rel="next">${beside.after.name} →</a>` : nothing}
      </nav>
      <div class="title">
        <h2 tabindex="-1">${entry.name}</h2>
        <button type="button" class="main" @click=${() => openEntry(exampleOf(entry))}>${say('gallery.open')}</button>
      </div>
      ${entry.path ? pathView(entry, pathOf(all)) : nothing}
      <div class="told">
        <p class="story">${linked(entry.story, this.#words)}</p>
        <div class="pointers">
          <h3>${say('gallery.look')}</h3><p>${linked(entry.look, this.#words)}</p>
          ${entry.wrong ? html`<h3>${say('gallery.wrong')}</h3><p class="note warning">${entry.wrong}</p>` : nothing}
          ${better ? html`<h3>${say('gallery.better')}</h3><p><a href=${`#gallery/${better.slug}`}>${better.name}</a></p>` : nothing}
        </div>
      </div>
      ${this.#failed ? html`<p class="note bad" role="alert">${say('gallery.not-loaded')}</p>` : nothing}
      <div class="designs">${this.#shown.map((shown) => this.#designs(shown))}</div>
      <gallery-records .entry=${entry}></gallery-records>
    `;
  }

  /** @param {Shown} shown */
  #designs({ entry, design, drawn }) {
    const tables = tablesOf(design);
    const other = entry !== this.entry;
    // If the better entry has several tables, show only the one that is better than this design.
    const only = other ? this.entry?.betterTable : undefined;
    return tables.map(({ name, rowkey }, table) => {
      if (only && name !== only) return nothing;
      const { view, picture, plans } = drawn?.[table] ?? { view: null, picture: null, plans: [] };
      const title = other || tables.length === 1 ? entry.name : name;
      return html`
        <figure class=${`design${other ? ' better' : ''}`} aria-busy=${!view}>
          <figcaption>
            <h3>${other ? html`<span class="tag good">${say('gallery.better-tag')}</span> ` : nothing}${title}</h3>
            <code>${rowkey}</code>
          </figcaption>
          <heat-miniature role="img" aria-label=${say('gallery.picture', { name: title })} .view=${picture} .scheme=${scheme()}></heat-miniature>
          ${
            view
              ? html`<p class=${`sentence ${view.verdict.severity}`}>${describe(view.verdict)}</p>
                <p>${detailOf(view.verdict)}</p>
                <p class="muted figures">${figuresOf(view)}${picture === view ? nothing : ` ${say('gallery.one-region')}`}</p>
                ${this.#plans(plans)}`
              : html`<p class="muted">${say('gallery.drawing')}</p>`
          }
        </figure>`;
    });
  }

  /** @param {QueryPlan[]} plans */
  #plans(plans) {
    const sound = plans.filter(({ problems }) => !problems.length);
    if (!sound.length) return nothing;
    return html`<table>
      <thead><tr><th>${say('gallery.query')}</th><th class="number">${say('gallery.ranges')}</th><th class="number">${say('gallery.read')}</th><th class="number">${say('gallery.returned')}</th></tr></thead>
      <tbody>${sound.map(({ name, rangeCount, counted, limited }) => {
        // A scan with a limit ends once it has its rows.
        const { read, returned } = limited ?? counted ?? {};
        return html`<tr><td>${name}</td><td class="number">${count(rangeCount)}</td>
          <td class="number">${read === undefined ? '–' : count(read)}</td><td class="number">${returned === undefined ? '–' : count(returned)}</td></tr>`;
      })}</tbody>
    </table>`;
  }

  /** @param {Entry} entry */
  async #ask(entry) {
    this.#asked = entry.slug;
    this.#failed = false;
    this.#shown = [];
    const better = this.all.find(({ slug }) => slug === entry.better);
    glossary().then(
      (words) => {
        this.#words = words;
        this.requestUpdate();
      },
      () => {},
    );
    try {
      for (const one of better ? [entry, better] : [entry]) {
        /** @type {Shown} */
        const shown = { entry: one, design: await designOf(one.slug), drawn: null };
        if (this.#asked !== entry.slug) return;
        this.#shown = [...this.#shown, shown];
        this.requestUpdate();
        shown.drawn = await pictures(one);
        this.requestUpdate();
      }
    } catch {
      this.#failed = this.#asked === entry.slug;
      this.requestUpdate();
    }
  }
}

/** Records, rows, keys and regions of a table: records that share a key share a row. @param {Report} view */
function figuresOf({ keys, regionCount }) {
  const { duplicates, cells, count: records, mean } = keys;
  return say('gallery.figures', {
    records: count(records),
    rows: count(cells?.rows ?? records - duplicates.rows + duplicates.keys),
    bytes: count(Math.round(mean)),
    regions: count(regionCount),
  });
}

/** Where an entry is on the path, and what it fixes of the one before. @param {Entry} entry @param {Entry[]} path */
export const stepOf = ({ path: at, step }, path) =>
  html`<b>${say('gallery.step', { step: at ?? 0, steps: path.length })}</b> ${step}`;

/** The path for beginners at an entry of it. @param {Entry} entry @param {Entry[]} path */
function pathView(entry, path) {
  const next = path[path.indexOf(entry) + 1];
  return html`<p class="note on-path">${stepOf(entry, path)}
    ${next ? html`<a href=${`#gallery/${next.slug}`}>${say('gallery.path-next', { name: next.name })}</a>` : nothing}</p>`;
}
customElements.define('gallery-entry', GalleryEntry);
