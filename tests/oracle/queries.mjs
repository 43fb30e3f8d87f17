// Random queries of a design, with the plans and the counts the package makes of them.
import { hex, notation } from './splits.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./records.mjs').Field} Field */
/** A condition on a field, in the texts of its records. @typedef {{ field: string, eq?: string, in?: string[], prefix?: string, from?: string, to?: string }} Condition */
/**
 * A query and its plan, as the oracle reads it.
 * @typedef {{ where: Condition[], order?: string, descending: boolean, kind: string, exact: boolean, ranges: { start: string, stop: string }[],
 *   filters: { name: string, pairs?: { key: string, mask: string }[], exact?: boolean, pattern?: string }[], regions: number[],
 *   delivery: { reversed: boolean, merge: boolean, sort: boolean, tied?: number }, read: number, returned: number,
 *   records?: { read: number, returned: number } }} Query
 */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */

/** Whole numbers that JavaScript would round stand in a document as they are. */
const WHOLE = /"whole:(-?\d+)"/g;

/** A value as a document writes it. @param {Field} field @param {string} text */
function written({ type, format }, text) {
  if (type === 'integer') return `whole:${text}`;
  if (type === 'boolean') return text === 'true';
  if (type === 'bytes')
    return notation(Buffer.from(format === 'uuid' ? text.replaceAll('-', '') : text, 'hex'));
  return text;
}

/** A document with one query, as JSON. @param {object} design @param {Field[]} fields @param {Condition[]} where @param {object} rest */
function documentOf(design, fields, where, rest) {
  const asked = where.map(({ field: name, ...condition }) => {
    const field = fields.find((one) => one.name === name);
    if (!field) throw new Error(`no field ${name}`);
    const members = Object.entries(condition).map(([how, value]) => {
      if (Array.isArray(value)) return [how, value.map((one) => written(field, one))];
      if (how !== 'prefix') return [how, written(field, value)];
      return [how, field.type === 'bytes' ? notation(Buffer.from(value, 'hex')) : value];
    });
    return [name, Object.fromEntries(members)];
  });
  const query = { name: 'q', where: Object.fromEntries(asked), ...rest };
  return JSON.stringify({ rowscape: 1, ...design, queries: [query] }).replace(WHOLE, '$1');
}

/** A random condition on a field, of values that records have. @param {Random} random @param {Field} field @param {() => string} value @returns {Condition} */
function condition(random, { name: field, type, format }, value) {
  const kind = random.between(0, 9);
  if (kind < 4) return { field, eq: value() };
  if (kind < 5) return { field, in: Array.from({ length: random.between(1, 4) }, value) };
  if (kind < 6 && type === 'text') {
    const characters = Array.from(value());
    return { field, prefix: characters.slice(0, random.between(1, characters.length)).join('') };
  }
  if (kind < 6 && type === 'bytes' && format === 'hex') {
    const whole = value();
    return { field, prefix: whole.slice(0, 2 * random.between(1, whole.length / 2)) };
  }
  if (kind < 7) return random.chance(0.5) ? { field, from: value() } : { field, to: value() };
  return { field, from: value(), to: value() };
}

/**
 * Random queries of a design with records. What the package refuses, such as a range turned around, is left out.
 * @param {Random} random
 * @param {Subject} subject
 * @param {{ fields: Field[], rowkey: string, splits: object }} design
 * @param {string[][]} records
 * @param {number} count
 * @returns {Query[]}
 */
export function queriesOf(random, subject, design, records, count) {
  const { fields } = design;
  const counted = subject.counts(fields, records, JSON.stringify({ rowscape: 1, ...design }));
  /** @type {Query[]} */
  const queries = [];
  for (let attempt = 0; queries.length < count && attempt < 4 * count; attempt++) {
    const record = random.pick(records);
    const named = random.chance(0.25);
    const where = fields.flatMap((field, at) => {
      if (named) return [{ field: field.name, eq: record[at] }];
      const value = () => (random.chance(0.5) ? record : random.pick(records))[at];
      return random.chance(0.6) ? [condition(random, field, value)] : [];
    });
    const order = random.chance(0.6) ? random.pick(fields).name : undefined;
    const descending = random.chance(0.5);
    const by = order && { order: { field: order, direction: descending ? 'descending' : 'ascending' } };
    const document = documentOf(design, fields, where, { ...by });
    const plan = subject.plan(document);
    if (!plan) continue;
    const { kind, exact, regions, delivery } = plan;
    const bytes = (/** @type {string} */ text) => hex(subject.bytes(text));
    const ranges = plan.ranges.map((/** @type {any} */ range) => ({
      start: hex(range.startBytes),
      stop: hex(range.stopBytes),
    }));
    const filters = plan.filters.map((/** @type {any} */ { pairs, ...filter }) => ({
      ...filter,
      ...(pairs && {
        pairs: pairs.map((/** @type {any} */ { key, mask }) => ({ key: bytes(key), mask: bytes(mask) })),
      }),
    }));
    queries.push({
      where,
      order,
      descending,
      kind,
      exact,
      ranges,
      filters,
      regions,
      delivery,
      ...counted(document),
    });
  }
  return queries;
}
