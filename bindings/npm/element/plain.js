/**
 * An error as a message can carry it. After a trap the memory of the wasm module can't be trusted: that is fatal.
 * @param {any} error
 */
export function plain(error) {
  return {
    fatal: error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.fatal === true,
    message: String(error?.message ?? error),
    code: error?.code,
    place: error?.place ?? {},
    args: error?.args ?? {},
  };
}
