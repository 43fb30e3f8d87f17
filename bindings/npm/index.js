// The entry `.`: the wasm module inside, ready when imported.
import { startNow } from './start.js';
import { wasmModule } from './wasm/inlined.js';

export * from './api.js';

startNow(wasmModule());
