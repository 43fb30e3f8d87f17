// Threads of Node that help to read a large `Blob`: each reads a slice of it and makes the keys of its records.
import { compiledModule } from './start.js';
import { groupSlices, MOST_WORKERS, OtherWorker, textSlices } from './wasm/slices.js';

/** @import { Bytes, PackedText } from './wasm/packed.js' */
/** @import { Start } from './wasm/slices.js' */

/**
 * The part of a file that a thread is to read, and how: `input` as the reader has it; `fields` and `stated` of a file that is no text;
 * `document` and `table` of the keys, which are made if `keyed`; `kinds` where the table has several; the names of all files so far, each with its kind.
 * @typedef {{ input: object, fields: readonly object[], stated: string | undefined, document: string, keyed: boolean, table: number, kinds: boolean, files: { name: string, kind?: string }[] }} ThreadAsked
 */

/** A slice as a thread is asked for it: from one byte or row group to another; `size` of the file. @typedef {ThreadAsked & { from: number, to: number, size: number, budget: number }} ThreadSlice */

/** A thread, as Node has it. @typedef {{ on(event: string, hear: (message: any) => void): void, postMessage(message: unknown, moved: ArrayBuffer[]): void, terminate(): Promise<unknown>, unref(): void }} NodeThread */

/** Milliseconds in which a thread says that it has begun, or the file is read without it. */
const UNHEARD = 10_000;
/** Most bytes that the records of all threads take: of more, those that don't fit are read where all are held. */
const BUDGET = 2 ** 31;

/**
 * A module of Node, or of what behaves like it; nothing elsewhere. It is not imported, since bundlers for browsers can't.
 * @param {string} name
 */
const builtIn = (name) => /** @type {any} */ (globalThis).process?.getBuiltinModule?.(`node:${name}`);

/** Threads that read a file where nobody says how many. */
export const usualThreads = () => Math.min(MOST_WORKERS, builtIn('os')?.availableParallelism?.() ?? 1);

/**
 * The slices of a file; null where it is read at once.
 * @param {Bytes} bytes
 * @param {PackedText | null} packed
 * @param {number} workers
 */
export async function slicesOf({ size, read }, packed, workers) {
  if (workers < 2 || size === null || !compiledModule() || !builtIn('worker_threads')) return null;
  return packed ? groupSlices(packed.groupRows(), { workers }) : textSlices(read, size, { workers });
}

/**
 * Starts a thread on each slice but the first.
 * @param {number[]} cuts
 * @param {ThreadAsked} asked
 * @param {Bytes} bytes
 * @param {{ bytes: number, rows: number }} beside counts what they read
 */
export const startThreads = (cuts, asked, bytes, beside) =>
  cuts.slice(1).map((to, at) => {
    const budget = BUDGET / cuts.length;
    const slice = { ...asked, from: cuts[at], to, size: bytes.size ?? 0, budget };
    return new OtherWorker(thread(slice, bytes), beside);
  });

/** Starts a thread on a slice. @param {ThreadSlice} slice @param {Bytes} bytes @returns {Start} */
const thread = (slice, bytes) => (done, far) => {
  const { Worker: NodeWorker } = builtIn('worker_threads');
  // No bundler is to take the script for one of its own: where it is not there, the file is read without it.
  const here = import.meta.url;
  const script = new URL('rowscape-thread.js', here);
  /** @type {NodeThread} */
  const worker = new NodeWorker(script, { workerData: { module: compiledModule(), slice } });
  worker.unref();
  const fail = () => done(null);
  const unheard = setTimeout(fail, UNHEARD);
  worker.on('message', ({ ready, progress, wanted, given }) => {
    if (ready) clearTimeout(unheard);
    else if (progress) far(progress);
    else if (wanted) {
      const { from, to } = wanted;
      bytes
        .read(from, to)
        .then((part) => worker.postMessage(part, /** @type {ArrayBuffer[]} */ ([part.buffer])), fail);
    } else done(given);
  });
  for (const event of ['error', 'messageerror', 'exit']) worker.on(event, fail);
  return () => {
    clearTimeout(unheard);
    void worker.terminate();
  };
};
