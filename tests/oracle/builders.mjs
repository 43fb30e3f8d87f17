// Row key builders in Java and Scala, made at random: compiled and run by a JVM, and read into formulas, which must give the same
// bytes.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { emittedKeys } from './jvm.mjs';
import { Random } from './random.mjs';

/** The fields of all builders. */
const FIELDS = [
  { name: 'id', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'user_id', type: 'integer' },
  { name: 'n', type: 'integer' },
  { name: 'ts', type: 'time', format: 'epoch-millis' },
];
/** Parameters of a builder that stand for them. */
const JAVA_PARAMETERS = 'String id, String name, long userId, int n, long ts';
const SCALA_PARAMETERS = 'id: String, name: String, userId: Long, n: Int, ts: Long';
/** Records of each builder. */
const RECORDS = 40;
/** Builders of each language in a short run. */
const FEW = 40;
/** Builders of each language. */
const MANY = 200;
/** The share of builders that must be read. */
const READ = 0.8;

/** A builder while it is written: its statements and what is known to the language. */
class Writer {
  /** @type {string[]} */
  statements = [];
  #names = 0;

  /** @param {Random} random @param {boolean} scala */
  constructor(random, scala) {
    this.random = random;
    this.scala = scala;
  }

  /** Declares a variable. @param {string} type @param {string} value */
  #declare(type, value) {
    const name = `v${this.#names++}`;
    this.statements.push(this.scala ? `val ${name} = ${value}` : `${type} ${name} = ${value};`);
    return name;
  }

  /** The same value, or a variable that holds it. @param {string} type @param {string} value */
  #maybe(type, value) {
    return this.random.chance(0.25) ? this.#declare(type, value) : value;
  }

  /** A text. @param {number} depth @returns {string} */
  text(depth) {
    const { random, scala } = this;
    const literal = `"${random.pick(['_', '|', '#', '-', 'user:', ''])}"`;
    if (depth <= 0) return random.pick(['id', 'name', 'id']);
    const inner = () => this.text(depth - 1);
    const forms = [
      () => `${inner()} + ${literal} + ${inner()}`,
      () => `${inner()} + ${literal} + ${this.number(depth - 1)}`,
      () => `${random.pick(['id', 'name'])}.substring(0, ${random.between(1, 3)})`,
      () => (scala ? `(${inner()}).reverse` : `new StringBuilder(${inner()}).reverse().toString()`),
      () =>
        `MD5Hash.getMD5AsHex(Bytes.toBytes(${inner()}))${random.chance(0.7) ? `.substring(0, ${random.between(2, 8)})` : ''}`,
      () => `DigestUtils.${random.pick(['md5Hex', 'sha1Hex', 'sha256Hex'])}(${inner()})`,
      () => `String.valueOf(${this.number(depth - 1)})`,
      () => (scala ? `"%03d".format(${this.bucket()})` : `String.format("%03d", ${this.bucket()})`),
      () => (scala ? `f"\${${this.bucket()}}%04d-$id"` : `String.format("%04d-%s", ${this.bucket()}, id)`),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Scala.
      () => (scala ? 's"${id}_$ts"' : `String.join("#", id, ${inner()})`),
      () => `StringUtils.leftPad(${random.pick(['id', 'name', 'String.valueOf(userId)'])}, 40, '0')`,
      () => `id.${random.pick(['toUpperCase()', 'toLowerCase()', 'substring(2)'])}`,
      () => `StringUtils.substringBefore(${inner()}, "${random.pick(['-', '_', '1'])}")`,
      () => `new StringBuilder().append(${inner()}).append('_').append(${this.number(depth - 1)}).toString()`,
    ];
    const made = random.pick(forms)();
    return this.#maybe('String', made.includes(' + ') ? `(${made})` : made);
  }

  /** A hash of 32 bits. */
  hash() {
    const { random } = this;
    const forms = ['id.hashCode()', `(id + name).hashCode()`, `Arrays.hashCode(Bytes.toBytes(id))`];
    return this.#maybe('int', random.pick(this.scala ? ['id.hashCode', '(id + name).hashCode()'] : forms));
  }

  /** A small number that is not negative, but for one. */
  bucket() {
    const by = this.random.pick([4, 6, 16, 100, 128]);
    const hash = this.hash();
    const mask = this.scala ? 'Int.MaxValue' : 'Integer.MAX_VALUE';
    return this.random.pick([
      `Math.floorMod(${hash}, ${by})`,
      `(${hash} & ${mask}) % ${by}`,
      `Math.abs(${hash} % ${by})`,
      `(${hash} & 0x7F)`,
    ]);
  }

  /** A number, int or long. @param {number} depth @returns {string} */
  number(depth) {
    const { random, scala } = this;
    if (depth <= 0) return random.pick(['userId', 'n', 'ts']);
    const max = this.scala ? 'Long.MaxValue' : 'Long.MAX_VALUE';
    return random.pick(
      [
        () => this.bucket(),
        () => this.hash(),
        () => `${this.hash()} % 16`,
        () => `Math.abs(${this.hash()}) % 32`,
        () => `(${max} - ts)`,
        () => `(9999999999999L - ts)`,
        () => `(ts / ${random.pick([1000, 60_000, 3_600_000])})`,
        () => `userId % ${random.pick([10, 64, 1000])}`,
        () => `(userId + ${random.between(1, 99)})`,
        () => `(n - 1)`,
        () => `Bytes.to${random.pick(['Short', 'Int', 'Long'])}(${this.digest()})`,
        () => `Bytes.toInt(${this.digest()}) % 97`,
        () => `${scala ? 'java.lang.' : ''}Long.parseLong(DigestUtils.md5Hex(id).substring(0, 8), 16)`,
        // No step does these.
        () => `(${this.hash()} ^ n)`,
        () => `(n * 31)`,
      ].filter((_, at) => at < 13 || random.chance(0.3)),
    )();
  }

  /** Bytes. @param {number} depth @returns {string} */
  bytes(depth) {
    const { random, scala } = this;
    const short = (/** @type {string} */ value) => (scala ? `(${value}).toShort` : `(short) (${value})`);
    const byte = (/** @type {string} */ value) => (scala ? `(${value}).toByte` : `(byte) (${value})`);
    const int = (/** @type {string} */ value) => (scala ? `(${value}).toInt` : `(int) (${value})`);
    const array = (/** @type {string} */ value) =>
      scala ? `Array[Byte](${value})` : `new byte[] {${value}}`;
    const forms = [
      () => `Bytes.toBytes(${this.text(depth - 1)})`,
      () => `Bytes.toBytes(${this.text(depth - 1)})`,
      () => `Bytes.toBytes(${random.pick(['userId', 'n', 'ts'])})`,
      () => `Bytes.toBytes(${this.number(1)})`,
      () => `Bytes.toBytes(${short(`${this.hash()} & 0x7FFF`)})`,
      () => `Bytes.toBytes(${int('ts / 1000')})`,
      () => array(byte(this.bucket())),
      () => array(byte(`Math.abs(${this.hash()}) % 16`)),
      () => `Bytes.head(${this.digest()}, ${random.between(2, 6)})`,
      () => `Bytes.copy(${this.digest()}, 0, 4)`,
      () => `${random.pick(['id', 'name'])}.getBytes(StandardCharsets.UTF_8)`,
      () => 'ByteBuffer.allocate(12).putInt(n).putLong(ts).array()',
    ];
    if (depth > 0)
      forms.push(
        () => `Bytes.add(${this.bytes(depth - 1)}, ${this.bytes(depth - 1)})`,
        () => `Bytes.add(${this.bytes(depth - 1)}, ${this.bytes(depth - 1)}, ${this.bytes(depth - 1)})`,
      );
    return this.#maybe('byte[]', random.pick(forms)());
  }

  /** The bytes of a digest. */
  digest() {
    const { random } = this;
    if (random.chance(0.5)) return `DigestUtils.md5(${random.pick(['id', 'name'])})`;
    const name = `md${this.#names++}`;
    const of = random.pick(['MD5', 'SHA-1', 'SHA-256']);
    this.statements.push(
      this.scala
        ? `val ${name} = MessageDigest.getInstance("${of}")`
        : `MessageDigest ${name} = MessageDigest.getInstance("${of}");`,
    );
    if (random.chance(0.5)) return `${name}.digest(Bytes.toBytes(${this.text(0)}))`;
    this.statements.push(`${name}.update(Bytes.toBytes(${this.text(1)}))${this.scala ? '' : ';'}`);
    return `${name}.digest()`;
  }

  /** The key: bytes, or a text put together. */
  key() {
    const { random, scala } = this;
    if (random.chance(0.03)) {
      // A key that depends on the record by a condition is no formula.
      this.statements.push(`if (n > 3) { System.out.print(""); }`);
    }
    if (random.chance(0.5)) return this.bytes(random.between(1, 2));
    if (random.chance(0.4)) {
      const name = `sb${this.#names++}`;
      const end = scala ? '' : ';';
      const made = 'new StringBuilder()';
      this.statements.push(scala ? `val ${name} = ${made}` : `StringBuilder ${name} = ${made};`);
      for (let parts = random.between(2, 4); parts > 0; parts--)
        this.statements.push(`${name}.append(${random.chance(0.6) ? this.text(1) : this.number(1)})${end}`);
      return `Bytes.toBytes(${name}.toString())`;
    }
    return `Bytes.toBytes(${this.text(2)})`;
  }
}

