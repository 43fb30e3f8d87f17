/** @import { Family } from '../types.d.ts' */

/**
 * The families with one cell changed.
 * @param {Family[]} families
 * @param {number} of which family
 * @param {number} at which of its cells
 * @param {object} changes
 * @returns {Family[]}
 */
export function withCell(families, of, at, changes) {
  return replaced(families, of, (family) => ({
    ...family,
    cells: replaced(family.cells ?? [], at, (cell) => ({ ...cell, ...changes })),
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
  const taken = new Set(cells.map(({ qualifier }) => qualifier));
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
