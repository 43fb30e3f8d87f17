import first from '../../data/messages/en.json' with { type: 'json' };
import firstPlurals from '../../data/messages/en.plurals.json' with { type: 'json' };
import { count, formatAs, timeOf } from './format.js';

/** @typedef {typeof LANGUAGES[number]} Language */

/** Languages there are sentences in. The first is part of the page, the others are files. */
export const LANGUAGES = /** @type {const} */ (['en', 'zh', 'ko']);

/** @type {Record<string, string>} */
let english = first;
/** @type {Record<string, string>} */
let messages = english;

/**
 * Sentences that number changes, with the argument that does: `one` is a plural category of `Intl`.
 * @typedef {Record<string, { by: string, [category: string]: string }>} Plurals
 */

/** @type {Plurals} */
let plurals = firstPlurals;
/** @type {Plurals} */
let counted = plurals;
let rules = new Intl.PluralRules('en');

/**
 * Marks between the places of a problem, between them and its sentence, and between the figures of a
 * comparison.
 */
const MARKS = /** @type {const} */ ({
  en: { places: ', ', after: ': ', figures: '; ' },
  zh: { places: '，', after: '：', figures: '；' },
  ko: { places: ', ', after: ': ', figures: ', ' },
});
/** @type {Language} */
let spoken = 'en';

/**
 * Takes sentences in English that came later.
 * @param {Record<string, string>} more
 * @param {Plurals} morePlurals
 */
export function learn(more, morePlurals) {
  english = { ...english, ...more };
  messages = { ...more, ...messages };
  plurals = { ...plurals, ...morePlurals };
  if (spoken === 'en') counted = plurals;
}

/**
 * Says everything in another language from here on.
 * @param {Language} language
 * @param {Record<string, string>} [sentences] of that language, for those in English
 */
export function speak(language, sentences) {
  messages = { ...english, ...sentences };
  // Chinese and Korean have one form for every number.
  counted = language === 'en' ? plurals : {};
  rules = new Intl.PluralRules(language);
  spoken = language;
  formatAs(language);
  document.documentElement.lang = language;
}

/**
 * The language that a person reads best, of those there are.
 * @param {readonly string[]} wanted
 * @returns {Language}
 */
export function languageOf(wanted) {
  const known = wanted.map((tag) => LANGUAGES.find((one) => one === tag.toLowerCase().split('-')[0]));
  return known.find(Boolean) ?? 'en';
}

/**
 * A sentence of the catalogue with its arguments filled in, `{#name}` as a count, `{>name}` as the sentence
 * of that code; the code itself when it has none.
 * @param {string} code
 * @param {Record<string, string | number>} [args]
 * @returns {string}
 */
export function say(code, args = {}) {
  const sentence = inNumber(code, args) ?? messages[code] ?? code;
  return sentence.replace(/\{([#>]?)([a-z0-9]+)\}/gi, (_, kind, name) => {
    const value = String(args[name] ?? '');
    if (kind === '>') return say(value, args);
    if (name === 'interval') return timeOf(value);
    return kind && /^\d+(\.\d+)?$/.test(value)
      ? value.replace(/^\d+/, (digits) => count(Number(digits)))
      : value;
  });
}

/**
 * The supporting line of a verdict or finding: its evidence; empty where the headline has it all.
 * @param {{ code: string, args?: Record<string, string> }} conclusion
 */
export function detailOf({ code, args }) {
  const detail = `${code}.detail`;
  return detail in messages ? say(detail, args).trimEnd() : '';
}

/** A message of the core as a complete sentence. @param {string} text */
export function sentence(text) {
  // Other languages may begin with the name of a table, which stays as it is.
  const whole = spoken === 'en' ? text.replace(/^\p{Ll}(?=\p{Ll}* )/u, (first) => first.toUpperCase()) : text;
  return /[.。…]$/.test(whole) ? whole : say('page.full-stop', { text: whole });
}

/** Figures of a comparison, one after another. @param {string[]} figures */
export const oneAfterAnother = (figures) => figures.join(MARKS[spoken].figures);

/**
 * The form of a sentence that its whole number asks for.
 * @param {string} code
 * @param {Record<string, string | number>} args
 */
function inNumber(code, args) {
  const forms = counted[code];
  const number = String(forms ? args[forms.by] : '');
  return /^\d+$/.test(number) ? forms[rules.select(Number(number))] : undefined;
}

/**
 * A problem in words, with the place it was found at.
 * @param {{ code?: string, place?: { path?: string, column?: number, file?: string, row?: number, offset?: number, field?: string }, args?: Record<string, string>, message?: string }} problem
 */
export function describe({ code, place = {}, args, message }) {
  // Rows of records have fields in place of columns.
  const line = place.column && place.row;
  const where = [
    place.path,
    line && say('page.at-line', { line }),
    place.column && say('page.at-column', { column: place.column }),
    place.offset && say('page.at-offset', { offset: place.offset }),
    !line && place.row && say('page.at-row', { row: place.row }),
    place.field && say('page.at-field', { field: place.field }),
  ].filter(Boolean);
  const sentence = code && messages[code] ? say(code, args) : (message ?? code ?? '');
  const { places, after } = MARKS[spoken];
  return where.length ? where.join(places) + after + sentence : sentence;
}
