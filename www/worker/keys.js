import * as core from '#core';

/** @import { Field, Guess, KeySegment } from '../types.d.ts' */

/** Bytes that stand between the parts of a key, those that separate nothing else first. */
const SEPARATORS = ['_', '|', '#', ';', ',', '\t', '/', ':', '-', '.', ' '];
/** Keys looked at. */
const SAMPLE = 1000;
/** Splits of a table whose keys are all that is known. */
const MOST_REGIONS = 16;

/** Whether a file with one column holds row keys. @param {Guess} guess */
export function areKeys({ input, fields }) {
  return input.format === 'csv' && fields.length === 1 && /^(row_?)?key$/i.test(fields[0].name);
}

/**
 * How plain row keys, one a line, are built, guessed from the first of them.
 * @param {Uint8Array} head
 * @param {Guess} guess of the core
 * @param {boolean} said whether a person said that they are keys
 * @returns {Guess}
 */
export function guessKeys(head, guess, said) {
  const all = new TextDecoder(guess.encoding).decode(head).split(/\r?\n/);
  const header = !said && guess.input.header === true;
  // Of a longer file the last line may be cut.
  const lines = all
    .slice(header ? 1 : 0, head.length > 60_000 ? -1 : undefined)
    .filter(Boolean)
    .slice(0, SAMPLE);
  const escaped = lines.some((line) => /\\x[0-9A-F]{2}/.test(line));
  const separator = escaped || header ? null : separatorOf(lines);
  const regions = regionsFor(lines.length);
  const form = { format: /** @type {const} */ ('csv'), quote: '', header };
  const whole = separator === null && !escaped && !header && timeOf(lines) !== null;
  if (separator === null && !whole) {
    const name = header ? guess.fields[0].name : 'key';
    /** @type {Field} */
    const field = escaped ? { name, type: 'bytes', format: 'escaped' } : { name, type: 'text' };
    const segments = escaped ? [] : runsOf(lines);
    const described = { ...field, examples: lines.slice(0, 3), code: 'guess.text' };
    return {
      ...guess,
      input: { ...form, separator: '\u0001', fields: [field] },
      fields: [described],
      keys: { separator, segments, rowkey: name, regions },
    };
  }
  const columns = lines.map((line) => (separator === null ? [line] : line.split(separator)));
  const parts = columns[0].map((_, at) =>
    partOf(
      columns.map((values) => values[at]),
      at,
    ),
  );
  const fields = parts.map(({ field }) => field);
  return {
    ...guess,
    input: { ...form, separator: separator ?? '\u0001', fields },
    fields: parts.map(({ field }, at) => ({
      ...field,
      examples: columns.slice(0, 3).map((values) => values[at]),
      code: field.type === 'time' ? 'guess.time' : 'guess.text',
    })),
    keys: {
      separator,
      segments: parts.map(({ segment }) => segment),
      rowkey: parts.map(({ written }) => written).join(` + '${separator}' + `),
      regions,
    },
  };
}

/** @param {number} keys */
const regionsFor = (keys) => Math.max(2, Math.min(MOST_REGIONS, Math.floor(keys / 3)));

/**
 * The rows of a scan: keys in the notation of the shell, and when they were written.
 * @param {Uint8Array} head as `rowsOfScan` makes it
 * @param {Guess} guess of the core
 * @returns {Guess}
 */
export function guessScan(head, guess) {
  const lines = new TextDecoder().decode(head).split('\n').slice(1, -1);
  const keys = lines.slice(0, SAMPLE).map((line) => line.split('\t')[0]);
  /** @type {Field[]} */
  const fields = [
    { name: 'key', type: 'bytes', format: 'escaped' },
    { name: 'written', type: 'time', format: 'epoch-millis' },
  ];
  const [key, written] = fields.map((field, at) => ({ ...guess.fields[at], ...field }));
  const segments = !keys.length || keys.some((line) => line.includes('\\x')) ? [] : runsOf(keys);
  return {
    ...guess,
    input: { format: 'csv', separator: '\t', quote: '', header: true, fields },
    fields: [
      { ...key, code: 'guess.text' },
      { ...written, code: 'guess.time' },
    ],
    keys: { separator: null, segments, rowkey: 'key', regions: regionsFor(lines.length) },
  };
}

