import * as core from '#core';

/** @import { ExistingTable, Field, Guess, KeySegment } from '../types.d.ts' */

/** Bytes that stand between the parts of a key, those that separate nothing else first. */
const SEPARATORS = ['_', '|', '#', ';', ',', '\t', '/', ':', '-', '.', ' '];
/** Keys looked at. */
const SAMPLE = 1000;
/** Keys of bytes from which on what stands between their parts is no accident. */
const FEW = 3;
/** Splits of a table whose keys are all that is known. */
const MOST_REGIONS = 16;
/** Keys for each region from which the verdict takes none to be empty by accident. */
const KEYS_A_REGION = 9;

/**
 * True if a file holds row keys: in its only column, or with shell-escaped bytes around the separators.
 * @param {Uint8Array} head
 * @param {Guess} guess of the core
 */
export function areKeys(head, { input, fields, encoding }) {
  if (input.format !== 'csv') return false;
  if (fields.length === 1) return /^(row_?)?key$/i.test(fields[0].name);
  const parted = input.header === false && /^[|;]$/.test(input.separator ?? '');
  return parted && areEscaped([new TextDecoder(encoding).decode(head)]);
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
  // The last line of a longer file may be cut off.
  const lines = all
    .slice(header ? 1 : 0, isCut(head) ? -1 : undefined)
    .filter(Boolean)
    .slice(0, SAMPLE);
  const { separator, fields, ...keys } = builtOf(lines, { name: header ? guess.fields[0].name : undefined });
  return {
    ...guess,
    input: {
      format: 'csv',
      encoding: guess.input.encoding,
      quote: '',
      header,
      separator: separator ?? '\u0001',
      fields: fields.map(({ field }) => field),
    },
    fields: fields.map(guessed),
    keys: { ...keys, separator },
  };
}

/**
 * The same of the keys of a scan, whose times of writing the core reads.
 * @param {Uint8Array} head
 * @param {Guess} guess of the core
 * @returns {Guess}
 */
export function guessScan(head, guess) {
  const [, written] = guess.fields;
  const text = new TextDecoder(guess.encoding).decode(head);
  const cut = isCut(head);
  // Bytes that are no text may come later.
  const { separator, fields, ...keys } = builtOf(keysOfScan(text, guess, cut), { escaped: cut });
  const [{ field: whole }] = fields;
  // Keys without separators are read as one column.
  const parts =
    separator === null && whole.name !== 'key'
      ? [{ ...fields[0], field: { ...whole, from: ['key'] } }]
      : fields;
  return {
    ...guess,
    input: {
      format: 'scan',
      encoding: guess.input.encoding,
      ...(separator && { separator }),
      fields: [...parts.map(({ field }) => field), guess.input.fields[1]],
    },
    fields: [...parts.map(guessed), written],
    keys: { ...keys, separator, arrival: written.name, points: pointsOf(text) },
  };
}

/**
 * @param {string} text
 * @param {Guess} guess
 * @param {boolean} cut whether the text goes on: its last row may be cut
 */
function keysOfScan(text, { input }, cut) {
  const records = new core.Records({ ...input, encoding: undefined });
  records.push(new TextEncoder().encode(text));
  records.finish();
  const whole = Math.min(SAMPLE, records.rows - Number(cut));
  const keys = Array.from({ length: Math.max(0, whole) }, (_, at) => records.row(at)[0]);
  records.free();
  return keys;
}

/**
 * The split points of the table that was scanned, where the shell has printed those too.
 * @param {string} text
 */
function pointsOf(text) {
  if (!/^Total number of splits = |START_KEY|\bcreate +['"]/m.test(text)) return undefined;
  const { tables } = /** @type {{ tables: ExistingTable[] }} */ (core.existingTables(text, undefined));
  const scanned = /^hbase.*> *scan +['"]([^'"]+)/m.exec(text)?.[1];
  const known = tables.filter(({ points }) => points.length > 0);
  return known.find(({ name }) => !name || !scanned || name === scanned)?.points;
}

/** True if a file continues after its head. @param {Uint8Array} head */
const isCut = (head) => head.length > 60_000;

/**
 * A field of keys and some of its texts.
 * @typedef {{ field: Field, segment?: KeySegment, written: string, examples: string[] }} KeyField
 */

/** @param {KeyField} part @returns {Guess['fields'][number]} */
const guessed = ({ field, examples }) => ({
  ...field,
  examples,
  code: field.type === 'time' ? 'guess.time' : 'guess.text',
});

/** True if texts contain shell-escaped bytes. @param {string[]} values */
const areEscaped = (values) => values.some((value) => /\\x[0-9A-F]{2}/.test(value));

/**
 * Structure of keys: their fields, and a formula that reproduces the keys.
 * @param {string[]} lines
 * @param {{ name?: string, escaped?: boolean }} known the name of their column, if it has one; whether all are in the notation of the shell
 * @returns {{ separator: string | null, fields: KeyField[], segments: KeySegment[], rowkey: string, regions: number }}
 */
function builtOf(lines, { name, escaped = false }) {
  const regions = Math.max(2, Math.min(MOST_REGIONS, Math.floor(lines.length / KEYS_A_REGION)));
  // Among a few bytes any may be alike.
  const few = lines.length < (areEscaped(lines) ? FEW : 1);
  const separator = name !== undefined || few ? null : separatorOf(lines);
  const timed = lines.length > 0 && name === undefined && !areEscaped(lines) && timeOf(lines) !== null;
  if (separator === null && !timed) {
    const whole = name ?? 'key';
    const field = { name: whole, ...typeOf(lines, escaped) };
    const segments = areEscaped(lines) || !lines.length ? [] : runsOf(lines);
    const fields = [{ field, written: whole, examples: lines.slice(0, 3) }];
    return { separator, fields, segments, rowkey: whole, regions };
  }
  const columns = lines.map((line) => (separator === null ? [line] : line.split(separator)));
  const fields = columns[0].map((_, at) => {
    const values = columns.map((parts) => parts[at]);
    return { ...partOf(values, at, escaped), examples: values.slice(0, 3) };
  });
  return {
    separator,
    fields,
    segments: fields.map(({ segment }) => segment),
    rowkey: fields.map(({ written }) => written).join(` + '${separator}' + `),
    regions,
  };
}

/**
 * How texts give the bytes of keys.
 * @param {string[]} values
 * @param {boolean} escaped
 * @returns {Pick<Field, 'type' | 'format'>}
 */
const typeOf = (values, escaped) =>
  escaped || areEscaped(values) ? { type: 'bytes', format: 'escaped' } : { type: 'text' };

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
 * Kind of a key part: a time if all values parse as one; otherwise text or bytes, as in the key.
 * @param {string[]} values
 * @param {number} at
 * @param {boolean} escaped whether all are in the notation of the shell
 * @returns {{ field: Field, written: string, segment: KeySegment }}
 */
function partOf(values, at, escaped) {
  const runs = areEscaped(values) ? [] : runsOf(values);
  /** @type {KeySegment} */
  const segment = runs.length === 1 ? runs[0] : { kind: runs.length ? 'text' : 'bytes', ...lengths(values) };
  const time = timeOf(values);
  const name = time ? `time${at + 1}` : `part${at + 1}`;
  if (!time) return { field: { name, ...typeOf(values, escaped) }, written: name, segment };
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

/** Bytes in the notation of the shell count one each. @param {string[]} values */
function lengths(values) {
  const all = values.map((value) => value.replace(/\\x[0-9A-F]{2}/g, '.').length);
  return { min: Math.min(...all), max: Math.max(...all) };
}

/**
 * Segments of texts, from their start.
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
