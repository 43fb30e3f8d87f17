// The entry `./keys`: only encodes and decodes row keys, with a smaller wasm module included, ready when imported.
import { KeyDesign, parsed } from './rowkeys.js';
import { startNow } from './start.js';
import { wasmModule } from './wasm/inlined.js';

export * as bytes from './bytes.js';
export { RowscapeError } from './error.js';
export * as hash from './hash.js';
export * as ordered from './ordered.js';
export * as phoenix from './phoenix.js';
export { KeyDesign, Keys } from './rowkeys.js';
export * as salt from './salt.js';
export { algorithmRows, regionOf, regions, splitPoints } from './splits.js';

/**
 * Reads a design document.
 * @param {string | object} document JSON text, or the parsed object: a `DesignDocument`
 * @param {{ table?: string | number }} [options] table: name or 0-based index, if the document has several
 * @returns {KeyDesign}
 * @throws {RowscapeError} `problems` lists everything that is wrong, each with its path
 */
export const parseDesign = (document, options) => parsed(KeyDesign, document, options);

startNow(wasmModule());

/** @typedef {import('./document.d.ts').DesignDocument} DesignDocument */
/** @typedef {import('./columns.js').FieldValue} FieldValue */
/** @typedef {import('./error.js').Problem} Problem */
/** @typedef {import('./given.js').Key} Key */
/** @typedef {import('./rowkeys.js').Decoded} Decoded */
/** @typedef {import('./rowkeys.js').Field} Field */
/** @typedef {import('./splits.js').Splits} Splits */
