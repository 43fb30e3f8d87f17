// Row keys as HBase gives them back, decoded by the package: each field it tells has to be the one that was put in.

/** @typedef {import('./records.mjs').Field} Field */
/** @typedef {import('./designs.mjs').Request} Request */
/** @typedef {import('./jvm.mjs').Verdict} Verdict */
/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */

/** A decimal as its digits and its scale: 1.0 is not 1.00. @param {string} text */
function decimal(text) {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = BigInt(whole + fraction);
  return `${sign === '-' && digits ? '-' : ''}${digits}e${Number(exponent) - fraction.length}`;
}

/** A value so that equal ones are written alike. @type {Record<string, (text: string) => string>} */
const CANONICAL = {
  integer: (text) => String(BigInt(text)),
  float: (text) => (Object.is(Number(text), -0) ? '-0' : String(Number(text))),
  decimal,
  iso8601: (text) => new Date(text).toISOString(),
  bytes: (text) => text.toLowerCase(),
};

/** A number without the zeros at its end: encodings by value write 1.0 and 1.00 alike. @param {string} text */
function byValue(text) {
  const [digits, exponent] = decimal(text).split('e');
  const short = digits.replace(/0+$/, '');
  return short && short !== '-' ? `${short}e${Number(exponent) + digits.length - short.length}` : '0';
}

/** @param {Field} field @param {string} text */
const canonical = ({ type, format }, text) => (CANONICAL[type] ?? CANONICAL[format ?? ''])?.(text) ?? text;

/**
 * The fields that every key has to tell: all parts can be told apart, and a part of only this field keeps its value.
 * @param {import('./subject.mjs').Part[]} parts
 */
function told(parts) {
  if (!parts.slice(0, -1).every(({ selfDelimiting }) => selfDelimiting)) return new Set();
  return new Set(
    parts.filter(({ fields, oneToOne }) => fields.length === 1 && oneToOne).flatMap(({ fields }) => fields),
  );
}

/**
 * Compares rows of a table with the records that were put.
 * @param {Subject} subject
 * @param {Request} request
 * @param {Verdict['rows']} rows
 * @returns {{ compared: Record<string, number>, differences: number, told: string[] }}
 */
export function judgeDecoded(subject, { fields, rowkey, records }, rows) {
  const design = subject.design({ fields, rowkey });
  const certain = told(subject.parts(rowkey, fields));
  const compared = { 'keys decoded': rows.length, 'fields decoded': 0, 'fields a key does not tell': 0 };
  /** @type {string[]} */
  const differences = [];
  for (const { key, records: put } of rows) {
    const decoded = subject.decoded(design, Buffer.from(key, 'hex'));
    if (!decoded) differences.push(`decode of ${key}: refused`);
    fields.forEach((field, at) => {
      const value = decoded?.fields[at].value ?? null;
      compared[value === null ? 'fields a key does not tell' : 'fields decoded'] += 1;
      if (value === null) {
        if (decoded && certain.has(field.name))
          differences.push(`decode of ${key}: ${field.name} is not told`);
        return;
      }
      const told = (/** @type {string} */ text) =>
        field.type === 'decimal' && !certain.has(field.name) ? byValue(text) : canonical(field, text);
      const wrong = put.map((record) => records[record][at]).find((text) => told(text) !== told(value));
      if (wrong !== undefined) {
        differences.push(
          `decode of ${key}: ${field.name} was ${JSON.stringify(wrong)}, we say ${JSON.stringify(value)}`,
        );
      }
    });
  }
  return { compared, differences: differences.length, told: differences.slice(0, 5) };
}

/** @param {Field} field @param {string} a @param {string} b */
const differ = ({ type }, a, b) => (type === 'decimal' ? byValue(a) !== byValue(b) : a !== b);

/**
 * True if a wrong decoded value is detected; undefined if no field can be decoded.
 * @param {Subject} subject
 * @param {Request} request
 * @param {Verdict['rows']} rows
 */
export function wrongFieldFound(subject, request, rows) {
  const design = subject.design({ fields: request.fields, rowkey: request.rowkey });
  for (const row of rows) {
    const decoded = subject.decoded(design, Buffer.from(row.key, 'hex'));
    const at = request.fields.findIndex((_, field) => decoded?.fields[field].value);
    const [record] = row.records;
    const other = request.records.find(
      (one) =>
        at >= 0 && differ(request.fields[at], one[at], request.records[record][at]) && one[at] !== 'n/a',
    );
    if (!other) continue;
    const put = request.records[record].with(at, other[at]);
    const records = request.records.with(record, put);
    return judgeDecoded(subject, { ...request, records }, [row]).differences > 0;
  }
}