/** Published builders: a hash bucket in front, two bytes of a hash, a digest alone. Each is read. */
const PUBLISHED = [
  {
    java: 'return Bytes.toBytes(String.format("%02d", Math.floorMod((ts + id).hashCode(), 3)) + "_" + ts + "_" + id);',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Scala.
    scala: 'Bytes.toBytes(f"${Math.floorMod((ts + id).hashCode, 3)}%02d" + "_" + ts + "_" + id)',
  },
  {
    java: 'String text = id + name;\n    short prefix = (short) (text.hashCode() & 0x7FFF);\n    return Bytes.add(Bytes.toBytes(prefix), Bytes.toBytes(text));',
    scala:
      'val text = id + name\n    Bytes.add(Bytes.toBytes((text.hashCode & 0x7FFF).toShort), Bytes.toBytes(text))',
  },
  {
    java: 'return Bytes.toBytes(MD5Hash.getMD5AsHex(Bytes.toBytes(id + name)));',
    scala: 'Bytes.toBytes(MD5Hash.getMD5AsHex(Bytes.toBytes(id + name)))',
  },
];

const IMPORTS = [
  'java.nio.ByteBuffer',
  'java.nio.charset.StandardCharsets',
  'java.security.MessageDigest',
  'java.util.Arrays',
  'org.apache.commons.codec.digest.DigestUtils',
  'org.apache.commons.lang3.StringUtils',
  'org.apache.hadoop.hbase.util.Bytes',
  'org.apache.hadoop.hbase.util.MD5Hash',
];

