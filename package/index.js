// The entry `.`: the wasm module inside, ready when imported.
import { notStarted, speak } from './start.js';
import { base64 } from './wasm/inlined.js';
import { initSync } from './wasm/rowscape.js';

export * from './api.js';

const text = atob(base64);
const module = new Uint8Array(text.length);
for (let at = 0; at < text.length; at++) module[at] = text.charCodeAt(at);
try {
  initSync({ module });
  speak();
} catch (error) {
  throw notStarted(error);
}
