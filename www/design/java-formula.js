import { AS_TEXT, nameIn } from './document.js';

/** @import { Field } from '../types.d.ts' */

/** Marks of Java or Scala code: pasted text without any of them is not translated. */
const MARKS =
  /Bytes\.|MD5|DigestUtils|String\.format|\.substring\(|Long\.MAX_VALUE|hashCode\(|StringBuilder|Math\.|s"|"\s*\+|\+\s*"|\.get[A-Z]|new Put|\.reverse\b/;

/** Code around an expression: declarations, returns, puts. */
const AROUND = [
  /^\s*(?:final\s+)?(?:byte\[\]|String|val|var|def|const|let)\s+\w+\s*(?::\s*[\w[\]]+\s*)?=\s*/,
  /^\s*return\s+/,
  /;\s*$/,
];

/** Calls with one argument, and what stands behind it instead. @type {[RegExp, string][]} */
const CALLS = [
  [/^(?:\w+\.)*(?:getMD5AsHex|md5Hex)$/, '.md5().hex(32)'],
  [/^(?:\w+\.)*sha1Hex$/, '.sha1().hex(40)'],
  [/^(?:\w+\.)*sha256Hex$/, '.sha256().hex(64)'],
  [/^(?:\w+\.)*md5$/, '.md5()'],
  [/^(?:\w+\.)*sha1$/, '.sha1()'],
  [/^(?:\w+\.)*sha256$/, '.sha256()'],
  [/^(?:Math\.)?abs$/, '.abs()'],
  [/^(?:\w+\.)*reverse$/, '.reverse()'],
  [/^String\.valueOf$|^\w+\.toString$|^(?:new )?StringBuilder$|^(?:new )?StringBuffer$/, ''],
];

/** Methods without arguments. @type {Record<string, string>} */
const METHODS = {
  toString: '',
  trim: '',
  getBytes: '',
  getTime: '.millis()',
  toEpochMilli: '.millis()',
  hashCode: '.javaHash()',
  reverse: '.reverse()',
  toUpperCase: '.upper()',
  toLowerCase: '.lower()',
};

/**
 * The formula that gives the bytes of a Java or Scala expression, as far as it can be recognised.
 * @param {string} code
 * @param {Field[]} fields
 * @returns {string | null}
 */
export function formulaFor(code, fields) {
  if (!MARKS.test(code)) return null;
  const bare = AROUND.reduce((text, pattern) => text.replace(pattern, ''), code);
  try {
    const reader = new Reader(bare, fields);
    const found = reader.sum();
    return reader.ended ? found.text : null;
  } catch {
    return null;
  }
}

/** A value while it is read: a number has no bytes yet. @typedef {{ text: string, type: string }} Value */

class Reader {
  #tokens;
  #at = 0;
  #fields;

  /** @param {string} code @param {Field[]} fields */
  constructor(code, fields) {
    this.#tokens =
      code.match(
        /s"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\d+L?|[\p{L}_$][\p{L}\p{N}_$]*|\S/gu,
      ) ?? [];
    this.#fields = fields;
  }

  get ended() {
    return this.#at >= this.#tokens.length;
  }

  /** @param {string} wanted */
  #take(wanted) {
    if (this.#tokens[this.#at] !== wanted) return false;
    this.#at++;
    return true;
  }

  /** @param {string} wanted */
  #need(wanted) {
    if (!this.#take(wanted)) throw new Error(wanted);
  }

  /** Values one after the other, or `Long.MAX_VALUE - x`. @returns {Value} */
  sum() {
    const parts = [this.#remainder()];
    for (;;) {
      if (this.#take('+')) parts.push(this.#remainder());
      else if (parts.at(-1)?.text === 'Long.MAX_VALUE' && this.#take('-')) {
        const taken = number(this.#remainder());
        parts.splice(-1, 1, { text: `${taken.text}.reverseLong()`, type: 'integer' });
      } else break;
    }
    return parts.length === 1 ? parts[0] : { text: parts.map(written).join(' + '), type: 'text' };
  }

  /** @returns {Value} */
  #remainder() {
    let value = this.#value();
    for (;;) {
      if (this.#take('%')) value = { text: `${number(value).text}.mod(${this.#digits()})`, type: 'integer' };
      else if (this.#take('/'))
        value = { text: `${number(value).text}.div(${this.#digits()})`, type: 'integer' };
      else if (this.#take('&'))
        value = { text: `${number(value).text}.and(${this.#digits()})`, type: 'integer' };
      else return value;
    }
  }

  #digits() {
    const text = this.#tokens[this.#at++] ?? '';
    if (text === 'Integer' && this.#take('.') && this.#take('MAX_VALUE')) return '2147483647';
    if (text === 'Long' && this.#take('.') && this.#take('MAX_VALUE')) return '9223372036854775807';
    if (!/^\d+L?$/.test(text)) throw new Error(text);
    return text.replace('L', '');
  }

  /** @returns {Value} */
  #value() {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('end');
    if (this.#take('(')) {
      // A cast says nothing here.
      const cast =
        /^(int|long|short|byte|String)$/.test(this.#tokens[this.#at] ?? '') &&
        this.#tokens[this.#at + 1] === ')';
      if (cast) {
        this.#at += 2;
        return this.#value();
      }
      const inner = this.sum();
      this.#need(')');
      return this.#methods(inner);
    }
    this.#at++;
    if (token.startsWith('s"')) return this.#interpolated(token.slice(2, -1));
    if (/^["']/.test(token)) return this.#methods({ text: quoted(token.slice(1, -1)), type: 'text' });
    if (/^\d/.test(token)) return { text: quoted(token.replace('L', '')), type: 'text' };
    const name = token === 'new' ? (this.#tokens[this.#at++] ?? '') : token;
    return this.#named(name);
  }

  /** `a.b.c` or a call of it. @param {string} name @returns {Value} */
  #named(name) {
    const before = this.#at;
    let path = name;
    let own = this.#field(path);
    while (!own && this.#tokens[this.#at] === '.' && /^[\p{L}_]/u.test(this.#tokens[this.#at + 1] ?? '')) {
      this.#at++;
      path += `.${this.#tokens[this.#at++]}`;
      own = this.#field(path);
      if (path === 'Long.MAX_VALUE') return { text: path, type: 'max' };
    }
    if (own) {
      if (this.#take('(')) this.#need(')');
      return this.#methods(own);
    }
    if (!this.#take('(')) throw new Error(this.#tokens[before] ?? path);
    return this.#methods(this.#call(path));
  }

  /** @param {string} path after its opening bracket @returns {Value} */
  #call(path) {
    /** @type {Value[]} */
    const given = [];
    while (!this.#take(')')) {
      if (this.ended) throw new Error('end');
      given.push(this.sum());
      this.#take(',');
    }
    if (/(^|\.)toBytes(Binary)?$/.test(path)) return bytes(given[0]);
    if (/(^|\.)(add|concat)$/.test(path) && given.length > 1)
      return { text: given.map(written).join(' + '), type: 'bytes' };
    if (/(^|\.)floorMod$/.test(path))
      return {
        text: `${number(given[0]).text}.floorMod(${given[1].text.replaceAll("'", '')})`,
        type: 'integer',
      };
    if (/(^|\.)format$/.test(path)) return formatted(given);
    const step = CALLS.find(([pattern]) => pattern.test(path))?.[1];
    if (step === undefined || given.length !== 1) throw new Error(path);
    const [value] = given;
    const type =
      step === '.abs()'
        ? 'integer'
        : step.includes('hex') || step === '.reverse()'
          ? 'text'
          : step
            ? 'bytes'
            : value.type;
    return { text: (step === '.abs()' ? number(value) : asText(value)).text + step, type };
  }

  /** @param {Value} value @returns {Value} */
  #methods(value) {
    let result = value;
    while (this.#take('.')) {
      const name = this.#tokens[this.#at++] ?? '';
      const called = this.#take('(');
      /** @type {Value[]} */
      const given = [];
      while (called && !this.#take(')')) {
        if (this.ended) throw new Error('end');
        given.push(this.sum());
        this.#take(',');
      }
      const numbers = given.map(({ text }) => text.replaceAll("'", ''));
      if (name === 'substring' || name === 'take') {
        const ends = name === 'take' ? ['0', numbers[0]] : numbers;
        if (ends.length !== 2) throw new Error(name);
        const whole = result.text.match(/^(.*)\.hex\(\d+\)$/);
        const text =
          whole && ends[0] === '0'
            ? `${whole[1]}.hex(${ends[1]})`
            : `${asText(result).text}.substring(${ends.join(', ')})`;
        result = { text, type: 'text' };
      } else if (name === 'append' || name === 'concat')
        result = { text: `${written(result)} + ${written(given[0])}`, type: 'text' };
      else if (name === 'format' && given.length === 1) result = formatted([result, ...given]);
      else if (name in METHODS) {
        const step = METHODS[name];
        const type = step === '.javaHash()' || step === '.millis()' ? 'integer' : step ? 'text' : result.type;
        const base = step === '.millis()' ? result : step ? asText(result) : result;
        result = { text: base.text + (step === '.millis()' && result.type === 'integer' ? '' : step), type };
      } else throw new Error(name);
    }
    return result;
  }

  /** @param {string} text of `s"${a}_$b"` @returns {Value} */
  #interpolated(text) {
    const parts = text.split(/(\$\{[^}]*\}|\$\w+)/).filter(Boolean);
    const values = parts.map((part) => {
      if (!part.startsWith('$')) return quoted(part);
      const reader = new Reader(part.replace(/^\$\{?|\}$/g, ''), this.#fields);
      const value = written(reader.sum());
      if (!reader.ended) throw new Error(part);
      return value;
    });
    return { text: values.join(' + '), type: 'text' };
  }

  /** The field that a variable or getter stands for. @param {string} path @returns {Value | null} */
  #field(path) {
    const plain = (/** @type {string} */ name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const last = path.split('.').at(-1) ?? '';
    const wanted = [plain(last), plain(last.replace(/^(get|is)(?=[A-Z])/, ''))];
    const exact = this.#fields.find(({ name }) => wanted.includes(plain(name)));
    const time = /^(ts|time|timestamp|now|date)$/.test(wanted[1])
      ? this.#fields.find(({ type }) => type === 'time')
      : undefined;
    const field = exact ?? time;
    return field ? { text: nameIn(field), type: field.type } : null;
  }
}

/** @param {string} text */
const quoted = (text) => `'${text.replace(/\\(.)/g, '$1').replaceAll("'", "''")}'`;

/**
 * Formula steps that give Java's text of values that are not text.
 * @type {Partial<Record<string, string>>}
 */
const JAVA_TEXT = { ...AS_TEXT, time: '.millis().decimal()' };

/** A value as Java puts it in a text. @param {Value} value @returns {Value} */
function asText({ text, type }) {
  if (type === 'max') throw new Error(text);
  return { text: text + (JAVA_TEXT[type] ?? ''), type: type === 'bytes' ? 'bytes' : 'text' };
}

/** @param {Value} value */
const written = (value) => asText(value).text;

/** @param {Value} value @returns {Value} */
function number({ text, type }) {
  if (type === 'integer') return { text, type };
  if (type === 'time') return { text: `${text}.millis()`, type: 'integer' };
  if (type === 'text') return { text: `${text}.number()`, type: 'integer' };
  throw new Error(text);
}

/** `Bytes.toBytes`: a number in eight bytes. @param {Value} value @returns {Value} */
function bytes(value) {
  const whole = value.type === 'integer' || value.type === 'time';
  return whole
    ? { text: `${number(value).text}.int64()`, type: 'bytes' }
    : { ...asText(value), type: value.type === 'bytes' ? 'bytes' : 'text' };
}

/**
 * `String.format` of a pattern in quotes; or a date format of a time.
 * @param {Value[]} given
 * @returns {Value}
 */
function formatted([pattern, ...values]) {
  if (pattern.type === 'time') return { text: `${pattern.text}.format(${values[0].text})`, type: 'text' };
  if (!/^'.*'$/.test(pattern.text)) throw new Error(pattern.text);
  let next = 0;
  const parts = pattern.text
    .slice(1, -1)
    .split(/(%0?\d*[dsxX])/)
    .filter(Boolean)
    .map((part) => {
      const found = part.match(/^%(0?)(\d*)([dsxX])$/);
      if (!found) return `'${part}'`;
      const value = values[next++];
      if (found[3] === 's' || (found[3] === 'd' && !found[2])) return written(value);
      const step = found[3] === 'd' ? 'decimal' : found[3] === 'x' ? 'hex' : 'HEX';
      return `${number(value).text}.${step}(${Number(found[2])})`;
    });
  return { text: parts.join(' + '), type: 'text' };
}
