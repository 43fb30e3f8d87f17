import { RowscapeError } from './error.js';

/** Matches errors of a Content Security Policy that forbids compiling wasm. */
const BLOCKED = /unsafe-eval|content security policy|blocked by csp|disallowed by embedder/i;

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
