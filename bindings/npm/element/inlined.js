// The wasm module inside a script: base64 of what gzip made of it, a quarter less than base64 of the module.
import { gunzipSync } from 'fflate';

/** The module in Base64, inserted by scripts/build/package.mjs. @type {string} */
const base64 = PACKED;

/** The bytes of the module. @returns {Uint8Array<ArrayBuffer>} */
export function wasmModule() {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
  return /** @type {Uint8Array<ArrayBuffer>} */ (gunzipSync(packed));
}
