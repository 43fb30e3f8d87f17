// The wasm module inside the script, in place of `wasm.js`.
import { wasmModule } from './inlined.js';

/** @returns {Promise<BufferSource>} */
export const wasmBytes = async () => wasmModule();
