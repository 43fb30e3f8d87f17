// Before the worker's own script in rowscape.html: files and the compiled wasm module come with the first
// message.
{
  /** @type {(given: { files: Record<string, string>, module: WebAssembly.Module, formats: Blob }) => void} */
  let begin;
  /** The first message, for the workers that this one starts. @type {unknown} */
  let first;
  const PlainWorker = Worker;
  self.Worker = class extends PlainWorker {
    constructor() {
      super(self.location.href);
      this.postMessage(first);
    }
  };
  /** @type {Promise<{ files: Record<string, string>, module: WebAssembly.Module, formats: Blob }>} */
  const given = new Promise((resolve) => {
    begin = resolve;
  });
  self.addEventListener(
    'message',
    (event) => {
      event.stopImmediatePropagation();
      first = event.data;
      begin(event.data);
    },
    { once: true },
  );
  const base = /** @type {any} */ (self).rowscapeBase;
  /** The loader of the wasm module takes a compiled one as well as a response. */
  self.fetch = /** @type {any} */ (
    async (/** @type {string | URL} */ address) => {
      const { files, module, formats } = await given;
      const name = new URL(String(address), base).href.slice(new URL('.', base).href.length);
      if (name === 'pkg/formats.wasm')
        return new Response(formats.stream().pipeThrough(new DecompressionStream('gzip')));
      if (name.endsWith('.wasm')) return module;
      const text = files[decodeURIComponent(name)];
      return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
    }
  );
}
