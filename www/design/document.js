/**
 * @import { Cluster, Design, DesignTable, Family, Field, Growth, Query, Splits } from '../types.d.ts'
 */

/** Name of a table to which the document gives none, as in exports. */
const UNNAMED = 't1';
/** A table without split points begins as one region. @type {Splits} */
const ONE_REGION = { points: [] };

/**
 * One table of a document, as the page shows and changes it. `rowkey` is that of one kind of records where the table holds several;
 * `kinds` are their names, `rowkeys` the row keys of all, as the core puts them in one text.
 * @typedef {{ name: string, fields: Field[], arrival: string | undefined, rowkey: string, rowkeys: string, kinds: string[], splits: Splits, servers: number | undefined, families: Family[], names: { let?: object, lookup?: object } }} TableDesign
 */

/**
 * The tables that a document designs for the same records. The short form designs one.
 * @param {Design} design
 * @param {number} [kind] of the records of each table, in the order of their names
 * @returns {TableDesign[]}
 */
export function tablesOf(design, kind = 0) {
  return (design.tables ?? [design]).map((/** @type {any} */ table) => {
    const kinds = kindsOf(table);
    return {
      name: table.name ?? design.name ?? '',
      fields: design.fields ?? [],
      arrival: design.arrival,
      rowkey:
        (kinds.length ? table.kinds[kinds[Math.min(kind, kinds.length - 1)]].rowkey : table.rowkey) ?? '',
      rowkeys: kinds.length
        ? kinds.map((name) => `${name}: ${table.kinds[name].rowkey}`).join(' · ')
        : (table.rowkey ?? ''),
      kinds,
      splits: table.splits ?? design.splits ?? ONE_REGION,
      servers: table.servers,
      families: (design.tables ? table.families : table.table?.families) ?? [],
      names: { let: table.let ?? {}, lookup: /** @type {object} */ (design.lookup ?? {}) },
    };
  });
}

/**
 * The cells that only some kinds of records of a table write.
 * @param {Design} design
 * @param {number} index
 */
export function kindCellsOf(design, index) {
  const table = /** @type {DesignTable} */ (design.tables?.[index] ?? design);
  return kindsOf(table).flatMap((kind) => (table.kinds?.[kind].cells ?? []).map((cell) => ({ kind, cell })));
}

/**
 * The field that says which records are of a kind, and its values; null for a table of one kind.
 * @param {Design} design
 * @param {number} index
 * @param {number} kind
 * @returns {{ field: string, is: string[] } | null}
 */
export function whenOf(design, index, kind) {
  const table = /** @type {DesignTable} */ (design.tables?.[index] ?? design);
  const names = kindsOf(table);
  const when = table.kinds?.[names[Math.min(kind, names.length - 1)]]?.when;
  return when ? { field: when.field, is: when.is.map(String) } : null;
}

/** The values that tell kinds of records, by field. @param {Design} design @returns {Map<string, string[]>} */
export function kindValuesOf(design) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  const tables = design.tables ?? [/** @type {DesignTable} */ (design)];
  for (const { when } of tables.flatMap(({ kinds = {} }) => Object.values(kinds))) {
    if (when) values.set(when.field, [...(values.get(when.field) ?? []), ...when.is.map(String)]);
  }
  return values;
}

/** The kinds of records of a table, as the core orders them. @param {DesignTable} table */
const kindsOf = ({ kinds = {} }) => Object.keys(kinds).sort((a, b) => (a < b ? -1 : 1));

/**
 * The name of a table in HBase.
 * @param {Design} design
 * @param {number} index
 * @returns {string}
 */
export function nameOf(design, index) {
  const { name } = /** @type {{ name?: string }} */ (
    (design.tables ? design.tables[index] : design.table) ?? {}
  );
  return name ?? UNNAMED;
}

/** A name that HBase takes for a table, from another text; empty where that has no letters and digits. @param {string} text */
export const tableNamed = (text) => text.replace(/[^\p{L}\p{N}_.-]+/gu, '_').replace(/^[-._]+|[-._]+$/g, '');

/**
 * The document with another row key or other splits for a table.
 * @param {Design} design
 * @param {number} index
 * @param {{ rowkey?: string, splits?: Splits }} changes
 * @param {number} [kind] of records whose row key it is, where the table holds several
 * @returns {Design}
 */
export function withTable(design, index, changes, kind = 0) {
  if (!design.tables) return /** @type {Design} */ (changedTable(design, changes, kind));
  const tables = design.tables.map((table, at) =>
    at === index ? changedTable(table, changes, kind) : table,
  );
  return { ...design, tables };
}

/**
 * @template {DesignTable} T
 * @param {T} table
 * @param {{ rowkey?: string, splits?: Splits }} changes
 * @param {number} kind
 * @returns {T}
 */
