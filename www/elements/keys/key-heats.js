import { withTable } from '../../design/document.js';
import { askRecords } from '../../state/loading.js';
import { state } from '../../state/store.js';

/** @import { Design, Loaded, Sheet } from '../../types.d.ts' */

/** Regions of each picture: equal shares of the records, so that keys are compared and not their split points. */
const REGIONS = 12;
/** Intervals of each picture. */
const BUCKETS = 48;
/** More records take too long to sort once for each key. */
const MOST = 300_000;

/** Small heatmaps of the keys in a list, made one after the other. */
export class KeyHeats {
  /** The heat of each design; null while it is awaited. @type {Map<string, Sheet | null>} */
  #made = new Map();
  /** @type {Loaded | null} */
  #records = null;
  #busy = false;
  #tell;

  /** @param {() => void} tell is called when one is made */
  constructor(tell) {
    this.#tell = tell;
  }

  /** True if the records are few enough. */
  get known() {
    return (state.view?.held ?? 0) <= MOST;
  }

  /**
   * The heat of a table of a design; undefined until it is made.
   * @param {Design} design
   * @param {number} table
   */
  of(design, table) {
    if (state.loaded !== this.#records) this.#made.clear();
    this.#records = state.loaded;
    const { queries: _, growth: __, ...keyed } = withTable(design, table, { splits: { sample: REGIONS } });
    const key = `${table} ${JSON.stringify(keyed)}`;
    if (!this.#made.has(key)) this.#make(key, table, JSON.stringify(keyed));
    return this.#made.get(key) ?? undefined;
  }

  /** @param {string} key @param {number} table @param {string} document */
  async #make(key, table, document) {
    const { phase, counting, findings } = state;
    if (this.#busy || phase !== 'ready' || counting || !findings) return;
    this.#busy = true;
    this.#made.set(key, null);
    const records = this.#records;
    try {
      const sheet = await askRecords('heatOf', { document, table, buckets: BUCKETS, metric: 'even' });
      if (records === this.#records) this.#made.set(key, sheet);
    } catch {
      // A key without a picture is told by its figures.
    }
    this.#busy = false;
    this.#tell();
  }
}
