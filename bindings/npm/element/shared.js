// One worker and one wasm module for all figures of a page. It is there while a figure is.
import { RowscapeError } from '../error.js';
import { notStarted } from '../not-started.js';
import { firstPart, restAddress, restPart } from './wasm.js';
import { source } from './worker-source.js';

/** @import { Answer, Asked } from './types.d.ts' */

/** Views of records in a file, which the first part of the module draws alone (scripts/build/drive/figures.mjs), but for rare cases. */
const ALONE = new Set(['heatmap', 'keys', 'regions', 'bytes']);

/** Figures on the page. @type {Set<object>} */
const figures = new Set();
/** Parts of the module, each fetched and compiled once however many figures there are. */
const first = once(firstPart);
const rest = restPart && once(restPart);
/** @type {Thread | null} */
let thread = null;

/** Counts a figure in. @param {object} figure */
export const join = (figure) => figures.add(figure);

/** Counts a figure out; the worker ends with the last one, unless that is only moved. @param {object} figure */
export function leave(figure) {
  figures.delete(figure);
  setTimeout(() => {
    if (!figures.size) end();
  });
}

/** @param {Asked} asked @returns {Promise<Answer>} */
export async function ask(asked) {
  thread ??= new Thread();
  const mine = thread;
  try {
    return await mine.ask(asked);
  } catch (error) {
    if (thread === mine && (mine.failed || /** @type {any} */ (error).fatal)) end();
    throw error;
  }
}

/** Compiles a part of the module on first use, and again after a failure. @param {() => Promise<BufferSource>} bytes */
function once(bytes) {
  /** @type {Promise<WebAssembly.Module> | null} */
  let made = null;
  return () => {
    made ??= bytes().then((part) =>
      WebAssembly.compile(part).catch((error) => {
        throw notStarted(error);
      }),
    );
    made.catch(() => {
      made = null;
    });
    return made;
  };
}

function end() {
  thread?.end();
  thread = null;
}

/** A worker that has the module, or where a page allows none the page's own thread. */
class Thread {
  #next = 1;
  /** @type {Map<number, { resolve: (given: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** @type {Worker | null} */
  #worker = null;
  #started;
  /** True if the worker could not be started. */
  failed = false;

  constructor() {
    this.#started = first().then((module) => this.#start(module));
    this.#started.catch(() => {
      this.failed = true;
    });
  }

  /** @param {Asked} asked */
  async ask(asked) {
    const here = await this.#started;
    if (here) return here(asked);
    const more = asked.data && ALONE.has(asked.view) ? null : await rest?.();
    return this.#send({ asked, rest: more });
  }

  end() {
    this.#worker?.terminate();
    this.#fail(new RowscapeError({ code: 'figure.removed', place: {}, args: {}, message: 'removed' }));
  }

  /**
   * Answers requests on the page's own thread; unset if there is a worker.
   * @param {WebAssembly.Module} module
   */
  async #start(module) {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    try {
      const worker = new Worker(address);
      this.#worker = worker;
      worker.onmessage = ({ data }) => this.#receive(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#fail(new Error(event.message || 'no worker'));
      };
      await this.#send({ first: module, restAddress: restAddress() });
      return null;
    } catch {
      this.#worker?.terminate();
      this.#worker = null;
      const { answersHere } = await import('./here.js');
      return answersHere(module, (await rest?.()) ?? null);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /** @param {object} message */
  #send(message) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ id, ...message });
    });
  }

  /** @param {{ id: number, given?: unknown, error?: any }} message */
  #receive({ id, given, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(Object.assign(new Error(error.message), error));
    else waiting?.resolve(given);
  }

  /** @param {Error} error */
  #fail(error) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
