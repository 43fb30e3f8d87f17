// Types of a design document, made of its schema: `node scripts/build/schema-types.mjs` writes them, a check compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, readJson } from '../run.mjs';

const SCHEMA = 'data/schema/design-1.schema.json';
const TYPES = join(ROOT, 'bindings', 'npm', 'document.d.ts');
/** Names of definitions that are taken in JavaScript or by the package. */
const NAMES = new Map([
  ['field', 'DeclaredField'],
  ['value', 'QueryValue'],
]);
/** @type {Record<string, string>} */
const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

/** @typedef {Record<string, any>} Schema */

/** @param {string} name of a definition */
const nameOf = (name) => NAMES.get(name) ?? name[0].toUpperCase() + name.slice(1);

/** @param {string} description @param {string} indent */
const comment = (description, indent) =>
  description ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : '';

/**
 * The members of an object. Which of them exclude each other is for the program to say.
 * @param {Schema} schema
 * @param {string} indent
 */
function members({ properties = {}, required = [], additionalProperties }, indent) {
  const lines = Object.entries(properties)
    .filter(([, member]) => member !== false)
    .map(([name, member]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      const mark = required.includes(name) ? '' : '?';
      return `${comment(member.description, indent)}${indent}${key}${mark}: ${typeOf(member, indent)};\n`;
    });
  if (additionalProperties && typeof additionalProperties === 'object')
    lines.push(`${indent}[name: string]: ${typeOf(additionalProperties, indent)};\n`);
  return lines.join('');
}

/** @param {Schema} schema @param {string} indent @returns {string} */
function typeOf(schema, indent) {
  const { $ref, const: only, enum: all, oneOf, type, items, properties, additionalProperties } = schema;
  if ($ref) return nameOf($ref.split('/').at(-1));
  if (only !== undefined) return JSON.stringify(only);
  if (all) return all.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(' | ');
  if (type === 'array') {
    const of = items ? typeOf(items, indent) : 'unknown';
    return /[|{]/.test(of) ? `(${of})[]` : `${of}[]`;
  }
  if (properties || (additionalProperties && typeof additionalProperties === 'object'))
    return `{\n${members(schema, `${indent}  `)}${indent}}`;
  if (oneOf) return oneOf.map((/** @type {Schema} */ one) => typeOf(one, indent)).join(' | ');
  if (type === 'object') return 'Record<string, unknown>';
  if (Array.isArray(type)) return type.map((one) => PLAIN[one]).join(' | ');
  return PLAIN[type] ?? 'unknown';
}

/** The declarations. @param {Schema} schema */
export function typesOf(schema) {
  const named = [
    ['DesignDocument', schema],
    ...Object.entries(schema.$defs).map(([name, of]) => [nameOf(name), of]),
  ];
  const declared = named.map(
    ([name, of]) => `${comment(of.description, '')}export type ${name} = ${typeOf(of, '')};\n`,
  );
  return `// Made of ${SCHEMA} by scripts/build/schema-types.mjs.\n\n${declared.join('\n')}`;
}

/** True if the types are those of the schema. */
export const areCurrent = () => readFileSync(TYPES, 'utf8') === typesOf(readJson(SCHEMA));

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(TYPES, typesOf(readJson(SCHEMA)));
