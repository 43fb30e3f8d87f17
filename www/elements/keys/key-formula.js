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
  // Columns count characters from 1, strings UTF-16 units from 0.
  const letters = [...formula];
  const unit = (/** @type {number} */ column) => letters.slice(0, column - 1).join('').length;
  const pieces = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const [from, to] = [unit(part.from), unit(part.to)];
    const text = formula.slice(from, to);
    pieces.push(formula.slice(at, from), html`<mark class=${`part-${colours[index]}`}>${text}</mark>`);
    at = to;
  }
  return [...pieces, formula.slice(at)];
}
