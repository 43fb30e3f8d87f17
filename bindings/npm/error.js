/**
 * A problem: what was found, where, and what to do.
 * @typedef {object} Problem
 * @property {string} code stable, such as `formula.unknown-step`
 * @property {{ path?: string, column?: number, end?: number, file?: string, row?: number, field?: string }} place
 * @property {Record<string, string>} args the arguments of the sentence
 * @property {string} message the English sentence, without the place
 */

/** The error that Rowscape throws. Its message starts with the place. */
export class RowscapeError extends Error {
  /**
   * @param {Problem} problem
   * @param {Problem[]} [problems] everything that is wrong, if there is more
   */
  constructor(problem, problems = [problem]) {
    const { path, column, end, file, row, field } = problem.place;
    const place = [file, path, column && `column ${column}`, row && `row ${row}`, field && `field ${field}`];
    const where = place.filter(Boolean).join(', ');
    super(where ? `${where}: ${problem.message}` : problem.message);
    /** Stable code, such as `formula.unknown-step`. */
    this.code = problem.code;
    /** JSON path in the design document, such as `fields[2].format`. @type {string | undefined} */
    this.path = path;
    /** Line or record of the input, 1-based. @type {number | undefined} */
    this.line = row;
    /** First column in a formula or pattern, in characters, 1-based. @type {number | undefined} */
    this.column = column;
    /** Column after the last one. @type {number | undefined} */
    this.endColumn = end;
    /** The field concerned. @type {string | undefined} */
    this.field = field;
    /** The arguments of the sentence. */
    this.args = problem.args;
    /** Everything that is wrong, this problem first. */
    this.problems = problems;
  }

  get name() {
    return 'RowscapeError';
  }
}

/**
 * A value of the wrong kind.
 * @param {string} name of the argument
 * @param {string} wanted
 * @param {unknown} found
 */
export function wrongKind(name, wanted, found) {
  const kind =
    typeof found === 'number'
      ? String(found)
      : found === null
        ? 'null'
        : Array.isArray(found)
          ? 'a list'
          : typeof found;
  const message = `found ${kind} where ${wanted} is expected`;
  return new RowscapeError({
    code: 'value.wrong-kind',
    place: { path: name },
    args: { found: kind, wanted },
    message,
  });
}

/**
 * Options of which each has one of these names.
 * @template {object} T
 * @param {T | null | undefined} options
 * @param {readonly string[]} names
 * @returns {T}
 */
export function optionsOf(options, names) {
  const given = options ?? /** @type {T} */ ({});
  if (typeof given !== 'object') throw wrongKind('options', 'an object', options);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  const known = names.join(', ');
  throw new RowscapeError({
    code: 'value.unknown-option',
    place: { path: `options.${unknown}` },
    args: { name: unknown, known },
    message: `there is no option ${unknown}; the options: ${known}`,
  });
}

let isStarted = false;

/** From here on the wasm module answers. */
export function started() {
  isStarted = true;
}

/**
 * Runs `work` in the wasm module; what it refuses is thrown as a {@link RowscapeError}.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function call(work) {
  if (!isStarted) {
    const message = 'Rowscape is not started; call init or initSync of rowscape/slim first';
    throw new RowscapeError({ code: 'wasm.not-started', place: {}, args: {}, message });
  }
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'place' in error) {
      const { code, place, args, message, problems } = /** @type {any} */ (error);
      throw new RowscapeError({ code, place, args, message }, problems);
    }
    if (error instanceof WebAssembly.RuntimeError) {
      const message = `Rowscape failed (${error.message}); restart it, and please report the steps that led here`;
      throw new RowscapeError({ code: 'wasm.failed', place: {}, args: { error: error.message }, message });
    }
    throw error;
  }
}
