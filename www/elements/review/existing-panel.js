import { html, nothing } from 'lit';
import { choosePasted, propose, setPasted, setSplits } from '../../actions/actions.js';
import { areOfHbase, droppedFiles, named, observe, observeText } from '../../actions/observing.js';
import { nameOf, withLayout } from '../../design/document.js';
import { table } from '../../state/document-engine.js';
import { state } from '../../state/store.js';
import { bytes, count, duration, percent } from '../../text/format.js';
import { describe, say } from '../../text/sentences.js';
import { MIB } from '../../text/units.js';
import { copyable } from '../shared/copy.js';
import { slices, View } from '../shared/view.js';
import './observed-tables.js';

/** @import { ExistingAnswer, ExistingFamily, Family, Problem, TableAct } from '../../types.d.ts' */

/** Readings of a line that is not HBase shell output. */
const PLAIN = /** @type {const} */ (['', 'splits', 'keys']);
/** Titles of the columns of figures. */
const HEADS = {
  megabytes: 'page.existing-megabytes',
  requests: 'page.existing-requests-of',
  rows: 'page.existing-rows',
};
/** Milliseconds without a keystroke before a text is read. */
const TYPING_PAUSE = 300;
/** A file of more characters is not shown in the text field. */
const SHOWN = 200_000;
/** Problems told one by one. */
const TOLD = 6;
/** Rows of a live table that make good records. */
const SAMPLE = 10_000;

/** True if the design is of this table, and not an example that happens to be loaded. @param {{ name: string } | null} found */
function isOwn(found) {
  const { opened, example, design, table: index } = state;
  if (!opened || !design) return false;
  return example === null || found?.name === nameOf(design, index);
}

/** A table as it is, beside the design, and the way from there to the design. */
export class ExistingPanel extends View {
  static reads = slices('page', 'design', 'records', 'report', 'review');

  /** @type {Problem[]} */
  #problems = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** True once something was typed or pasted into the field, which then stays open. */
  #typed = false;

  render() {
    const { existing, pasted, observed, answerProblems } = state;
    const problem = answerProblems.existing;
    return html`
      <div class="review"><section class="existing" aria-labelledby="existing-title">
        <h2 id="existing-title" tabindex="-1">${say('page.view-table')}</h2>
        ${pasted || observed ? nothing : html`<p class="sentence muted">${say('page.existing-why')} ${say('page.observe-why')}</p>`}
        ${observed ? html`<observed-tables></observed-tables>` : nothing}
        ${pasted && existing?.table ? health(existing.table) : nothing}
        ${problem ? html`<p class="note bad">${describe(problem)}</p>` : nothing}
        ${this.#input(Boolean((pasted && existing?.table) || observed) && !this.#typed)}
        ${pasted && existing ? this.#answer(existing) : nothing}
      </section></div>
    `;
  }

  updated() {
    const { existing, pasted } = state;
    const isDump = existing?.problems.some(({ code }) => code === 'existing.unread');
    if (pasted && isDump) observeText(pasted.text, pasted.name, pasted.changed ?? Date.now());
  }

