// Before the page's own script in rowscape.html: files, the wasm module and workers come from inside the
// document.
const PlainWorker = Worker;
{
  const base = document.baseURI.replace(/[?#].*/, '');
  /** @param {string} id */
  const packed = (id) => {
    const text = atob(String(document.getElementById(id)?.textContent));
    return new Blob([Uint8Array.from(text, (character) => character.charCodeAt(0))]);
  };
  /** @param {string} id */
  const unpacked = (id) => new Response(packed(id).stream().pipeThrough(new DecompressionStream('gzip')));

  /** @type {Promise<Record<string, string>>} */
  const files = unpacked('files').json();
  /** URL of the worker's script. It is not revoked: workers start others from it. */
  const worker = unpacked('worker')
    .text()
    .then((text) => `self.rowscapeBase = ${JSON.stringify(base)};\n${text}`)
    .then((source) => URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  const module = unpacked('module')
    .arrayBuffer()
    .then((bytes) => WebAssembly.compile(bytes));
  module.catch(() => {});
  const formats = packed('formats');

  // Files that `rowscape open` put into the document are opened as if they were dropped.
  addEventListener('load', () => {
    const given = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.given'));
    const dropped = new DataTransfer();
    for (const block of given) {
      const text = atob(String(block.textContent));
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
      dropped.items.add(new File([bytes], String(block.dataset.name)));
      block.remove();
    }
    if (given.length) setTimeout(() => dispatchEvent(new DragEvent('drop', { dataTransfer: dropped })));
  });

  self.fetch = async (address) => {
    const name = new URL(String(address), base).href.slice(new URL('.', base).href.length);
    const text = (await files)[decodeURIComponent(name)];
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };

  /** A worker whose source is inside the document; what it is asked before it has begun waits. */
  self.Worker = /** @type {any} */ (
    class extends EventTarget {
      /** @type {Worker | null} */
      #worker = null;
      /** @type {unknown[]} */
      #waiting = [];
      #ended = false;
      /** @type {((event: any) => void) | null} */
      onmessage = null;
      /** @type {((event: any) => void) | null} */
      onerror = null;

      constructor() {
        super();
        this.#start().catch((error) => this.onerror?.(new ErrorEvent('error', { message: String(error) })));
      }

      async #start() {
        const given = { files: await files, module: await module, formats };
        const address = await worker;
        if (this.#ended) return;
        this.#worker = new PlainWorker(address);
        this.#worker.onmessage = (event) => this.onmessage?.(event);
        this.#worker.onerror = (event) => this.onerror?.(event);
        for (const message of [given, ...this.#waiting]) this.#worker.postMessage(message);
      }

      /** @param {unknown} message */
      postMessage(message) {
        if (this.#worker) this.#worker.postMessage(message);
        else this.#waiting.push(message);
      }

      terminate() {
        this.#ended = true;
        this.#worker?.terminate();
      }
    }
  );
}
