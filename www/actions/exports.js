import { withOutlook } from '../design/document.js';
import { askLanguage, table as currentTable } from '../state/document-engine.js';
import { askRecords } from '../state/loading.js';
import { state } from '../state/store.js';
import { fileName } from './download.js';
import { exportFigure, FIGURE_FILES } from './figure-export.js';
import { measured } from './review-answers.js';

/** @import { ExportedText } from '../types.d.ts' */

/** A text that the core makes. @param {string} name @returns {Promise<ExportedText>} */
function emitted(name) {
  const ask = state.view ? askRecords : askLanguage;
  const { design, table, exportedFor } = state;
  const document = JSON.stringify(design);
  return ask('emit', { document, table, name, lengths: measured(), hbase: exportedFor, kind: kind() });
}

/** The kind of records whose row key is shown, where the table holds several. */
const kind = () => currentTable()?.kinds[state.kind];

/** The code of one query. @param {string} name @param {number} index @returns {Promise<ExportedText>} */
export function emittedQuery(name, index) {
  const { design, table, exportedFor } = state;
  if (!design) throw new Error('no design');
  const queries = (design.queries ?? []).slice(index, index + 1);
  const document = JSON.stringify(withOutlook(design, { queries }));
  const ask = state.view ? askRecords : askLanguage;
  return ask('emit', { document, table, name, lengths: measured(), hbase: exportedFor, kind: kind() });
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

/** Versions of HBase that exports of the core are for, those of `HBASE_VERSIONS` in src/emit. */
export const HBASE_VERSIONS = ['2.4', '2.5', '2.6', '3.0'];

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
  ...ofCore('code', 'scan-shell', 'scan-rest', 'reader-java', 'reader-scala', 'reader-python'),
  ...ofCore('code', 'writer-java', 'writer-scala', 'writer-python', 'load-java'),
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
