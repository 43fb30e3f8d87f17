/**
 * Where the sources and steps of a formula stand. The core's lexer (`src/formula/lexer.rs`) stops at the
 * first error and says what a formula means. This one repeats how words are written, because a half-typed
 * formula needs parts and completions too. A change to names, texts or numbers concerns both.
 */

/**
 * Places count UTF-16 units from 0.
 * @typedef {{ name: string, from: number, to: number, open: boolean }} Piece `open`: its bracket or quote is not closed yet
 * @typedef {{ from: number, to: number, depth: number, within: string | null, literal: boolean, source: Piece, steps: Piece[] }} Term
 */

const SPACE = /\s+/y;
const TEXT = /x?'(?:[^']|'')*(?:'|$)/y;
const QUOTED = /`(?:[^`]|``)*(?:`|$)/y;
const NUMBER = /-?\d[\d_]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** Names that steps begin with, and a full stop. */
const FAMILIES = ['ordered', 'phoenix'];

/** True if a quoted text or a name in backticks is not closed yet. @param {string} word */
const isCut = (word) => /^x?['`]/.test(word) && (word.length < 2 || !/['`]$/.test(word) || /^x'$/.test(word));

class Scanner {
  /** @type {Term[]} */
  terms = [];
  #at = 0;
  #text;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {RegExp} pattern */
  #take(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /**
   * Reads terms up to the closing sign or the end.
   * @param {string} between the sign that separates terms
   * @param {number} depth
   * @param {string | null} within
   * @param {string} [closing]
   */
  scan(between, depth, within, closing) {
    for (;;) {
      this.#take(SPACE);
      const sign = this.#text[this.#at];
      if (sign === undefined || sign === closing) return;
      const before = this.#at;
      if (sign !== between) this.#term(depth, within);
      // Anything else is skipped.
      if (this.#at === before) this.#at++;
    }
  }

  /**
   * Reads what is in brackets, if they begin here; whether they are not closed yet.
   * @param {number} depth
   * @param {string} within
   */
  #given(depth, within) {
    if (this.#text[this.#at] !== '(') return false;
    this.#at++;
    this.scan(',', depth + 1, within, ')');
    if (this.#at >= this.#text.length) return true;
    this.#at++;
    return false;
  }

  /** @param {number} depth @param {string | null} within */
  #term(depth, within) {
    const from = this.#at;
    const literal = this.#take(TEXT) || this.#take(NUMBER);
    const quoted = literal ? '' : this.#take(QUOTED);
    const word = literal || quoted || this.#take(WORD);
    if (!word) return;
    const name = quoted ? quoted.slice(1, -1).replaceAll('``', '`') : word;
    const source = { name, from, to: this.#at, open: isCut(word) };
    /** @type {Term} */
    const term = { from, to: this.#at, depth, within, literal: literal !== '', source, steps: [] };
    // A term stands before those within its brackets.
    this.terms.push(term);
    if (!literal && !quoted) source.open = this.#given(depth, word);
    source.to = this.#at;
    while (this.#text[this.#at] === '.') term.steps.push(this.#step(depth));
    term.to = this.#at;
  }

  /** @param {number} depth @returns {Piece} */
  #step(depth) {
    const from = ++this.#at;
    let name = this.#take(WORD);
    if (FAMILIES.includes(name) && this.#text[this.#at] === '.') {
      this.#at++;
      name += `.${this.#take(WORD)}`;
    }
    const open = this.#given(depth, `.${name}`);
    return { name, from, to: this.#at, open };
  }
}

/**
 * The terms of a formula in the order they begin, those within brackets after the one they are in.
 * @param {string} text
 * @returns {Term[]}
 */
export function scan(text) {
  const scanner = new Scanner(text);
  scanner.scan('+', 0, null);
  return scanner.terms;
}

/** The parts of a formula, each as it is written. @param {string} text */
export function partsOf(text) {
  return scan(text)
    .filter(({ depth }) => depth === 0)
    .map(({ from, to }) => text.slice(from, to));
}
