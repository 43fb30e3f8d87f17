// Reads packed files and SQL, with the module for them inside: loaded once such a file is read.
import { initSync, Observer, PackedFile, phoenixDesign } from '#formats';
import { wasmModule } from './inlined.js';

initSync({ module: wasmModule() });

export { Observer, PackedFile, phoenixDesign };
