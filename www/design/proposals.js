// Questions that a person is likely to ask of records, and the times in them.
import { say } from '../text/sentences.js';
import { MILLISECONDS_PER_DAY } from '../text/units.js';

/** @import { ProposedQuery, Query } from '../types.d.ts' */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Lengths of time that are offered. */
export const LENGTHS = [
  MINUTE,
  10 * MINUTE,
  HOUR,
  MILLISECONDS_PER_DAY,
  7 * MILLISECONDS_PER_DAY,
  30 * MILLISECONDS_PER_DAY,
];

/**
 * The queries that suit the records, with names, without those that are asked already.
 * @param {ProposedQuery[]} proposed
 * @param {Query[]} asked
 * @returns {Query[]}
 */
export function proposalsOf(proposed, asked) {
  const shapes = new Set(asked.map(shapeOf));
  return proposed
    .filter(({ query }) => !shapes.has(shapeOf(query)))
    .map(({ asks, field, query }) => ({
      ...query,
      name: say(`page.ask-${asks}`, { field, rows: query.limit ?? 0 }),
    }));
}

/** The fields that a query asks for, and whether it takes some rows or all. @param {Omit<Query, 'name'>} query */
const shapeOf = ({ where = {}, limit }) => `${Object.keys(where).sort().join()} ${limit ? 'some' : 'all'}`;

/** A local time as a query writes it, in ISO 8601. @param {number} time */
export const textOf = (time) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** The time that such a text is; NaN for other forms. @param {string} text */
export const timeIn = (text) => Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`);
