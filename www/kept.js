/** What survives a reload: the document and where its records came from; never the records. */

const KEY = 'rowscape.document.v1';
const THEME = 'rowscape.theme.v1';

/** @returns {{ text: string, example: string | null } | null} */
export function keptDocument() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof kept?.text === 'string' ? kept : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @param {string | null} example
 */
export function keepDocument(text, example) {
  quietly(() => localStorage.setItem(KEY, JSON.stringify({ text, example })));
}

export function forgetDocument() {
  quietly(() => localStorage.removeItem(KEY));
}

/** @returns {'system' | 'light' | 'dark'} */
export function keptTheme() {
  const theme = quietly(() => localStorage.getItem(THEME));
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** @param {string} theme */
export function keepTheme(theme) {
  quietly(() => localStorage.setItem(THEME, theme));
}

/**
 * A browser may forbid storage: the page works all the same.
 * @template T
 * @param {() => T} use
 */
function quietly(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}
