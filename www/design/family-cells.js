import { figureIn } from '../text/format.js';

/** @import { CellFormula, Family, FamilyCell } from '../types.d.ts' */

/** The qualifier of a cell as a person types it: behind `=` a formula. @param {string | CellFormula} qualifier */
export const qualifierText = (qualifier) =>
  typeof qualifier === 'string' ? qualifier : `=${qualifier.formula}`;

/**
 * The value of a cell as a person types it: its bytes, or behind `=` a formula; behind `+` what each record adds to it.
 * @param {FamilyCell} cell
 */
export function valueText({ bytes, value, packed }) {
  const text = (/** @type {number | CellFormula} */ of) =>
    typeof of === 'number' ? String(of) : `=${of.formula}`;
  return packed === undefined ? text(value ?? bytes ?? 0) : `+${text(packed)}`;
}

/** A qualifier that was typed. @param {string} text @returns {string | CellFormula} */
export const qualifierOf = (text) => formulaOf(text) ?? text;

/**
 * A cell with a value that was typed; what is no figure is left to the core to refuse.
 * @param {FamilyCell} cell
 * @param {string} text
 * @returns {FamilyCell}
 */
export function withValue({ bytes: _, value: __, packed: ___, ...cell }, text) {
  const adds = text.trim().startsWith('+');
  const of = adds ? text.trim().slice(1) : text;
  const said = formulaOf(of) ?? /** @type {number} */ (figureIn(of));
  if (adds) return { ...cell, packed: said };
  return typeof said === 'object' ? { ...cell, value: said } : { ...cell, bytes: said };
}

/** A cell with the timestamp of a field, or of the write for an empty name. @param {FamilyCell} cell @param {string} field @returns {FamilyCell} */
export function withTimestamp({ timestamp, ...rest }, field) {
  return field ? { ...rest, timestamp: field } : rest;
}

/** @param {string} text @returns {CellFormula | undefined} */
function formulaOf(text) {
  return text.trim().startsWith('=') ? { formula: text.trim().slice(1).trim() } : undefined;
}

/**
 * The families with one cell changed.
 * @param {Family[]} families
 * @param {number} of which family
 * @param {number} at which of its cells
 * @param {FamilyCell} changed
 * @returns {Family[]}
 */
export function withCell(families, of, at, changed) {
  return replaced(families, of, (family) => ({
    ...family,
    cells: replaced(family.cells ?? [], at, () => changed),
  }));
}

/**
 * The families with one called otherwise.
 * @param {Family[]} families
 * @param {number} of
 * @param {string} name
 */
export function renamed(families, of, name) {
  return replaced(families, of, (family) => ({ ...family, name }));
}

/**
 * The families without a cell; one without cells goes too.
 * @param {Family[]} families
 * @param {number} of
 * @param {number} at
 * @returns {Family[]}
 */
export function without(families, of, at) {
  const fewer = replaced(families, of, (family) => ({
    ...family,
    cells: family.cells?.filter((_, place) => place !== at),
  }));
  return fewer.filter((family, place) => place !== of || family.cells?.length);
}

/** The families with another cell, in the last of them. @param {Family[]} families @returns {Family[]} */
export function withAnother(families) {
  const last = families.at(-1) ?? { name: 'd' };
  const cells = last.cells ?? [];
  const taken = new Set(cells.map(({ qualifier }) => qualifierText(qualifier)));
  const letters = [...'qrstuvwxyzabcdefghijklmnop'];
  const qualifier = letters.find((letter) => !taken.has(letter)) ?? `q${cells.length}`;
  return [...families.slice(0, -1), { ...last, cells: [...cells, { qualifier, bytes: 8 }] }];
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} at
 * @param {(one: T) => T} change
 */
function replaced(list, at, change) {
  return list.map((one, place) => (place === at ? change(one) : one));
}
