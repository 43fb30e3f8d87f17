import { nameIn } from './document.js';
import { scan } from './formula-scan.js';

/** @import { Term } from './formula-scan.js' */
/** @import { Field, Step } from '../types.d.ts' */

/**
 * Something that can be written at the caret.
 * @typedef {object} Option
 * @property {string} label
 * @property {string} gives type of the value
 * @property {string} text what is written
 * @property {number} caret where the caret goes in it
 * @property {number} select how much is selected from there
 * @property {string | null} step name in the catalogue of what can be written
 *
 * @typedef {{ from: number, prefix: string, before: string | null, type: string | null, options: Option[] }} Completion
 */

/** Options listed. */
const MOST = 60;

/** Arguments that steps begin with: they are there to be changed. @type {Record<string, string>} */
const ARGUMENTS = {
  substring: '0, 4',
  pad: "10, '0'",
  mod: '16',
  floorMod: '16',
  div: '1000',
  and: '32767',
  plus: '1000',
  format: "'yyyyMMddHHmmss'",
  truncate: "'1h'",
  offset: "'1h'",
  words: "'a-', 'b-'",
  hex: '4',
  HEX: '4',
  raw: '4',
  decimal: '10',
  text: '20',
  phoenixSalt: '16',
  hbasewdSalt: '32',
  'phoenix.char': '20',
  'phoenix.binary': '20',
};

/**
 * Completions at the caret.
 * @param {string} formula
 * @param {number} caret
 * @param {{ fields: Field[], names: string[], steps: Step[] }} known `names` are the sub-formulas of the document
 * @returns {Completion | null}
 */
export function completionAt(formula, caret, { fields, names, steps }) {
  const head = formula.slice(0, caret);
  const bare = formula[caret] === '(';
  const term = scan(head).findLast(({ to }) => to === head.length);
  if (term?.source.open && /['`]/.test(term.source.name.slice(0, 2)) && !/[(,]\s*$/.test(head)) return null;
  const step = term?.steps.at(-1);
  if (term && step && !step.open && step.to === head.length && !head.endsWith(')')) {
    const type = typeOf({ ...term, steps: term.steps.slice(0, -1) }, fields, steps);
    const fitting = fittingSteps(steps, type);
    const options = matching(fitting, step.name, ({ name }) => name).map((one) => stepOption(one, bare));
    return {
      from: step.from,
      prefix: step.name,
      before: formula.slice(term.from, step.from - 1),
      type,
      options,
    };
  }
  const word =
    term && !term.literal && !term.steps.length && !term.source.open && !head.endsWith(')')
      ? term.source
      : null;
  if (!word && !/(^|[+(,])\s*$/.test(head)) return null;
  // Only sources take values; steps take numbers and texts.
  const within = word ? term?.within : scan(`${head}a`).at(-1)?.within;
  if (within?.startsWith('.')) return null;
  const prefix = word && head.endsWith(word.name) ? word.name : '';
  /** @type {Option[]} */
  const all = [
    ...fields.map((field) => plain(field.name, nameIn(field), field.type)),
    ...names.map((name) => plain(name, name, '')),
    ...steps.filter((step) => !isStep(step)).map((one) => stepOption(one, bare)),
  ];
  return {
    from: caret - prefix.length,
    prefix,
    before: null,
    type: null,
    options: matching(all, prefix, ({ label }) => label),
  };
}

/** Sources that are written first in a part. */
const SOURCES = ['join', 'bucket', 'sum', 'geohash', 'zOrder', 'salt', 'rest'];

/** @param {Step} step */
const isStep = ({ name }) => !SOURCES.includes(name);

/**
 * Steps that take a value of this type; all when it is not known.
 * @param {Step[]} steps
 * @param {string | null} type
 */
export function fittingSteps(steps, type) {
  return steps.filter((step) => isStep(step) && (!type || step.takes.includes(type)));
}

/** @param {string} label @param {string} text @param {string} gives @returns {Option} */
function plain(label, text, gives) {
  return { label, gives, text, caret: text.length, select: 0, step: null };
}

/** @param {Step} step @param {boolean} bare whether its brackets are there already @returns {Option} */
function stepOption({ name, signature, gives }, bare) {
  const own = { label: signature, gives, step: name };
  const text = bare ? name : writtenStep(name, signature);
  if (!text.includes('(')) return { ...own, text, caret: text.length, select: 0 };
  const given = text.length - name.length - 2;
  const wants = given > 0 || !/\(\)|\(\[/.test(signature);
  return { ...own, text, caret: wants ? name.length + 1 : text.length, select: given };
}

/**
 * A step or source as it is first written, with arguments that are there to be changed.
 * @param {string} name
 * @param {string} signature
 */
export function writtenStep(name, signature) {
  return signature.includes('(') ? `${name}(${ARGUMENTS[name] ?? ''})` : name;
}

/**
 * Those that begin with what was typed, then those that hold it.
 * @template T
 * @param {T[]} all
 * @param {string} typed
 * @param {(one: T) => string} name
 */
function matching(all, typed, name) {
  const wanted = typed.toLowerCase();
  /** @type {T[][]} */
  const found = [[], []];
  for (const one of all) {
    const at = name(one).toLowerCase().indexOf(wanted);
    if (at >= 0) found[Math.min(at, 1)].push(one);
  }
  return found.flat().slice(0, MOST);
}

/**
 * The type of a term's value, as far as the names tell.
 * @param {Term} term
 * @param {Field[]} fields
 * @param {Step[]} steps
 * @returns {string | null}
 */
export function typeOf({ literal, source, steps: taken }, fields, steps) {
  const gives = (/** @type {string} */ name) => steps.find((one) => one.name === name)?.gives;
  const last = taken.at(-1);
  if (last) return gives(last.name) ?? null;
  if (literal) return source.name.startsWith('x') ? 'bytes' : 'text';
  return fields.find(({ name }) => name === source.name)?.type ?? gives(source.name) ?? null;
}
