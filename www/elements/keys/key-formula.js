import { html } from 'lit';
import { partColours } from '../../design/part-colours.js';

/** @import { Part } from '../../types.d.ts' */

/**
 * A row key's formula, each part in its color.
 * @param {string} formula
 * @param {Part[]} parts none before they are known
 */
export function colouredFormula(formula, parts) {
  const colours = partColours(parts);
  const pieces = [];
  let at = 0;
  for (const [index, { from, to }] of parts.entries()) {
    if (from < at || to > formula.length) continue;
    pieces.push(
      formula.slice(at, from),
      html`<mark class=${`part-${colours[index]}`}>${formula.slice(from, to)}</mark>`,
    );
    at = to;
  }
  return [...pieces, formula.slice(at)];
}
