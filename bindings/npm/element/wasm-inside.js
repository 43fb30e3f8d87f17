// The wasm module, whole, inside the script, in place of `wasm.js`.
import { wasmModule } from './inlined.js';

/** @returns {Promise<BufferSource>} */
export const firstPart = async () => wasmModule();
export const restPart = null;
export const restAddress = () => '';
