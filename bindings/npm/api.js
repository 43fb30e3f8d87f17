// The exports of both entries, `.` and `./slim`.
import { call } from './error.js';
import * as wasm from './wasm/rowscape.js';

export { DamagedInputError } from './analyze.js';
export * as bytes from './bytes.js';
export { keyValueSize, limits } from './cells.js';
export { compare, migration, parameters, sweep } from './compare.js';
export { Design, emitters, parseDesign } from './design.js';
export { RowscapeError } from './error.js';
export { existingTables, reshape } from './existing.js';
export { guess } from './guessing.js';
export * as hash from './hash.js';
export { observe } from './observe.js';
export * as ordered from './ordered.js';
export * as phoenix from './phoenix.js';
export { Keys } from './rowkeys.js';
export * as salt from './salt.js';
export { algorithmRows, regionOf, regions, splitPoints } from './splits.js';
export { suggest } from './suggest.js';
export { mergeSummaries, openSummary, Summary } from './summary.js';

/** The version of the package. @returns {string} */
export const version = () => call(() => wasm.version());

/** @typedef {import('./analyze.js').Analysis} Analysis */
/** @typedef {import('./document.d.ts').DesignDocument} DesignDocument */
/** @typedef {import('./reading.js').Progress} Progress */
/** @typedef {import('./analyze.js').Report} Report */
/** @typedef {import('./analyze.js').VersionsLeft} VersionsLeft */
/** @typedef {import('./reading.js').Source} Source */
/** @typedef {import('./given.js').Key} Key */
/** @typedef {import('./codec.js').Value} Value */
/** @typedef {import('./columns.js').FieldValue} FieldValue */
/** @typedef {import('./design.js').Emitted} Emitted */
/** @typedef {import('./design.js').Emitter} Emitter */
/** @typedef {import('./rowkeys.js').Field} Field */
/** @typedef {import('./design.js').Query} Query */
/** @typedef {import('./design.js').Plan} Plan */
/** @typedef {import('./finding.js').Finding} Finding */
/** @typedef {import('./finding.js').Fix} Fix */
/** @typedef {import('./error.js').Problem} Problem */
/** @typedef {import('./guessing.js').GuessOptions} GuessOptions */
/** @typedef {import('./existing.js').Existing} Existing */
/** @typedef {import('./existing.js').ExistingRegion} ExistingRegion */
/** @typedef {import('./existing.js').ExistingTable} ExistingTable */
/** @typedef {import('./observe.js').Observed} Observed */
/** @typedef {import('./observe.js').ObserveOptions} ObserveOptions */
/** @typedef {import('./observe.js').StoreFile} StoreFile */
/** @typedef {import('./splits.js').Splits} Splits */
/** @typedef {import('./compare.js').Columns} Columns */
/** @typedef {import('./compare.js').Comparison} Comparison */
/** @typedef {import('./compare.js').Migration} Migration */
/** @typedef {import('./compare.js').RegionStep} RegionStep */
/** @typedef {import('./compare.js').Sweep} Sweep */
/** @typedef {import('./suggest.js').SearchOptions} SearchOptions */
/** @typedef {import('./suggest.js').SuggestProgress} SuggestProgress */
/** @typedef {import('./suggest.js').Suggestion} Suggestion */
/** @typedef {import('./suggest.js').Suggestions} Suggestions */
/** @typedef {import('./summary.js').SummaryAnalysis} SummaryAnalysis */
/** @typedef {import('./summary.js').SummaryPart} SummaryPart */
