// The entry `.`: the wasm module inside, ready when imported.
import { notStarted, speak } from './start.js';
import { wasmModule } from './wasm/inlined.js';
import { initSync } from './wasm/rowscape.js';

export * from './api.js';

try {
  initSync({ module: wasmModule() });
  speak();
} catch (error) {
  throw notStarted(error);
}
