// Reads packed files, SQL and row keys, with the module for them inside: loaded once such a file is read.
import { guessKeys, initSync, Observer, PackedFile, phoenixDesign } from '#formats';
import { wasmModule } from './inlined.js';

initSync({ module: wasmModule() });

export { guessKeys, Observer, PackedFile, phoenixDesign };
