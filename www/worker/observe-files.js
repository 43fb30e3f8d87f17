// Files of HBase, read by ranges as the module for them asks: which keys of a table were written, when and how much.

/** Milliseconds between two words of how far it is. */
const PAUSE = 100;
/** Steps of `Observer`, by their numbers. */
const [DONE, NEED] = [0, 1];

/**
 * A file by its path, and its bytes.
 * @typedef {{ path: string, data: Blob, changed?: number }} NamedFile changed: milliseconds since 1970
 */

/**
 * @typedef {{
 *   step(): number, readonly file: number, readonly from: number, readonly to: number, readonly read: number, readonly total: number,
 *   give(from: number, bytes: Uint8Array): void, fail(error: string): void, answer(): string, free(): void,
 * }} ObserverHandle
 */

/**
 * Reads files; gives the answer as the core has it, its problems without sentences.
 * @param {{ open(files: string, options: string): ObserverHandle | undefined }} Observer
 * @param {readonly NamedFile[]} files
 * @param {object} options of the core
 * @param {{ onProgress?: (read: number, total: number) => void, signal?: AbortSignal }} [how]
 */
export async function observeFiles(Observer, files, options, { onProgress, signal } = {}) {
  const named = JSON.stringify(
    files.map(({ path, data, changed = /** @type {File} */ (data).lastModified }) => [
      path,
      data.size,
      changed ?? null,
    ]),
  );
  const observer = Observer.open(named, JSON.stringify(options));
  if (!observer) throw new Error('options that the module does not know');
  let told = -PAUSE;
  try {
    for (let step = observer.step(); step !== DONE; step = observer.step()) {
      signal?.throwIfAborted();
      if (step !== NEED) {
        if (performance.now() - told > PAUSE) {
          told = performance.now();
          onProgress?.(observer.read, observer.total);
        }
        continue;
      }
      const { file, from, to } = observer;
      let bytes;
      try {
        bytes = new Uint8Array(await files[file].data.slice(from, to).arrayBuffer());
      } catch (error) {
        observer.fail(error instanceof Error ? error.message : String(error));
        continue;
      }
      observer.give(from, bytes);
    }
    return JSON.parse(observer.answer());
  } finally {
    observer.free();
  }
}
