import * as core from '#core';

/** @import { Guess } from '../types.d.ts' */

const NEWLINE = 10;
/** What UTF-8 may begin with. */
const MARK = [0xef, 0xbb, 0xbf];

/** Whether a person can say what the first row of a file is. @param {Guess} guess */
export const hasFirstRow = ({ input, encoding }) => input.format === 'csv' && !encoding.startsWith('utf-16');

/**
 * What a file of columns holds when a person says whether its first row is names.
 * @param {Uint8Array} head
 * @param {string} name of the file
 * @param {Guess} guess as made without being told
 * @param {boolean} header
 * @returns {Guess}
 */
export function guessWithHeader(head, name, guess, header) {
  if (!hasFirstRow(guess) || guess.input.header === header) return guess;
  const bytes = MARK.every((byte, at) => head[at] === byte) ? head.subarray(MARK.length) : head;
  const separator = guess.input.separator ?? ',';
  const columns = guess.fields.map((_, at) => `column_${at + 1}`);
  const end = header ? bytes.indexOf(NEWLINE) + 1 || bytes.length : 0;
  // Under names of our own each row is data, so that the types are those of what is read.
  const line = new TextEncoder().encode(`${columns.join(separator)}\n`);
  const typed = /** @type {Guess} */ (core.guess(new Uint8Array([...line, ...bytes.subarray(end)]), name));
  if (typed.fields.length !== columns.length) return guess;
  const names = header ? namesOf(guess.preview[0] ?? [], columns) : columns;
  const named = (/** @type {any[]} */ fields) => fields.map((field, at) => ({ ...field, name: names[at] }));
  return {
    ...typed,
    encoding: guess.encoding,
    gzip: guess.gzip,
    input: { ...typed.input, separator: guess.input.separator, header, fields: named(typed.input.fields) },
    fields: named(typed.fields),
  };
}

/** Names of the first row: blank ones are numbered, repeated ones told apart, as the reader does. @param {string[]} row @param {string[]} columns */
function namesOf(row, columns) {
  /** @type {string[]} */
  const names = [];
  for (const [at, column] of columns.entries()) {
    const base = row[at]?.trim() || column;
    let name = base;
    for (let copy = 2; names.includes(name); copy++) name = `${base}_${copy}`;
    names.push(name);
  }
  return names;
}
