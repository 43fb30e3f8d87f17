// The wasm module inside the script, in place of `wasm.js`.
import { base64 } from './inlined.js';

/** @returns {Promise<BufferSource>} */
export async function wasmBytes() {
  const text = atob(base64);
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