/**
 * A builder: the code that is read, and the class around it.
 * @param {Random} random @param {boolean} scala @param {number} at
 */
function builder(random, scala, at) {
  const published = PUBLISHED[at];
  const writer = new Writer(random, scala);
  const key = writer.key();
  const className = `Builder${at}`;
  const lines = published ? '' : writer.statements.map((line) => `    ${line}\n`).join('');
  if (scala) {
    const code = `  def key(${SCALA_PARAMETERS}): Array[Byte] = {\n${lines}    ${published?.scala ?? key}\n  }\n`;
    const imports = IMPORTS.map((name) => `import ${name}\n`).join('');
    const rowKey =
      '  def rowKey(id: String, name: String, userId: Long, n: Long, ts: java.time.Instant): Array[Byte] =\n' +
      '    key(id, name, userId, n.toInt, ts.toEpochMilli)\n';
    const main = '  def main(arguments: Array[String]): Unit = ()\n';
    return { code, className, source: `${imports}object ${className} {\n${code}${rowKey}${main}}\n` };
  }
  const code = `  static byte[] key(${JAVA_PARAMETERS}) throws Exception {\n${lines}    ${published?.java ?? `return ${key};`}\n  }\n`;
  const imports = IMPORTS.map((name) => `import ${name};\n`).join('');
  const rowKey =
    '  public static byte[] rowKey(String id, String name, Long userId, Long n, java.time.Instant ts) throws Exception {\n' +
    '    return key(id, name, userId, (int) (long) n, ts.toEpochMilli());\n  }\n';
  const main = '  public static void main(String[] arguments) {}\n';
  return {
    code,
    className,
    source: `${imports}public final class ${className} {\n${code}${rowKey}${main}}\n`,
  };
}