/** The byte that cuts all keys into as many parts, none of them empty. @param {string[]} lines */
function separatorOf(lines) {
  const cuts = (/** @type {string} */ separator) => {
    const number = lines[0]?.split(separator).length ?? 1;
    return (
      number > 1 &&
      lines.every((line) => {
        const parts = line.split(separator);
        return parts.length === number && parts.every(Boolean);
      })
    );
  };
  return SEPARATORS.find(cuts) ?? null;
}

/**
 * What a part of the keys is: a time when all of it reads as one, else text, whose bytes are then those of the key.
 * @param {string[]} values
 * @param {number} at
 * @returns {{ field: Field, written: string, segment: KeySegment }}
 */
function partOf(values, at) {
  const runs = runsOf(values);
  /** @type {KeySegment} */
  const segment = runs.length === 1 ? runs[0] : { kind: 'text', ...lengths(values) };
  const time = timeOf(values);
  const name = time ? `time${at + 1}` : `part${at + 1}`;
  if (!time) return { field: { name, type: 'text' }, written: name, segment };
  return {
    field: { name, type: 'time', format: time.format, zone: 'Z' },
    written: name + time.written,
    segment: { ...segment, kind: 'time', pattern: time.format },
  };
}

/** How times are written that give the same bytes again. @param {string[]} values */
function timeOf(values) {
  const every = (/** @type {RegExp} */ pattern) => values.every((value) => pattern.test(value));
  if (every(/^1[0-9]{12}$/)) return { format: 'epoch-millis', written: '.millis().decimal(13)' };
  if (every(/^1[0-9]{9}$/)) return { format: 'epoch-seconds', written: '.seconds().decimal(10)' };
  const text = `time\tother\n${values.map((value) => `${value}\tx`).join('\n')}\n`;
  const { fields } = /** @type {Guess} */ (core.guess(new TextEncoder().encode(text), 'keys.tsv'));
  const { type, format, args } = fields[0] ?? {};
  // Formulas write no names, halves of days and offsets.
  const letters = format?.replace(/'[^']*'/g, '');
  if (type !== 'time' || args || !format || !letters || /epoch|iso8601|MMM|[aZ]/.test(letters)) return null;
  return { format, written: `.format('${format.replaceAll("'", "''")}')` };
}

const KINDS = /** @type {const} */ ([
  ['digits', /^[0-9]+$/],
  ['hex', /^[0-9a-f]+$/],
  ['HEX', /^[0-9A-F]+$/],
  ['letters', /^[A-Za-z]+$/],
]);

/** @param {string[]} values */
function lengths(values) {
  const all = values.map(({ length }) => length);
  return { min: Math.min(...all), max: Math.max(...all) };
}

/**
 * What stands where in texts, from their beginnings.
 * @param {string[]} values
 * @returns {KeySegment[]}
 */
function runsOf(values) {
  const { min, max } = lengths(values);
  const [first, ...others] = values;
  if (others.length && others.every((value) => value === first))
    return [{ kind: 'same', min, max, text: first }];
  const whole = KINDS.find(([, pattern]) => values.every((value) => pattern.test(value)));
  if (whole || min === 0) return [{ kind: whole?.[0] ?? 'text', min, max }];
  /** @type {KeySegment[]} */
  const runs = [];
  for (let at = 0; at < min; at++) {
    const letters = values.map((value) => value[at]);
    // Digits that are the same so far are those of a greater number.
    const same =
      others.length > 0 && !/[0-9]/.test(first[at]) && letters.every((letter) => letter === first[at]);
    const kind = KINDS.find(([, pattern]) => letters.every((letter) => pattern.test(letter)))?.[0];
    const found = same ? 'same' : (kind ?? 'text');
    const last = runs.at(-1);
    if (last && last.kind === found) {
      last.min++;
      last.max++;
      if (same) last.text += first[at];
    } else runs.push({ kind: found, min: 1, max: 1, ...(same && { text: first[at] }) });
  }
  const last = runs.at(-1);
  if (last && max > min) last.max += max - min;
  return runs.length > 6 ? [{ kind: 'text', min, max }] : runs;
}
