import { tablesOf } from '../design/document.js';
import { Engine, latestOnly } from './engine.js';
import { change, state } from './store.js';

/** @import { TableDesign } from '../design/document.js' */
/** @import { Design, FormulaCheck, Problem, Splits, Step } from '../types.d.ts' */

/** Checks formulas and documents as they are typed, even while the engine that holds the records sorts. */
const language = new Engine();

/** The table on show. */
export const table = () => (state.design ? tablesOf(state.design, state.kind)[state.table] : undefined);

/** Checks the formula as typed. */
export const showFormulaCheck = latestOnly(async () => {
  const { formula } = state;
  try {
    const check = await checkFormula(formula, table());
    if (formula === state.formula) change({ check });
  } catch {
    change({ check: null });
  }
});

/**
 * Checks a formula as one of this table, with the names its document gives.
 * @param {string} formula
 * @param {TableDesign | undefined} table
 * @returns {Promise<FormulaCheck>}
 */
export const checkFormula = (formula, table) =>
  language.ask('checkFormula', { formula, fields: table?.fields ?? [], names: table?.names ?? {} });

/**
 * @param {string} text of a document
 * @returns {Promise<{ problems: Problem[], design: Design | null }>}
 */
export const checkDocument = (text) => language.ask('checkDesign', { document: text });

/**
 * The split points that these splits come to.
 * @param {Splits} splits
 * @returns {Promise<{ points: string[] }>}
 */
export const splitPoints = (splits) => language.ask('splitPoints', { splits: JSON.stringify(splits) });

/** The steps of the formula language. @returns {Promise<Step[]>} */
export const steps = () => language.ask('steps');

/** Sends requests that need the document but no records. @param {string} type @param {object} ask */
export const askLanguage = (type, ask) => language.ask(type, ask);