  /** @param {boolean} folded */
  #input(folded) {
    const { pasted } = state;
    const text = pasted?.text ?? '';
    return html`<details class="given" ?open=${!folded}><summary class=${folded ? '' : 'unseen'}>${say('page.existing-text')}</summary>
      <div class="paste" @dragover=${this.#over} @drop=${this.#drop}>
      <label for="existing-text">${say('page.existing-paste')}</label>
      <textarea id="existing-text" class="mono" rows=${pasted ? 6 : 8} spellcheck="false" autocomplete="off"
        placeholder="list_regions 'table'" .value=${text.length > SHOWN ? '' : text} @input=${this.#type}></textarea>
      <div class="actions">
        <label class="button">${say('page.existing-file')}<input class="unseen" type="file" multiple @change=${this.#choose}></label>
        <label class="button">${say('page.observe-folder')}<input class="unseen" type="file" webkitdirectory @change=${this.#choose}></label>
        ${pasted?.name ? html`<span class="muted">${pasted.name}</span>` : nothing}
        ${
          pasted
            ? html`<label class="inline"><span>${say('page.existing-plain')}</span> <select @change=${(/** @type {Event} */ event) => setPasted({ ...pasted, plain: /** @type {typeof PLAIN[number]} */ (textOf(event)) })}>
                ${PLAIN.map((one) => html`<option value=${one} ?selected=${one === pasted.plain}>${say(`page.existing-plain-${one || 'guess'}`)}</option>`)}</select></label>
              <button type="button" class="quiet" @click=${() => setPasted(null)}>${say('page.existing-forget')}</button>`
            : nothing
        }
      </div>
    </div></details>`;
  }

  /** @param {ExistingAnswer} answer */
  #answer({ forms, problems, tables, table: found, keys, steps, stepCount, commands }) {
    const told = [...this.#problems, ...problems];
    const own = isOwn(found);
    return html`
      ${forms.length ? html`<p class="muted">${say('page.existing-read-as', { forms: forms.map((form) => say(`page.existing-form-${form}`)).join(', ') })}</p>` : nothing}
      ${tables.length > 1 ? this.#tables(tables) : nothing}
      <div aria-live="polite">${told.slice(0, TOLD).map((problem) => html`<p class="note bad">${describe(problem)}</p>`)}</div>
      ${found ? this.#table(found) : nothing}
      ${own && keys ? this.#keys(keys) : nothing}
      ${own && found ? this.#way(steps, stepCount, commands) : nothing}
      ${own ? nothing : this.#next(found?.name ?? '', forms)}
    `;
  }

  /** How to go on to a key for a table that no design is of yet. @param {string} name @param {string[]} forms */
  #next(name, forms) {
    const { pasted } = state;
    const keys = forms.includes('keys');
    if (pasted && (keys || forms.includes('scan')))
      return html`<div class="actions"><button type="button" class="main" @click=${() => choosePasted(pasted.text, keys)}>${say('page.live-rows')}</button></div>`;
    return html`<h3>${say('page.live-next')}</h3><p>${say('page.live-next-how')}</p>
      ${copyable(`scan '${name || 'table'}', {LIMIT => ${SAMPLE}}`, say('page.live-next'))}`;
  }

  /** Which of the tables that the text tells of. @param {ExistingAnswer['tables']} tables */
  #tables(tables) {
    const { pasted } = state;
    if (!pasted) return nothing;
    return html`<label class="figure-input table-choice"><span>${say('page.existing-table')}</span>
      <select @change=${(/** @type {Event} */ event) => setPasted({ ...pasted, chosen: Number(textOf(event)) })}>
        ${tables.map(({ name, regions }, index) => html`<option value=${index} ?selected=${index === pasted.chosen}>${say('page.existing-option', { name: name || say('page.existing-unnamed'), count: regions })}</option>`)}
      </select></label>`;
  }

  /** @param {NonNullable<ExistingAnswer['table']>} found */
  #table({ name, regionCount, megabytes, requests, regions, points, families }) {
    const own = isOwn({ name });
    const sums = {
      megabytes: Math.max(1, megabytes ?? 0),
      requests: Math.max(1, requests ?? 0),
      rows: Math.max(
        1,
        regions.reduce((sum, region) => sum + (region.rows ?? 0), 0),
      ),
    };
    const busiest = Math.max(...regions.map((region) => region.requests ?? 0));
    const members = /** @type {const} */ (['megabytes', 'requests', 'rows']).filter((member) =>
      regions.some((region) => region[member] !== null && (own || member !== 'rows')),
    );
    const most = (/** @type {typeof members[number]} */ member) =>
      Math.max(1, ...regions.map((region) => region[member] ?? 0));
    const peaks = new Map(members.map((member) => [member, most(member)]));
    return html`
      <p class="sentence">${say('page.existing-sentence', { name: name || say('page.existing-unnamed'), regions: count(regionCount) })}
        ${megabytes === null ? nothing : say('page.existing-size', { size: bytes(megabytes * MIB) })}
        ${requests ? say('page.existing-requests', { requests: count(requests), share: percent(busiest / requests) }) : nothing}</p>
      <div class="scroll tall" tabindex="0" role="group" aria-label=${say('page.existing-regions')}><table class="existing-regions">
        <thead><tr><th class="number">#</th><th>${say('page.start-key')}</th>${regions.some(({ server }) => server) ? html`<th>${say('page.existing-server')}</th>` : nothing}
          ${members.map((member) => html`<th class="share">${say(HEADS[member])}</th>`)}</tr></thead>
        <tbody>${regions.map(
          (
            region,
            index,
          ) => html`<tr><td class="number">${count(index)}</td><td class="mono key">${region.start || say('page.first-key')}</td>
            ${regions.some(({ server }) => server) ? html`<td class="mono server">${region.server?.split(',')[0] ?? '–'}</td>` : nothing}
            ${members.map((member) => {
              const value = region[member];
              if (value === null) return html`<td class="share">–</td>`;
              const share = percent(value / sums[member]);
              return html`<td class="share"><meter min="0" max=${peaks.get(member) ?? 1} .value=${value} aria-label=${share}></meter><span>${count(value)}</span></td>`;
            })}</tr>`,
        )}</tbody>
      </table></div>
      ${regionCount > regions.length ? html`<p class="muted small">${say('page.regions-first', { listed: count(regions.length), all: count(regionCount) })}</p>` : nothing}
      ${members.includes('rows') ? html`<p class="muted small">${say('page.existing-rows-why')}</p>` : nothing}
      ${families.length ? this.#families(families) : nothing}
      <div class="actions">
        ${own && points.length ? html`<button type="button" @click=${() => setSplits({ points })}>${say('page.existing-take-splits', { count: regionCount })}</button>` : nothing}
        ${own && families.length ? html`<button type="button" @click=${() => this.#takeFamilies(families)}>${say('page.existing-take-families')}</button>` : nothing}
      </div>`;
  }

  /** @param {ExistingFamily[]} families */
  #families(families) {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${say('page.existing-families')}><table>
      <thead><tr><th>${say('page.storage-family')}</th><th>COMPRESSION</th><th class="number">VERSIONS</th><th class="number">TTL</th><th>DATA_BLOCK_ENCODING</th><th>BLOOMFILTER</th></tr></thead>
      <tbody>${families.map(
        ({
          name,
          compression,
          versions,
          ttl,
          settings,
        }) => html`<tr><th scope="row" class="mono">${name}</th><td class="mono">${compression}</td><td class="number">${versions ?? '–'}</td>
          <td class="number">${ttl === null ? say('page.growth-for-ever') : duration(1000 * ttl)}</td><td class="mono">${settings.DATA_BLOCK_ENCODING ?? '–'}</td><td class="mono">${settings.BLOOMFILTER ?? '–'}</td></tr>`,
      )}</tbody>
    </table></div>`;
  }

  /** A sample of keys beside the design. @param {NonNullable<ExistingAnswer['keys']>} keys */
  #keys({ count: all, tried, read, other, regions }) {
    const most = Math.max(1, ...regions);
    const used = regions.filter((some) => some > 0).length;
    const largest = regions.indexOf(Math.max(...regions));
    return html`
      <p class="sentence">${say('page.existing-keys', { count: all, read: count(read), tried: count(tried) })}
        ${regions.length ? say('page.existing-keys-regions', { used: count(used), regions: count(regions.length), share: percent(most / Math.max(1, all)), region: count(largest) }) : nothing}</p>
      ${other === null ? nothing : html`<p class="note">${say('page.existing-keys-other')} <code>${other}</code></p>`}`;
  }

  /**
   * From the regions as they are to those of the design.
   * @param {ExistingAnswer['steps']} steps
   * @param {number} all
   * @param {string} commands
   */
  #way(steps, all, commands) {
    if (table()?.splits.sample !== undefined && !state.view) return nothing;
    if (!all) return html`<p>${say('page.existing-same')}</p>`;
    const splits = steps.filter(({ action }) => action === 'split').length;
    const figures = { splits, merges: steps.length - splits, rounds: steps[steps.length - 1].round };
    return html`<h3>${say('page.existing-way')}</h3>
      <p>${say('page.existing-steps', figures)} ${say('page.existing-wait')}</p>
      ${all > steps.length ? html`<p class="muted">${say('page.reshape-first', { listed: steps.length })}</p>` : nothing}
      ${copyable(commands, say('page.existing-way'))}`;
  }

  #over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    event.stopPropagation();
  };

  /** Files here are of a table as it is, not records. */
  #drop = async (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.items.length) return;
    event.preventDefault();
    event.stopPropagation();
    await this.#files(await droppedFiles(event.dataTransfer));
  };

  #choose = (/** @type {Event} */ event) =>
    this.#files(named(/** @type {HTMLInputElement} */ (event.target).files ?? []));

  /** @param {import('../../types.d.ts').ObservedFile[]} files */
  async #files(files) {
    if (!files.length) return;
    if (await areOfHbase(files)) return observe(files);
    const [{ path, data }] = files;
    const { lastModified } = /** @type {File} */ (data);
    const name = path.split('/').at(-1) ?? '';
    setPasted({ text: await fileText(data), name, changed: lastModified, plain: '', chosen: 0 });
  }

  #type = (/** @type {Event} */ event) => {
    const text = textOf(event);
    this.#typed = true;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(
      () => setPasted({ plain: '', chosen: 0, ...state.pasted, text, name: '' }),
      TYPING_PAUSE,
    );
  };

  /** Families as they are, with the cells that the design declares. @param {ExistingFamily[]} families */
  async #takeFamilies(families) {
    if (!state.design) return;
    const declared = new Map(table()?.families.map((family) => [family.name, family]));
    const taken = families.map(({ name, compression, versions, ttl, settings }) => {
      const { cells } = declared.get(name) ?? {};
      const minVersions = Number(settings.MIN_VERSIONS);
      return /** @type {Family} */ ({
        name,
        compression,
        ...(versions !== null && { versions }),
        ...(minVersions > 0 && { minVersions }),
        ...(ttl !== null && { ttl }),
        ...(cells && { cells }),
      });
    });
    this.#problems = await propose((design) => withLayout(design, state.table, { families: taken }));
    this.requestUpdate();
  }
}