function changedTable(table, { rowkey, splits }, kind) {
  const split = splits ? { ...table, splits } : table;
  if (rowkey === undefined) return split;
  const name = kindsOf(table)[kind];
  if (!split.kinds || name === undefined) return { ...split, rowkey };
  return { ...split, kinds: { ...split.kinds, [name]: { ...split.kinds[name], rowkey } } };
}

/**
 * The document with other families or another number of servers for a table; `undefined` takes the member
 * away.
 * @param {Design} design
 * @param {number} index
 * @param {{ families?: Family[], servers?: number }} changes
 * @returns {Design}
 */
export function withLayout(design, index, changes) {
  if (design.tables) {
    const tables = design.tables.map((table, at) => (at === index ? tidy({ ...table, ...changes }) : table));
    return { ...design, tables };
  }
  const { families, ...others } = changes;
  const table = 'families' in changes ? { .../** @type {object} */ (design.table), families } : design.table;
  return tidy({ ...design, ...others, table });
}

/** Members that describe the only table of a document in short form. */
const SHORT = ['let', 'rowkey', 'kinds', 'splits', 'servers', 'writes', 'table'];

/**
 * The document with these tables in place of its own.
 * @param {Design} design
 * @param {DesignTable[]} tables
 * @returns {Design}
 */
export function withTables(design, tables) {
  const others = Object.entries(design).filter(([name]) => !SHORT.includes(name));
  return /** @type {Design} */ ({ ...Object.fromEntries(others), tables });
}

/**
 * The document with other queries, identity, growth, cluster or rate of writes; empty ones are left out.
 * @param {Design} design
 * @param {{ queries?: Query[], identity?: string[], growth?: Growth, cluster?: Cluster, writesPerSecond?: number }} changes
 * @returns {Design}
 */
export function withOutlook(design, changes) {
  return tidy({ ...design, ...changes });
}

/**
 * Without members that say nothing.
 * @template {object} T
 * @param {T} object
 * @returns {T}
 */
function tidy(object) {
  const says = (/** @type {unknown} */ value) =>
    value !== undefined && !(Array.isArray(value) && !value.length);
  return /** @type {T} */ (Object.fromEntries(Object.entries(object).filter(([, value]) => says(value))));
}

/**
 * The document with other fields.
 * @param {Design} design
 * @param {Field[]} fields
 * @returns {Design}
 */
export const withFields = (design, fields) => ({ ...design, fields });

/**
 * Formula steps that turn values without a byte form into text.
 * @type {Partial<Record<Field['type'], string>>}
 */
export const AS_TEXT = {
  // With a width it would sort, but refuse negative numbers, and nobody has asked for an order yet.
  integer: '.decimal()',
  float: '.string()',
  decimal: '.string()',
  boolean: '.string()',
};

/** A field as a part of a key: times sort as text, to the day where no more is known. @param {Field} field */
export function asPart(field) {
  const { type, format = '' } = field;
  if (type !== 'time') return nameIn(field) + (AS_TEXT[type] ?? '');
  const daily = /y/.test(format) && /d/.test(format) && !/[HhKk]/.test(format);
  return `${nameIn(field)}.format('yyyyMMdd${daily ? '' : 'HHmmss'}')`;
}

/** A design under this name. @param {Design} design @param {string} name @returns {Design} */
export const withName = ({ rowscape, ...design }, name) => ({ rowscape, name, ...design });

/**
 * The row key for which the splits of a table were set, when that is another than now. Equal shares follow
 * any key, points none.
 * @param {Design} design
 * @param {number} index of the table
 * @param {readonly (Design | null)[]} past what it was before, the last at the end
 */
export function keyOfSplits(design, index, past) {
  const own = tablesOf(design)[index];
  if (!own || own.splits.sample !== undefined || own.splits.points?.length === 0) return null;
  const splits = JSON.stringify(own.splits);
  let { rowkey } = own;
  for (let at = past.length - 1; at >= 0; at--) {
    const document = past[at];
    const before = document && tablesOf(document)[index];
    if (before?.name !== own.name || JSON.stringify(before.splits) !== splits) break;
    rowkey = before.rowkey;
  }
  return rowkey === own.rowkey ? null : rowkey;
}

/** The columns of a file that a field is read from. @param {Field} field */
export const columnsOf = ({ name, from = [name] }) => from;

/**
 * The fields to read of a file: as guessed, or as declared under that name, and those declared to be put
 * together of its columns.
 * @param {Field[]} guessed
 * @param {Field[]} declared
 * @param {boolean} all true if files lack fields that others have
 */
export function fieldsToRead(guessed, declared, all = false) {
  const own = new Map(declared.map((field) => [field.name, field]));
  const read = guessed.map((field) => own.get(field.name) ?? field);
  return [...read, ...declared.filter((field) => (field.from || all) && !read.includes(field))];
}

/**
 * A field's name as a formula writes it.
 * @param {Field} field
 */
export function nameIn({ name }) {
  const plain = name !== 'rest' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
  return plain ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** @param {Design} design */
export function print(design) {
  return `${JSON.stringify(design, null, 2)}\n`;
}
