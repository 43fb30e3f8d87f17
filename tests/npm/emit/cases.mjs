// Designs and records to try emitted code with.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Formulas, printed } from '../../oracle/formulas.mjs';
import { Random } from '../../oracle/random.mjs';
import { COLUMNS } from '../../oracle/records.mjs';

/** @typedef {import('../../oracle/records.mjs').Field} Field */
/** @typedef {{ name: string, document: { fields: Field[] } & Record<string, any>, records: string[][] }} Case */

const GALLERY = join(import.meta.dirname, '../../..', 'data', 'gallery');
const TIME = { format: 'epoch-millis' };

/** A random value of a field, as text; times in milliseconds. @param {Random} random @param {Field & { width?: number }} field */
function value(random, { type, format, width }) {
  const column = COLUMNS[type](random, '');
  if (type === 'time') return String(random.between(-4e9, 4e9) * 1000 + random.between(0, 999));
  if (width) return random.text('0123456789abcXYZ', width, width);
  let text = column.value();
  if (type === 'bytes' && format !== 'uuid' && column.field.format === 'uuid')
    text = text.replaceAll('-', '');
  return text;
}

/** A table, or one for each of its kinds of records. @param {any} table */
function ofEachKind({ kinds, ...table }) {
  if (!kinds) return [table];
  return Object.values(kinds).map(({ rowkey }) => ({ ...table, rowkey }));
}

/** The tables of the gallery, each with random records and those that stand beside it. */
export function ofGallery(random = new Random(7), rows = 20) {
  const files = readdirSync(GALLERY).filter((name) => name.endsWith('.json') && name !== 'index.json');
  return files.flatMap((name) => {
    const document = JSON.parse(readFileSync(join(GALLERY, name), 'utf8'));
    const words = Object.values(document.lookup ?? {}).flatMap((table) =>
      Object.keys(/** @type {object} */ (table)),
    );
    /** @type {(Field & { width?: number })[]} */
    const fields = document.fields.map((/** @type {Field} */ field) => {
      if (field.type === 'time') return { ...field, ...TIME };
      return field.type === 'bytes' ? { ...field, format: 'hex' } : field;
    });
    const one = () =>
      fields.map((field) => {
        if (field.type === 'text' && words.length && random.chance(0.5)) return random.pick(words);
        if (field.type === 'text' && random.chance(0.4))
          return random.text('0123456789', field.width ?? 8, field.width ?? 8);
        if (field.type === 'integer' && random.chance(0.5)) return String(random.between(0, 9999));
        return value(random, field);
      });
    // A random salt is one more parameter, which the vectors in the code try.
    const tables = (document.tables ?? [document])
      .flatMap(ofEachKind)
      .filter((/** @type {{ rowkey: string }} */ { rowkey }) => !/\bsalt\(/.test(rowkey));
    return tables.map((/** @type {object} */ table, /** @type {number} */ at) => ({
      name: `${name} ${at}`,
      document: { ...(document.tables ? { ...document, tables: [table] } : table), fields },
      records: Array.from({ length: rows }, one),
    }));
  });
}

/**
 * Random formulas, each step tried in turn.
 * @param {import('../../oracle/formulas.mjs').Step[]} steps
 * @param {{ seed?: number, count?: number, rows?: number }} [options]
 * @returns {Case[]}
 */
export function random(steps, { seed = 21, count = 200, rows = 20 } = {}) {
  const choose = new Random(seed);
  // A table of numbers is no argument that the formulas of the oracle have.
  const tried = steps.filter(({ name }) => name !== 'lookup' && name !== 'salt');
  const formulas = new Formulas(choose, tried);
  return Array.from({ length: count }, (_, at) => {
    const types = ['text', 'text', 'integer', 'time', 'bytes', 'float', 'decimal', 'boolean'];
    const columns = types.map((type, place) => COLUMNS[type](choose, `${type}_${place}`));
    for (const { field } of columns) if (field.type === 'time') field.format = TIME.format;
    const fields = columns.map(({ field }) => field);
    const step = formulas.steps[at % formulas.steps.length];
    const rowkey = formulas.formula(fields, step.name).map(printed).join(' + ');
    const text = (/** @type {typeof columns[0]} */ { field, value: make }) =>
      field.type === 'time' ? value(choose, field) : make();
    return {
      name: `random ${at}: ${rowkey}`,
      document: { rowscape: 1, fields, rowkey },
      records: Array.from({ length: rows }, () => columns.map(text)),
    };
  });
}

/**
 * The emitted code of a case with its records as it takes them; undefined where the step has no code.
 * @param {typeof import('../../../dist/npm/index.js')} rowscape
 * @param {typeof import('#core')} core
 * @param {Case} one
 * @param {string} language
 */
export function job({ parseDesign, RowscapeError }, core, { name, document, records }, language) {
  /** @type {import('../../../dist/npm/index.js').Design} */
  let design;
  try {
    design = parseDesign({ rowscape: 1, ...document });
  } catch (error) {
    // Random steps may not fit.
    if (error instanceof RowscapeError) return;
    throw error;
  }
  /** @type {string} */
  let source;
  try {
    source = design.emit(language).text;
  } catch (error) {
    if (error instanceof RowscapeError && error.code === 'emit.no-code')
      return { refused: error.args.step ?? '' };
    throw error;
  }
  const { fields } = document;
  const [table] = document.tables ?? [document];
  const { parts } = core.checkFormula(table.rowkey, fields, {
    let: table.let ?? {},
    lookup: document.lookup ?? {},
  });
  const used = parts.flatMap((/** @type {{ fields: string[] }} */ part) => part.fields);
  const places = fields.flatMap((field, at) => (used.includes(field.name) ? [at] : []));
  const columns = fields.map((field, at) => [field.name, records.map((record) => record[at])]);
  const keys = [...design.encodeColumns(Object.fromEntries(columns))];
  return {
    name,
    source,
    className: /** @type {RegExpExecArray} */ (/\w+RowKey|$/.exec(source))[0],
    fields: places.map((at) => fields[at]),
    records: records.map((record) => places.map((at) => record[at])),
    keys: keys.map((key) => key && Buffer.from(key).toString('hex')),
  };
}

/** Why keys are not those of the core, a line each. @param {{ name: string, records: (string | null)[][], keys: (string | null)[] }[]} jobs @param {(string | null)[][]} made */
export const differences = (jobs, made) =>
  jobs.flatMap(({ name, records, keys }, at) =>
    keys.flatMap((key, row) =>
      key === made[at][row]
        ? []
        : [`${name}  ${JSON.stringify(records[row])}: ${key}, made ${made[at][row]}`],
    ),
  );
