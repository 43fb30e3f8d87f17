import { withOutlook } from '../design/document.js';
import { askLanguage } from '../state/document-engine.js';
import { askRecords } from '../state/loading.js';
import { state } from '../state/store.js';
import { fileName } from './download.js';
import { exportFigure, FIGURE_FILES } from './figure-export.js';
import { measured } from './review-answers.js';

/** @import { ExportedText } from '../types.d.ts' */

/** A text that the core makes. @param {string} name @returns {Promise<ExportedText>} */
function emitted(name) {
  const ask = state.view ? askRecords : askLanguage;
  const { design, table } = state;
  return ask('emit', { document: JSON.stringify(design), table, name, lengths: measured() });
}

/** The code of one query. @param {string} name @param {number} index @returns {Promise<ExportedText>} */
export function emittedQuery(name, index) {
  const { design, table } = state;
  if (!design) throw new Error('no design');
  const queries = (design.queries ?? []).slice(index, index + 1);
  const document = JSON.stringify(withOutlook(design, { queries }));
  return (state.view ? askRecords : askLanguage)('emit', { document, table, name, lengths: measured() });
}

/**
 * A text that is made when it is chosen, or a file of the figure, made when it is taken.
 * @typedef {{ name: string, group: string, make?: () => Promise<ExportedText>, take?: () => Promise<void> }} Export
 */

/** @type {(group: string, ...names: string[]) => Export[]} */
const ofCore = (group, ...names) => names.map((name) => ({ name, group, make: () => emitted(name) }));

/** The design as a file. */
async function asDocument() {
  return { file: `${fileName(state.design?.name)}.json`, text: `${JSON.stringify(state.design, null, 2)}\n` };
}

/** All that a person can leave with, in the order it is listed; groups stand together. @type {Export[]} */
export const EXPORTS = [
  ...ofCore(
    'table',
    'shell',
    'shell-file',
    'splits-file',
    'shell-algorithm',
    'boundaries',
    'admin-java',
    'phoenix',
    'phoenix-view',
  ),
  ...ofCore('code', 'java', 'scala', 'python', 'javascript', 'spark-sql'),
  ...ofCore('code', 'scan-shell', 'reader-java', 'reader-python', 'writer-java', 'writer-python'),
  { name: 'document', group: 'design', make: asDocument },
  ...FIGURE_FILES.map((name) => ({ name, group: 'figure', take: () => exportFigure(name) })),
];

/** Groups of exports that each tab of the sheet offers. @type {Record<string, string[]>} */
const GROUPS = { create: ['table'], code: ['code'], share: ['design', 'figure'] };

/** Exports that the open tab of the sheet offers. */
export const offered = () => EXPORTS.filter(({ group }) => GROUPS[state.sheet ?? '']?.includes(group));

/** The selected export of these, by default the first. */
export const chosen = () => offered().find(({ name }) => name === state.exported) ?? offered()[0];

/** The command that creates the table. */
export const createCommand = () => emitted('shell');
