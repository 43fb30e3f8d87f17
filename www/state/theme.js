import { state } from './store.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The scheme in force: the person's choice, else the system's. @returns {'light' | 'dark'} */
export function scheme() {
  if (state.theme !== 'system') return state.theme;
  return dark.matches ? 'dark' : 'light';
}

/** @param {() => void} listener called when the system's scheme changes */
export function onScheme(listener) {
  dark.addEventListener('change', listener);
}
