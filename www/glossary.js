import { html } from 'lit';
import { state } from './store.js';

/** @typedef {Record<string, { name: string, text: string }>} Glossary */

/** @type {Map<string, Promise<Glossary>>} */
const loads = new Map();

/** The words explained, in the language on show. @returns {Promise<Glossary>} */
export function glossary() {
  const { language } = state;
  const known = loads.get(language);
  if (known) return known;
  const url = new URL(`messages/glossary.${language}.json`, document.baseURI);
  const answer = fetch(url).then((response) => {
    if (!response.ok) throw new Error(`${response.status} glossary`);
    return response.json();
  });
  loads.set(language, answer);
  answer.catch(() => loads.delete(language));
  return answer;
}

/**
 * A text in which the first mention of each word of the glossary is a link to it.
 * @param {string} text
 * @param {Glossary} words
 * @param {string} [own] the word that the text explains: no link to itself
 */
export function linked(text, words, own) {
  const byName = new Map(Object.entries(words).map(([id, { name }]) => [name.toLowerCase(), id]));
  const names = [...byName.keys()]
    .filter((name) => name.length > 1)
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // A plural is the same word; scripts without spaces have no word boundaries.
  if (!names.length) return [text];
  const pattern = state.language === 'en' ? `\\b(${names.join('|')})(s|es)?\\b` : `(${names.join('|')})`;
  const seen = new Set(own ? [own] : []);
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(new RegExp(pattern, 'gi'))) {
    const id = byName.get(match[1].toLowerCase());
    if (!id || seen.has(id)) continue;
    seen.add(id);
    pieces.push(text.slice(at, match.index), html`<a class="word" href=${`#glossary/${id}`}>${match[0]}</a>`);
    at = match.index + match[0].length;
  }
  pieces.push(text.slice(at));
  return pieces;
}
