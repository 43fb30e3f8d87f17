import { workerAddress } from './page-files.js';
import { fetchRest, follow, leave } from './wasm-parts.js';

/** @import { Progress, SearchProgress } from '../types.d.ts' */

/** Milliseconds a worker gets to obey a cancel before it is ended. */
const PATIENCE = 400;

/** Milliseconds without a word from a worker at work after which that is told. */
export const SILENCE = 10_000;
/** Milliseconds between two looks. */
const LOOK = 1000;

/** Error of a worker request: a problem of the core, or the failure of the worker itself. */
export class EngineError extends Error {
  /**
   * @param {{ message: string, code?: string, place?: object, args?: Record<string, string>, fatal?: boolean, cancelled?: boolean }} refusal
   */
  constructor({ message, code, place = {}, args = {}, fatal = false, cancelled = false }) {
    super(message);
    this.code = code;
    this.place = place;
    this.args = args;
    this.fatal = fatal;
    this.cancelled = cancelled;
  }
}

/** A worker that is asked and answers. It is started when first asked, and again after it was ended. */
export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  #next = 1;
  /**
   * @type {Map<number, { resolve: (given: any) => void, reject: (error: EngineError) => void, progress?: (progress: any) => void }>}
   */
  #waiting = new Map();
  /**
   * When the worker was last heard of, or the page was last hidden: a browser may let the workers of hidden
   * pages wait.
   */
  #heard = 0;
  #silent = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #looking;
  #tell;

  /**
   * @param {(silent: boolean) => void} [tell] is told when a worker at work falls silent, and when it is heard of again
   */
  constructor(tell) {
    this.#tell = tell;
  }

  #listen() {
    this.#hear();
    if (!this.#tell) return;
    this.#looking ??= setInterval(() => {
      if (!this.busy) {
        clearInterval(this.#looking);
        this.#looking = undefined;
      } else if (document.hidden) this.#heard = performance.now();
      else if (!this.#silent && performance.now() - this.#heard > SILENCE) {
        this.#silent = true;
        this.#tell?.(true);
      }
    }, LOOK);
  }

  #hear() {
    this.#heard = performance.now();
    if (this.#silent) this.#tell?.(false);
    this.#silent = false;
  }

  /**
   * @template {Progress | SearchProgress} [P=Progress]
   * @param {string} type
   * @param {object} [ask]
   * @param {(progress: P) => void} [progress]
   * @returns {Promise<any>}
   */
  ask(type, ask = {}, progress) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, progress }));
    this.#started().postMessage({ id, type, ask });
    this.#listen();
    return answer;
  }

  /** True while an answer is pending. */
  get busy() {
    return this.#waiting.size > 0;
  }

  /** Stops the work under way: kindly, then by ending the worker. */
  cancel() {
    const worker = this.#worker;
    if (!worker || !this.busy) return;
    worker.postMessage({ type: 'cancel' });
    setTimeout(() => {
      if (this.#worker === worker && this.busy) this.end({ message: 'cancelled', cancelled: true });
    }, PATIENCE);
  }

  /** Ends a search under way, and no other work. */
  stopSearch() {
    this.#worker?.postMessage({ type: 'stop' });
  }

  /**
   * Ends the worker and gives its memory back. What was awaited is refused.
   * @param {ConstructorParameters<typeof EngineError>[0]} [reason]
   */
  end(reason = { message: 'replaced', cancelled: true }) {
    if (this.#worker) leave(this.#worker);
    this.#hear();
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new EngineError(reason));
  }

  #started() {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerAddress(), { type: 'module' });
    worker.onmessage = ({ data }) => (data.wanted ? fetchRest() : this.#receive(data));
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.end({ message: event.message || 'the worker failed', fatal: true });
    };
    this.#worker = worker;
    void follow(worker);
    return worker;
  }

  /**
   * A message without a number only says that the worker is at work.
   * @param {{ id?: number, given?: unknown, progress?: Progress | SearchProgress, error?: ConstructorParameters<typeof EngineError>[0] }} message
   */
  #receive({ id, given, progress, error }) {
    this.#hear();
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    if (progress) {
      waiting.progress?.(progress);
      return;
    }
    this.#waiting.delete(id);
    if (!error) waiting.resolve(given);
    else {
      waiting.reject(new EngineError(error));
      if (error.fatal) this.end(error);
    }
  }
}

/**
 * Runs one call at a time and, of those that came meanwhile, only one more: dragging a slider asks often.
 * @param {() => Promise<void>} run
 */
export function latestOnly(run) {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        await run();
      }
    } finally {
      running = false;
    }
  };
}
