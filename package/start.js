// Starting the wasm module.
import { RowscapeError } from './error.js';
import * as wasm from './wasm/rowscape.js';
import { sentences } from './wasm/sentences.js';

/** What a page's Content Security Policy says when it lets no wasm be compiled. */
const BLOCKED = /unsafe-eval|content security policy|blocked by csp|disallowed by embedder/i;

/** Says the sentences of refusals and findings, which the module is without. */
export const speak = () =>
  /** @type {any} */ (wasm).setSentences?.((/** @type {string} */ code) => sentences[code]);

/**
 * Why the module can't be started.
 * @param {unknown} error
 */
export function notStarted(error) {
  const said = error instanceof Error ? error.message : String(error);
  const [code, message] = BLOCKED.test(said)
    ? [
        'wasm.blocked',
        "the page's Content Security Policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src",
      ]
    : ['wasm.not-started', `the WebAssembly module can't be started: ${said}`];
  return new RowscapeError({ code, place: {}, args: { error: said }, message });
}
