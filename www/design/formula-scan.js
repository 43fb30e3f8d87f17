/** Where the sources and steps of a formula stand, also of one that is half typed. What a formula means only the core says. */

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

/**
 * The terms of a formula in the order they begin, those within brackets after the one they are in.
 * @param {string} text
 * @returns {Term[]}
 */
export function scan(text) {
  /** @type {Term[]} */
  const terms = [];
  let at = 0;

  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) at += found.length;
    return found ?? '';
  };

  /** What is in brackets; whether they are not closed. @param {number} depth @param {string} within */
  const given = (depth, within) => {
    if (text[at] !== '(') return false;
    at++;
    for (;;) {
      take(SPACE);
      if (at >= text.length) return true;
      if (text[at] === ')') {
        at++;
        return false;
      }
      const before = at;
      if (text[at] !== ',') term(depth + 1, within);
      if (at === before) at++;
    }
  };

  /** @param {number} depth @param {string | null} within */
  const term = (depth, within) => {
    const from = at;
    const literal = take(TEXT) || take(NUMBER);
    const quoted = literal ? '' : take(QUOTED);
    const name = literal || quoted || take(WORD);
    if (!name) return;
    const cut = /^x?['`]/.test(name) && (name.length < 2 || !/['`]$/.test(name) || /^x'$/.test(name));
    /** @type {Term} */
    const found = {
      from,
      to: at,
      depth,
      within,
      literal: literal !== '',
      source: {
        name: quoted ? quoted.slice(1, -1).replaceAll('``', '`') : name,
        from,
        to: at,
        open: cut,
      },
      steps: [],
    };
    terms.push(found);
    if (!literal && !quoted) found.source.open = given(depth, name);
    found.source.to = at;
    while (text[at] === '.') {
      at++;
      const start = at;
      let step = take(WORD);
      if (FAMILIES.includes(step) && text[at] === '.') {
        at++;
        step += `.${take(WORD)}`;
      }
      const open = given(depth, `.${step}`);
      found.steps.push({ name: step, from: start, to: at, open });
    }
    found.to = at;
  };

  while (at < text.length) {
    take(SPACE);
    const before = at;
    if (text[at] !== '+') term(0, null);
    if (at === before) at++;
  }
  return terms;
}

/** The parts of a formula, each as it is written. @param {string} text */
export function partsOf(text) {
  return scan(text)
    .filter(({ depth }) => depth === 0)
    .map(({ from, to }) => text.slice(from, to));
}