/** @param {Random} random */
function record(random) {
  const letters = 'abcXYZ0189_é漢😀';
  return [
    random.text(letters, 3, 12),
    random.text('nameNAME0123', 3, 8),
    String(random.chance(0.1) ? -random.between(1, 1e6) : random.between(0, 1e12)),
    String(random.between(random.chance(0.1) ? -100 : 0, 1e6)),
    String(random.between(0, 1.9e12)),
  ];
}

/**
 * Builders of each language, read and run.
 * @param {any} subject
 * @param {string} folder
 * @param {{ seed: number, short: boolean }} options
 * @returns {Promise<{ id: number, compared: Record<string, number>, differences: number, told: string[] }[]>}
 */
export async function judgeBuilders(subject, folder, { seed, short }) {
  const count = short ? FEW : MANY;
  const judged = [];
  for (const language of ['java', 'scala']) {
    const random = new Random(seed + Number(language === 'scala'));
    const made = Array.from({ length: count }, (_, at) => builder(random, language === 'scala', at));
    const records = Array.from({ length: RECORDS }, () => record(random));
    const classes = join(folder, `builders-${language}`);
    mkdirSync(classes);
    const types = FIELDS.map(({ type }) => type);
    const sources = made.map(({ className, source }) => ({ className, source, types, records }));
    const keys = await emittedKeys(classes, { language, onHBase: true, sources });
    const told = [];
    const counts = { read: 0, keys: 0, rejected: 0 };
    for (const [at, { code }] of made.entries()) {
      const { formula } = subject.wasm.formulaOfCode(code, FIELDS);
      if (!formula && at < PUBLISHED.length) told.push(`${code}is not read`);
      if (!formula) continue;
      counts.read++;
      const own = subject.keys(subject.design({ fields: FIELDS, rowkey: formula }), records);
      for (const [row, bytes] of own.entries()) {
        const [key, wanted] = [bytes && Buffer.from(bytes).toString('hex'), keys[at][row]];
        if (!key) counts.rejected += Number(wanted !== null);
        else if (key === wanted) counts.keys++;
        else told.push(`${code}is read as ${formula}: ${key} for ${wanted} of ${records[row]}`);
      }
    }
    if (counts.read < READ * count) told.push(`${counts.read} of ${count} builders in ${language} were read`);
    const compared = {
      [`builders in ${language}`]: count,
      [`builders in ${language} that were read`]: counts.read,
      [`keys of builders in ${language}`]: counts.keys,
      [`keys of builders in ${language} that a formula rejects`]: counts.rejected,
    };
    judged.push({ id: 0, compared, differences: told.length, told: told.slice(0, 5) });
  }
  return judged;
}