/** The verdict on the requests of a table, and the steps that spread them. @param {NonNullable<ExistingAnswer['table']>} found */
function health({ judgement, regions, requests }) {
  if (!judgement) return nothing;
  const { hot, verdict, regions: named, acts, commands } = judgement;
  const shown = named.map((index) => `${index} [${regions[index]?.start || say('page.first-key')}]`);
  const shareOf = (/** @type {number} */ index) => percent((regions[index]?.requests ?? 0) / (requests || 1));
  return html`<div class=${`live is-${hot ? 'bad' : 'good'}`}>
    <p class="headline">${describe(verdict)}</p>
    ${hot ? html`<p>${say('page.live-regions', { regions: shown.join(', ') })}</p>` : nothing}
    ${
      acts.length
        ? html`<ol class="steps">${acts.map((act) => html`<li>${actText(act, shareOf(act.region))}</li>`)}</ol>
          ${copyable(commands, say('page.live-commands'))}
          ${acts.some(({ action }) => action === 'split') ? html`<p class="muted small">${say('page.live-split-note')}</p>` : nothing}`
        : nothing
    }
  </div>`;
}

/** A step in words. @param {TableAct} act @param {string} share of the requests that the region takes */
function actText({ action, region, to = '' }, share) {
  if (action === 'merge') return say('page.live-merge', { first: region, last: region + 1 });
  return action === 'move'
    ? say('page.live-move', { region, server: host(to), share })
    : say('page.live-split', { region, share });
}

/** The host of a server's name. @param {string} server */
const host = (server) => server.split(',')[0].split('.')[0];

/** @param {Event} event */
function textOf({ target }) {
  return /** @type {HTMLInputElement} */ (target).value;
}
/**
 * The text of a file: UTF-16 by its byte order mark, as PowerShell writes what it redirects, else UTF-8.
 * @param {Blob} file
 */
async function fileText(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = bytes[0] * 256 + bytes[1];
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

customElements.define('existing-panel', ExistingPanel);
