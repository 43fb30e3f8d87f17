// Questions that a person is likely to ask of records, as their columns suggest them.
import { say } from '../text/sentences.js';
import { MILLISECONDS_PER_DAY } from '../text/units.js';

/** @import { Field, Query, TimeAxis, View } from '../types.d.ts' */

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
/** Parts of all time that are asked for: of all rows, and of one value. */
const PARTS = { all: 1000, one: 100 };
/** Rows of one value that a length of time has on average, so that it hardly ever has none. */
const FOUND = 3;
/** Newest rows asked for. */
const NEWEST = 20;
/** Queries per second assumed until a person says otherwise. */
const RATES = { all: 10, one: 50, newest: 50, whole: 5, row: 100 };

/**
 * A question, and the button that adds it.
 * @typedef {{ id: string, query: Query }} Proposal
 */

/**
 * Up to five questions that suit the columns, without those that are asked already.
 * @param {object} known
 * @param {Field[]} known.fields
 * @param {string | undefined} known.arrival
 * @param {string[]} known.keyed fields of the row key, in its order
 * @param {View | null} known.view
 * @param {Record<string, string>} known.record a record from the middle of the table
 * @param {Query[]} asked
 * @returns {Proposal[]}
 */
export function proposalsOf({ fields, arrival, keyed, view, record }, asked) {
  const time = fields.find(({ name, type }) => type === 'time' && name === (arrival ?? name));
  const values = new Map(view?.busiest.map(({ field, values: most }) => [field, most]) ?? []);
  const isUnique = (/** @type {Field} */ { name }) => values.get(name)?.[0]?.rows === 1;
  const rank = (/** @type {Field} */ { name }) => (keyed.includes(name) ? keyed.indexOf(name) : keyed.length);
  const named = fields.filter(({ type }) => type !== 'time' && type !== 'float' && type !== 'boolean');
  const ranked = [...named].sort((a, b) => rank(a) - rank(b));
  const one = ranked.find((field) => field.type !== 'integer' && !isUnique(field)) ?? ranked[0];
  const unique = ranked.find(isUnique);
  const valueFor = (/** @type {Field} */ field) =>
    typed(field, values.get(field.name)?.[0]?.value ?? record[field.name]);
  const within = (/** @type {number} */ parts) =>
    time && view?.time ? { [time.name]: spanOf(view.time, view.moments.rows, time, parts) } : null;
  /** @type {Proposal[]} */
  const proposals = [];
  const add = (
    /** @type {keyof typeof RATES} */ id,
    /** @type {Omit<Query, 'name'>} */ query,
    /** @type {Record<string, string | number>} */ args,
  ) => proposals.push({ id, query: { name: say(`page.ask-${id}`, args), ...query, rate: RATES[id] } });
  const all = within(PARTS.all);
  if (all && time) add('all', { where: all }, { time: time.name });
  const value = one && valueFor(one);
  if (one && value !== undefined) {
    const where = { [one.name]: value };
    const near = within(
      Math.min(PARTS.one, (values.get(one.name)?.[0]?.rows ?? Number.POSITIVE_INFINITY) / FOUND),
    );
    if (near) add('one', { where: { ...where, ...near } }, { field: one.name });
    if (time)
      add(
        'newest',
        { where, order: { field: time.name, direction: 'descending' }, limit: NEWEST },
        { field: one.name, rows: NEWEST },
      );
    add('whole', { where }, { field: one.name });
  }
  const id = unique && valueFor(unique);
  if (unique && id !== undefined) add('row', { where: { [unique.name]: id } }, { field: unique.name });
  const shapes = new Set(asked.map(shapeOf));
  return proposals.filter(({ query }) => !shapes.has(shapeOf(query)));
}

/** The fields that a query asks for, and whether it takes some rows or all. @param {Query} query */
const shapeOf = ({ where = {}, limit }) => `${Object.keys(where).sort().join()} ${limit ? 'some' : 'all'}`;

/** A value as the document holds it; none where there is none. @param {Field} field @param {string | undefined} text */
function typed({ type }, text) {
  if (text === undefined || text === '') return undefined;
  return type === 'integer' && String(Number(text)) === text ? Number(text) : text;
}

/**
 * A length of time that is a part of all of it, at the busiest moment.
 * @param {TimeAxis} axis
 * @param {Uint32Array} rows of each moment
 * @param {Field} field
 * @param {number} parts of all time
 * @returns {[string, string]}
 */
function spanOf({ start, step, buckets }, rows, field, parts) {
  const part = (step * buckets) / parts;
  // The next longer one where rows are few: it has some.
  const length =
    (parts < PARTS.one ? LENGTHS.find((one) => one >= part) : LENGTHS.findLast((one) => one <= part)) ??
    LENGTHS[parts < PARTS.one ? LENGTHS.length - 1 : 0];
  const busiest = rows.reduce((best, count, at) => (count > rows[best] ? at : best), 0);
  const from = Math.floor((start + (busiest + 0.5) * step) / length) * length;
  return [textOf(from, field), textOf(from + length, field)];
}

/** A time as a query writes it: ISO 8601 in the zone of its field. @param {number} time @param {Pick<Field, 'zone'>} field */
export const textOf = (time, { zone }) =>
  new Date(time + offsetOf(zone)).toISOString().slice(0, 19).replace('T', ' ');

/** The time that such a text is; NaN for other forms. @param {string} text */
export const timeIn = (text) => Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`);

/** Milliseconds that a zone is ahead of UTC. @param {string | undefined} zone */
function offsetOf(zone) {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
  return hours ? (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE) : 0;
}
