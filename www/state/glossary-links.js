import { html, nothing } from 'lit';
import { glossary, linked } from './glossary.js';
import { change, state, subscribe } from './store.js';

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
