import { html, nothing } from 'lit';
import { jsonOf } from './page-files.js';
import { change, state, subscribe } from './store.js';

/**
 * Words by their id; an exact one is written as its name is.
 * @typedef {Record<string, { name: string, text: string, exact?: boolean }>} Glossary
 */

/** @type {Map<string, Promise<Glossary>>} */
const loads = new Map();

/** The words explained, in the language on show. @returns {Promise<Glossary>} */
export function glossary() {
  const { language } = state;
  const known = loads.get(language);
  if (known) return known;
  /** @type {Promise<Glossary>} */
  const answer = jsonOf(`messages/glossary.${language}.json`);
  loads.set(language, answer);
  answer.catch(() => loads.delete(language));
  return answer;
}

/**
 * How the words of a glossary are found in a text.
 * @type {WeakMap<Glossary, { byName: Map<string, string>, pattern: RegExp | null }>}
 */
const finders = new WeakMap();

/** @param {Glossary} words */
function finderOf(words) {
  const known = finders.get(words);
  if (known) return known;
  const byName = new Map(Object.entries(words).map(([id, { name }]) => [name.toLowerCase(), id]));
  const names = [...byName.keys()]
    .filter((name) => name.length > 1)
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // A plural is the same word; scripts without spaces have no word boundaries.
  const any = `(${names.join('|')})`;
  const whole = state.language === 'en' ? `\\b${any}(s|es)?\\b` : any;
  const finder = { byName, pattern: names.length ? new RegExp(whole, 'gi') : null };
  finders.set(words, finder);
  return finder;
}

/**
 * A text in which the first mention of each word of the glossary is a link to it.
 * @param {string} text
 * @param {Glossary} words
 * @param {string} [own] the word that the text explains: no link to itself
 */
export function linked(text, words, own) {
  const { byName, pattern } = finderOf(words);
  if (!pattern) return [text];
  const seen = new Set(own ? [own] : []);
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const id = byName.get(match[1].toLowerCase());
    if (!id || seen.has(id)) continue;
    const { exact, name, text: meaning } = words[id];
    // “get” is a word of its own; “Get” is what HBase calls a read.
    if (exact && match[1] !== name) continue;
    seen.add(id);
    const link = html`<a class="word" href=${`#glossary/${id}`} title=${meaning}>${match[0]}</a>`;
    pieces.push(text.slice(at, match.index), link);
    at = match.index + match[0].length;
  }
  pieces.push(text.slice(at));
  return pieces;
}

/** The words of the glossary on the bench: fetched once there is a report to read. */
export function followWords() {
  /** @type {string | null} */
  let asked = null;
  subscribe(() => {
    const { view, language } = state;
    if (!view || asked === language) return;
    asked = language;
    // Without them sentences are as they are.
    glossary().then(
      (words) => language === state.language && change({ words }),
      () => {},
    );
  });
}

/** A sentence with its words linked to what they mean. @param {string} sentence */
export const explained = (sentence) => linked(sentence, state.words);

/**
 * A label that is a word of the glossary.
 * @param {string} id
 * @param {string} label
 */
export const word = (id, label) =>
  html`<a class="word" href=${`#glossary/${id}`} title=${state.words[id]?.text ?? nothing}>${label}</a>`;
