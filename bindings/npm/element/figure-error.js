import { say } from '../../../www/text/sentences.js';

/**
 * An error of the figure, with its message.
 * @param {string} code
 * @param {Record<string, string | number>} [args]
 */
export function figureError(code, args = {}) {
  return Object.assign(new Error(say(code, args)), { code, args, place: {} });
}
