import * as core from '#core';
import { columnsOf } from '../design/document.js';
import { BrokenTable } from './packed.js';
import { openPacked } from './packed-source.js';
import { filesOf, firstOf, head } from './source.js';

/** @import { Guess, RecordSource } from '../types.d.ts' */

/**
 * Guesses the format of a source's files, which must all be the same.
 * @param {RecordSource} source
 * @param {readonly string[]} [declared] columns that a design reads: a first record that holds the name of one is a header
 * @param {boolean} [ofKinds]
 * @param {string} [document] a design, of whose tables the files may hold row keys
 * @returns {Promise<Guess>}
 */
export async function guessOf(source, declared = [], ofKinds = false, document = '') {
  const files = filesOf(source);
  const { keys: said = false, header, encoding } = source.kind === 'file' ? source : {};
  const guesses = [];
  for (const file of files) {
    const packed = await refusing(openPacked(file));
    const isDamage = (/** @type {unknown} */ error) => error instanceof BrokenTable;
    const bytes = await (packed ? refusing(firstOf(packed.pieces(), isDamage)) : head(file));
    const stated = packed?.stated;
    const guess = /** @type {Guess} */ (
      core.guessFile(bytes, file.name, said, header, [...declared], encoding, stated)
    );
    const read = { bytes, file, header, declared, encoding, said };
    guesses.push(
      guess.keys ? await (await import('./row-keys.js')).guessOfKeys(guess, read, document) : guess,
    );
  }
  const [first, ...others] = guesses;
  const names = (/** @type {Guess} */ { input }) => [...new Set(input.fields.flatMap(columnsOf))].join(', ');
  const form = (/** @type {Guess} */ guess) =>
    [guess.input.format, guess.input.separator, ofKinds ? '' : names(guess)].join();
  for (const [at, guess] of others.entries()) {
    if (form(guess) === form(first)) continue;
    const short = (/** @type {Guess} */ guess) => names(guess).slice(0, 200);
    throw Object.assign(new Error('page.other-header'), {
      code: 'page.other-header',
      args: { file: files[at + 1].name, found: short(guess), first: files[0].name, wanted: short(first) },
    });
  }
  const guess = ofKinds ? withFieldsOf(first, others) : first;
  return others.length
    ? { ...guess, ...statedByAll(guesses), fields: guess.fields.map(withoutRange) }
    : guess;
}

/** The records and row groups of files together, where each states them. @param {Guess[]} guesses */
function statedByAll(guesses) {
  const sum = (/** @type {'rows' | 'groups'} */ name) =>
    guesses.reduce((/** @type {number | undefined} */ all, { [name]: own }) => {
      return all === undefined || own === undefined ? undefined : all + own;
    }, 0);
  return { rows: sum('rows'), groups: sum('groups') };
}

/** A field without what one of several files states of its values. @param {Guess['fields'][number]} field */
const withoutRange = ({ range: _, ...field }) => field;

/** A guess with the fields that only other files have. @param {Guess} first @param {Guess[]} others @returns {Guess} */
function withFieldsOf(first, others) {
  const fields = [...first.input.fields];
  for (const field of others.flatMap(({ input }) => input.fields))
    if (!fields.some(({ name }) => name === field.name)) fields.push(field);
  return { ...first, input: { ...first.input, fields } };
}

/**
 * The result of work on a packed file; why it can't be read is thrown as a problem with a sentence.
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function refusing(work) {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BrokenTable)) throw error;
    const problem = core.damageOf(error.problem);
    throw Object.assign(new Error(problem.message), problem);
  }
}
