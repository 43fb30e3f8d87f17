import { escaped } from '../text/escaped-bytes.js';
import { count } from '../text/format.js';
import { say } from '../text/sentences.js';
import { askLanguage, checkFormula, table } from './document-engine.js';
import { state } from './store.js';

/** @import { Part, Problem } from '../types.d.ts' */

/**
 * Explanation of a value within a formula.
 * @typedef {{ part: Part | null, written: boolean, value: string | null, problem: Problem | null }} Explained
 */

/**
 * Encodings that keep all a value says, to ask what is known of one that has no bytes yet.
 * @type {Record<string, string>}
 */
const KEPT = {
  integer: '.ordered.int64()',
  time: '.millis().ordered.int64()',
  float: '.ordered.numeric()',
  decimal: '.ordered.numeric()',
  boolean: '.boolean()',
};
/** How such a value is shown. @type {Record<string, string>} */
const SHOWN = {
  integer: '.decimal()',
  time: ".format('yyyy-MM-dd HH:mm:ss')",
  float: '.string()',
  decimal: '.string()',
  boolean: '.string()',
};

/**
 * Explains a value of a formula and computes it for the visible record.
 * @param {string} text from its source to a step
 * @param {string | null} type
 * @returns {Promise<Explained>}
 */
export async function explain(text, type) {
  const kept = KEPT[type ?? ''] ?? '';
  const { parts, problems } = await checkFormula(text + kept, table());
  const part = parts.length === 1 ? parts[0] : null;
  const value = problems.length ? null : await bytesOf(text + (SHOWN[type ?? ''] ?? ''));
  return { part, written: kept === '', value, problem: problems[0] ?? null };
}

/** The bytes of a formula for the record on show, as the shell prints them. @param {string} formula */
async function bytesOf(formula) {
  const shown = table();
  if (!state.record || !shown || /\brest\b|\bsalt\b/.test(formula)) return null;
  const values = shown.fields.map(({ name }) => state.record?.[name] ?? null);
  const document = JSON.stringify({ rowscape: 1, fields: shown.fields, ...shown.names, rowkey: formula });
  try {
    const bytes = await askLanguage('encodeRecord', { document, values });
    return bytes ? escaped(bytes) : null;
  } catch {
    return null;
  }
}

/** Alphabets that leave nothing out: of bytes, and of text in UTF-8. */
const ANY = ['\\x00-\\xFF', '\\x00-\\xBF \\xC2-\\xF4'];

/**
 * The four properties of a value, in words.
 * @param {Part} part
 * @param {boolean} written whether it has bytes already
 */
export function propertiesOf({ fields, order, oneToOne, distinct, width, alphabet }, written = true) {
  const bytes = !written
    ? say('page.width-none')
    : width.max === null
      ? say(width.min ? 'page.width-from' : 'page.width-any', { min: count(width.min) })
      : width.min === width.max
        ? say('page.width-fixed', { bytes: count(width.min) })
        : say('page.width-between', { min: count(width.min), max: count(width.max) });
  const unique = oneToOne
    ? say('page.one-to-one')
    : distinct === null || distinct > 1e9
      ? say('page.many-to-one')
      : say('page.distinct', { count: count(distinct) });
  const letters = written && alphabet && !ANY.includes(alphabet) ? alphabet : say('page.alphabet-any');
  return {
    order: fields.length ? say(`page.order-${order}`) : '',
    unique: fields.length ? unique : '',
    width: bytes,
    alphabet: written ? letters : '',
  };
}
