import { say } from '../../../www/text/sentences.js';

/**
 * What a figure can't do, with its sentence.
 * @param {string} code
 * @param {Record<string, string | number>} [args]
 */
export function figureError(code, args = {}) {
  return Object.assign(new Error(say(code, args)), { code, args, place: {} });
}
