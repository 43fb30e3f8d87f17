/** @import { Condition, Field, Problem, Query, Value } from '../types.d.ts' */

/**
 * A query as a person fills it in: everything is text until it is read.
 * @typedef {'is' | 'in' | 'prefix' | 'range'} Way
 * @typedef {{ field: string, way: Way, first: string, last: string }} Asked
 * @typedef {{ name: string, asked: Asked[], order: string, limit: string, rate: string, kept: Query, problems: Problem[] }} Form
 * `kept` is the last sound query it was, `problems` what is wrong with it since.
 */

/**
 * The ways to ask for values of a type, the most likely one first.
 * @param {Field['type']} type
 * @returns {Way[]}
 */
export function waysOf(type) {
  if (type === 'time') return ['range', 'is', 'in'];
  return type === 'text' || type === 'bytes' ? ['is', 'in', 'prefix', 'range'] : ['is', 'in', 'range'];
}

/** @param {Query} query @returns {Form} */
export function formOf(query) {
  const { name, where = {}, order, limit, rate } = query;
  const { field, direction = 'ascending' } = typeof order === 'string' ? { field: order } : (order ?? {});
  return {
    name,
    asked: Object.entries(where).map(([of, condition]) => ({ field: of, ...askedOf(condition) })),
    order: field === undefined ? '' : `${direction} ${field}`,
    limit: String(limit ?? ''),
    rate: String(rate ?? ''),
    kept: query,
    problems: [],
  };
}

/** @param {Condition} condition @returns {Omit<Asked, 'field'>} */
function askedOf(condition) {
  if (Array.isArray(condition)) {
    return { way: 'range', first: String(condition[0]), last: String(condition[1]) };
  }
  if (typeof condition !== 'object') return { way: 'is', first: String(condition), last: '' };
  if ('eq' in condition) return { way: 'is', first: String(condition.eq), last: '' };
  if ('in' in condition) return { way: 'in', first: condition.in.join('\n'), last: '' };
  if ('prefix' in condition) return { way: 'prefix', first: [condition.prefix].flat().join('\n'), last: '' };
  return { way: 'range', first: String(condition.from ?? ''), last: String(condition.to ?? '') };
}

/**
 * The query as the document writes it. What cannot be read as its type stays text, for the core to object to.
 * @param {Form} form
 * @param {Field[]} fields
 * @returns {Query}
 */
export function queryOf({ name, asked, order, limit, rate, kept }, fields) {
  const types = new Map(fields.map((field) => [field.name, field.type]));
  const where = Object.fromEntries(
    asked.map(({ field, ...values }) => [field, conditionOf(values, types.get(field) ?? 'text')]),
  );
  const [direction, ...field] = order.split(' ');
  return {
    name,
    ...(asked.length && { where }),
    ...(order && {
      order: { field: field.join(' '), direction: /** @type {'ascending' | 'descending'} */ (direction) },
    }),
    ...(limit && { limit: /** @type {number} */ (numberIn(limit)) }),
    ...(rate && { rate: /** @type {number} */ (numberIn(rate)) }),
    ...(kept.scan && { scan: kept.scan }),
  };
}

/**
 * @param {Omit<Asked, 'field'>} asked
 * @param {Field['type']} type
 * @returns {Condition}
 */
function conditionOf({ way, first, last }, type) {
  if (way === 'is') return valueIn(first, type);
  if (way === 'in') return { in: first.split('\n').map((value) => valueIn(value, type)) };
  if (way === 'prefix') {
    const all = first.split('\n').filter(Boolean);
    return { prefix: all.length > 1 ? all : (all[0] ?? '') };
  }
  return {
    ...((first !== '' || last === '') && { from: valueIn(first, type) }),
    ...(last !== '' && { to: valueIn(last, type) }),
  };
}

/** @param {string} text @param {Field['type']} type @returns {Value} */
function valueIn(text, type) {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'integer' || type === 'float' ? numberIn(text) : text;
}

/** A number as JSON holds it; the text itself when that would change it. @param {string} text */
function numberIn(text) {
  return String(Number(text)) === text.trim() ? Number(text) : text;
}

/**
 * The conditions of a query in one line: `phone = 134…, call_time from … to …`.
 * @param {Query} query
 */
export function summaryOf(query) {
  return formOf(query)
    .asked.map(({ field, way, first, last }) => {
      if (way === 'is') return `${field} = ${first}`;
      if (way === 'in') return `${field} ∈ {${first.split('\n').join(', ')}}`;
      if (way === 'prefix') return `${field} = ${first.split('\n').join('…, ')}…`;
      return first && last
        ? `${first} ≤ ${field} < ${last}`
        : first
          ? `${field} ≥ ${first}`
          : `${field} < ${last}`;
    })
    .join(', ');
}
