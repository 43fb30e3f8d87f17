// Opens files in workers of their own, as the page does, with as many workers beside each as are asked for.

/**
 * design: the document; workers: that read a file; step: fewest bytes of a slice; files: how many workers open the chosen file, each
 * for itself; input: what is said of its form.
 * @typedef {{ design: object, workers: number, step?: number, files?: number, input?: object, budget?: number }} Opening
 */

/**
 * An opened file: `read` and `all` are the milliseconds until the file was read, and until its report was made; `found` tells of the
 * report and the keys.
 * @typedef {{ loaded: import('../../www/types.d.ts').Loaded, read: number, all: number, found: string }} Opened
 */

/**
 * Opens the file of the last file input, in the page.
 * @param {Opening} opening
 * @returns {Promise<Opened>} the last to be done
 */
export async function opened({ design, workers, step, files = 1, input, budget }) {
  const at = (/** @type {string} */ name) => new URL(name, document.baseURI).href;
  const parts = ['first', 'rest', 'formats'].map((name) => at(`pkg/${name}.wasm`));
  // As in the page, all workers have one module, so that code which is optimised once serves them all.
  const page = /** @type {{ modules?: Promise<WebAssembly.Module[]> }} */ (/** @type {unknown} */ (window));
  page.modules ??= Promise.all(parts.slice(0, 2).map((part) => WebAssembly.compileStreaming(fetch(part))));
  const modules = await page.modules;
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[type=file]'));
  const [file] = inputs[inputs.length - 1].files ?? [];
  const text = JSON.stringify(design);
  const { fields, splits } = /** @type {any} */ (design);
  const one = async () => {
    const worker = new Worker(at('worker.js'), { type: 'module' });
    worker.postMessage({ type: 'first', module: modules[0], parts });
    worker.postMessage({ type: 'rest', module: modules[1] });
    const ask = (/** @type {string} */ type, /** @type {object} */ asked) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          if (data.error) reject(new Error(JSON.stringify(data.error)));
          else if ('given' in data) resolve(data.given);
        };
        worker.postMessage({ id: 1, type, ask: asked });
      });
    await ask('steps', {});
    const begun = performance.now();
    const source = { kind: 'file', name: file.name, files: [file] };
    const form = { format: 'csv', ...input, fields };
    const loaded = await ask('read', {
      source,
      input: form,
      document: text,
      table: 0,
      workers,
      step,
      budget,
    });
    const read = performance.now() - begun;
    await ask('analyze', { document: text, table: 0 });
    const report = await ask('report', { splits: JSON.stringify(splits), timeBuckets: 250 });
    const all = performance.now() - begun;
    const keys = await ask('keys', { first: 0, count: 1000 });
    worker.terminate();
    const told = JSON.stringify([report, keys], (_, value) =>
      ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value,
    );
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(told));
    return { loaded, read, all, found: new Uint8Array(digest).join() };
  };
  const done = await Promise.all(Array.from({ length: files }, one));
  return done.reduce((last, other) => (other.all > last.all ? other : last));
}
