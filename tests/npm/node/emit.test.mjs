// Exports of a design: encoders make the core's keys, and HBase's shell can read the commands.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as core from '#core';
import * as rowscape from '../../../dist/npm/index.js';
import { differences, job, ofGallery, random } from '../emit/cases.mjs';
import { javascript, python } from '../emit/run.mjs';

core.initSync({ module: readFileSync(new URL('../../../dist/wasm/whole.wasm', import.meta.url)) });
const { emitters, parseDesign } = rowscape;

/** @param {object} document */
const design = (document) =>
  parseDesign({
    rowscape: 1,
    fields: [
      { name: 'phone', type: 'text' },
      { name: 'at', type: 'time', format: 'epoch-millis', zone: '+08:00' },
      { name: 'n', type: 'integer' },
    ],
    rowkey: 'phone',
    ...document,
  });

/** Steps that a language may be without. @type {Record<string, string[]>} */
const WITHOUT = {
  // Java's text of a double is its own.
  python: ['string', 'ordered.numeric'],
  // JavaScript has no decimals.
  javascript: ['string', 'ordered.numeric', 'phoenix.decimal', 'decimal', 'bigDecimal'],
};

for (const [language, run] of /** @type {const} */ ([
  ['javascript', javascript],
  ['python', python],
])) {
  test(`the ${language} encoder makes the keys of the core, or refuses as it does`, async () => {
    const steps = core.steps();
    const all = [...ofGallery(), ...random(steps, { count: 3 * steps.length, rows: 12 })];
    const emitted = all.map((one) => job(rowscape, core, one, language));
    const refused = new Set(emitted.flatMap((one) => (one && 'refused' in one ? [String(one.refused)] : [])));
    assert.deepEqual(
      [...refused].filter((step) => !WITHOUT[language].includes(step)),
      [],
    );
    const jobs = emitted.flatMap((one) => (one && !('refused' in one) ? [one] : []));
    assert.ok(jobs.length > 200, String(jobs.length));
    assert.ok(jobs.flatMap(({ keys }) => keys).filter(Boolean).length > 2000);
    const folder = mkdtempSync(join(tmpdir(), 'rowscape-emit-'));
    try {
      assert.deepEqual(differences(jobs, await run(jobs, folder)).slice(0, 5), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('e8 clients read the number of buckets from their configuration, and without it take that of the design', () => {
  const entry = new URL('../../../data/gallery/e8-bucket-count.json', import.meta.url);
  const document = JSON.parse(readFileSync(entry, 'utf8'));
  const [eight, sixteen] = document.tables.map((/** @type {object} */ table) =>
    parseDesign({ ...document, tables: [{ ...table, name: 'cdr' }] }),
  );
  const devices = Array.from({ length: 40 }, (_, at) => `dev-${String(at).padStart(5, '0')}`);
  const ts = devices.map(() => '1709640000000');
  const keys = (/** @type {import('../../../dist/npm/index.js').Design} */ one) =>
    [...one.encodeColumns({ device: devices, ts })].map((key) => Buffer.from(key ?? []).toString());
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-emit-'));
  try {
    writeFileSync(
      join(folder, 'made.mjs'),
      `${eight.emit('javascript').text}
for (const one of ${JSON.stringify(devices)}) console.log(Buffer.from(rowKey(one, new Date(1709640000000))).toString());`,
    );
    writeFileSync(join(folder, 'made.py'), eight.emit('python').text);
    writeFileSync(
      join(folder, 'driver.py'),
      `import made
for one in ${JSON.stringify(devices)}:
    print(made.row_key(one, made.EPOCH + made.timedelta(milliseconds=1709640000000)).decode())`,
    );
    for (const [command, file] of [
      [process.execPath, 'made.mjs'],
      ['python3', 'driver.py'],
    ]) {
      const made = (/** @type {Record<string, string>} */ env) =>
        spawnSync(command, [file], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } })
          .stdout.trim()
          .split('\n');
      assert.deepEqual(made({}), keys(eight), command);
      assert.deepEqual(made({ CDR_BUCKETS: '16' }), keys(sixteen), command);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.notDeepEqual(keys(eight), keys(sixteen));
  // The oracle compiles these two.
  const java = 'Integer.parseInt(System.getenv().getOrDefault("CDR_BUCKETS", "8"))';
  assert.ok(eight.emit('java').text.includes(java), eight.emit('java').text);
  assert.ok(eight.emit('scala').text.includes('sys.env.getOrElse("CDR_BUCKETS", "8").toInt'));
});

test('readers take the number of buckets from where encoders take it', () => {
  const fields = [
    { name: 'device', type: 'text' },
    { name: 'ts', type: 'time', format: 'epoch-millis' },
  ];
  const hour = { from: '1709640000000', to: '1709643600000' };
  const of = (/** @type {number} */ buckets) => ({
    ...{ rowscape: 1, fields, table: { name: 'cdr' } },
    rowkey: `bucket(device, ${buckets}).decimal(2) + ts.millis().decimal(13) + device`,
    queries: [
      { name: 'hour', where: { ts: hour } },
      { name: 'none', where: { ts: { from: '1', to: '2' }, device: { prefix: 'a' } } },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-emit-'));
  try {
    const java = parseDesign(of(4)).emit('reader-java').text;
    assert.match(java, /for \(long each1 = 0; each1 < BUCKETS; each1\+\+\)/);
    writeFileSync(join(folder, 'made.py'), parseDesign(of(4)).emit('reader-python').text);
    const driver = `import made
for one in made.hour_ranges(*[made.EPOCH + made.timedelta(milliseconds=at) for at in (${hour.from}, ${hour.to})]):
    print(one.start.hex())`;
    writeFileSync(join(folder, 'driver.py'), driver);
    const starts = (/** @type {Record<string, string>} */ env) =>
      spawnSync('python3', ['driver.py'], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } })
        .stdout.trim()
        .split('\n');
    const planned = (/** @type {number} */ buckets) =>
      core
        .plan(JSON.stringify(of(buckets)))
        .plans[0].ranges.map((/** @type {{ startBytes: Uint8Array }} */ { startBytes }) =>
          Buffer.from(startBytes).toString('hex'),
        );
    assert.deepEqual(starts({}), planned(4));
    assert.deepEqual(starts({ CDR_BUCKETS: '12' }), planned(12));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('ranges of a part of a digest, of periods and of numbers without a width take any values', () => {
  const fields = [
    { name: 'phone', type: 'text' },
    { name: 'n', type: 'integer' },
    { name: 'at', type: 'time', format: 'epoch-millis' },
  ];
  const day = 86_400_000;
  const cases = [
    ["bucket(phone, at.format('yyyyMM'), 6).decimal(2) + phone + at.millis().decimal(13)", ['phone', 'at']],
    ["at.format('MM-dd') + phone", ['at']],
    ["phone + '-' + at.millis() + '-' + n", ['phone', 'at']],
    [
      "sum(n, at.format('yyyyMMdd').number()).floorMod(7).decimal(1) + n.int64() + at.millis().int64()",
      ['n', 'at'],
    ],
    ["phone.terminated() + at.truncate('1d').millis().int64() + n.int64()", ['phone', 'at', 'n']],
    ['n + phone', ['n..']],
    ['phone.terminated() + n.int64()', ['phone..']],
  ];
  const values = (/** @type {number} */ at) => {
    const start = Date.UTC(2024, 10 + at, 20);
    return {
      phone: { eq: `138${at}` },
      n: { eq: 90 + at },
      at: { from: String(start), to: String(start + (40 + 5 * at) * day) },
      'n..': { from: 95 * (at + 1), to: 1100 },
      'phone..': { from: `13${at}`, to: `14${at}` },
    };
  };
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-readers-'));
  try {
    for (const [rowkey, names] of /** @type {[string, (keyof ReturnType<typeof values>)[]][]} */ (cases)) {
      const of = (/** @type {number} */ at) => ({
        ...{ rowscape: 1, fields, rowkey },
        queries: [
          {
            name: 'rows',
            where: Object.fromEntries(names.map((name) => [name.replace('..', ''), values(at)[name]])),
          },
        ],
      });
      const [source, other] = [0, 1].map((at) => parseDesign(of(at)).emit('reader-python').text);
      assert.ok(!source.includes('values in the design'), rowkey);
      writeFileSync(join(folder, 'made.py'), source);
      const [, call] = /** @type {RegExpExecArray} */ (/check\("rows", (.*), "/.exec(other));
      const driver = `from made import *
made = sorted(${call})
for one in made[:20]:
    print(one.start.hex() + "-" + one.stop.hex())
if len(made) > 20:
    print("of", len(made))`;
      writeFileSync(join(folder, 'driver.py'), driver);
      const run = spawnSync('python3', ['-B', 'driver.py'], { cwd: folder, encoding: 'utf8' });
      const [, expected] = /** @type {RegExpExecArray} */ (/check\("rows", .*, "([^"]*)"\)/.exec(other));
      assert.equal(run.stderr, '', rowkey);
      assert.equal(run.stdout.trim().replaceAll('\n', ' '), expected, rowkey);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('ranges that are constants refuse another number of buckets', () => {
  const document = {
    rowkey: "bucket(phone, 4).decimal(1) + at.format('MM') + phone",
    // Times before 1970 begin in no order that follows from them.
    queries: [{ name: 'span', where: { at: { from: '-1000000000', to: '1000000000' } } }],
  };
  const java = design(document).emit('reader-java').text;
  if (java.includes('each1 < BUCKETS')) return assert.fail('the ranges follow from the values');
  assert.match(java, /if \(BUCKETS != 4\) throw refused\("another number of buckets than 4"\);/);
  assert.match(design(document).emit('reader-python').text, /if BUCKETS != 4:/);
});

test('an export is for a version of HBase, which may lack a compression', () => {
  const table = (/** @type {string} */ compression) =>
    design({ table: { name: 't', families: [{ name: 'f', compression }] } });
  for (const name of ['shell', 'shell-file']) {
    const refused = { code: 'emit.no-compression', args: { hbase: '2.4', compression: 'LZMA', family: 'f' } };
    assert.throws(() => table('LZMA').emit(name, { hbase: '2.4' }), refused);
  }
  assert.equal(table('LZMA').emit('shell', { hbase: '2.5' }).text, table('LZMA').emit('shell').text);
  assert.equal(table('ZSTD').emit('shell', { hbase: '2.4' }).text, table('ZSTD').emit('shell').text);
  const unknown = { code: 'emit.unknown-hbase', args: { found: '1.4', known: '2.4, 2.5, 2.6, 3.0' } };
  assert.throws(() => table('GZ').emit('shell', /** @type {any} */ ({ hbase: '1.4' })), unknown);
  assert.throws(() => table('GZ').emit('shell', /** @type {any} */ ({ hbase: 2.6 })), rowscape.RowscapeError);
});

test('a bucket that does not lead the key stays as it is written', () => {
  const java = (/** @type {string} */ rowkey) => design({ rowkey }).emit('java').text;
  assert.doesNotMatch(java('phone + n.floorMod(8).decimal(1)'), /BUCKETS/);
  assert.doesNotMatch(java('rest.md5().hex(2) + n.floorMod(8).decimal(1)'), /BUCKETS/);
  // Only the first of two is replaced, as often as it is named.
  const two = java("'v1' + bucket(phone, 8).decimal(1) + n.floorMod(8).decimal(1)");
  assert.match(two, /floorMod\(javaHash\([^\n]*, BUCKETS\)/);
  assert.match(two, /floorMod\(n, 8\)/);
});

test('split keys stand between single quotes, where the shell reads \\xNN in capitals only', () => {
  const points = ['\\x00', "a'b", '#{1}', '\\xFF\\x5C'];
  const table = design({ table: { name: 'ns:calls' }, splits: { points } });
  assert.equal(
    table.emit('shell').text,
    "# create_namespace 'ns'\ncreate 'ns:calls',\n  'f',\n  {SPLITS => ['\\x00', '#{1}', 'a\\x27b', '\\xFF\\x5C']}\n",
  );
  assert.deepEqual(table.emit('splits-file'), {
    file: 'ns_calls.splits',
    language: 'text',
    text: "\\x00\n#{1}\na'b\n\\xFF\\x5C\n",
  });
  assert.match(table.emit('shell-file').text, /\{SPLITS_FILE => 'ns_calls\.splits'\}\n$/);
  assert.equal(
    table.emit('boundaries').text,
    'region,start_row_hex,stop_row_hex\n0,,00\n1,00,237b317d\n2,237b317d,612762\n3,612762,ff5c\n4,ff5c,\n',
  );
});

test('the shell is told an algorithm only where it makes the same regions', () => {
  const by = (/** @type {object} */ splits) => design({ splits }).emit('shell-algorithm').text;
  const hex = { algorithm: 'HexStringSplit', regions: 16 };
  assert.match(by(hex), /\{NUMREGIONS => 16, SPLITALGO => 'HexStringSplit'\}\n$/);
  assert.match(by({ ...hex, last: 'ffffffff' }), /NUMREGIONS => 16/);
  assert.doesNotMatch(by({ ...hex, regions: 1 }), /NUMREGIONS/);
  assert.throws(() => by({ ...hex, last: 'ffff' }), { code: 'emit.algorithm-rows' });
  assert.throws(() => by({ points: ['a'] }), { code: 'emit.no-algorithm' });
  assert.throws(() => design({ splits: { sample: 4 } }).emit('shell'), { code: 'split.needs-records' });
});

test('families keep what the design says of them; what their rows ask for stands beside as comments', () => {
  const families = [
    { name: "d'", compression: 'GZ', versions: 3, ttl: 86400, cells: [{ qualifier: 'q', bytes: 1 }] },
  ];
  const { text } = design({
    rowkey: "phone + '_' + at.format('yyyyMMdd')",
    table: { name: 't', families },
  }).emit('shell');
  assert.ok(text.includes("{NAME => 'd\\'', COMPRESSION => 'GZ', VERSIONS => 3, TTL => 86400}"), text);
  assert.match(text, /^# alter 't', \{NAME => 'd\\'', 'DATA_BLOCK_ENCODING' => 'FAST_DIFF'\}$/m);
});

test('Phoenix gets columns only of parts that it writes alike', () => {
  const fields = [
    { name: 'host', type: 'text' },
    { name: 'at', type: 'time', format: 'epoch-millis' },
  ];
  const rowkey = "rest.phoenixSalt(16) + host.phoenix.varchar('asc', 'separated') + at.phoenix.date('desc')";
  const families = [{ name: 'd', cells: [{ qualifier: 'load', bytes: 8 }] }];
  const salted = design({ fields, rowkey, table: { name: 'ns:metrics', families } });
  assert.equal(
    salted.emit('phoenix').text,
    'CREATE TABLE "ns"."metrics" (\n  "host" VARCHAR NOT NULL,\n  "at" DATE NOT NULL,\n  "d"."load" VARBINARY,\n' +
      '  CONSTRAINT "pk" PRIMARY KEY ("host", "at" DESC)\n) SALT_BUCKETS = 16, COLUMN_ENCODED_BYTES = 0;\n',
  );
  assert.throws(() => salted.emit('phoenix-view'), { code: 'emit.no-salted-view' });
  const plain = design({
    fields,
    rowkey: "host + '_' + at.format('yyyyMMdd')",
  });
  assert.throws(() => plain.emit('phoenix'), { code: 'emit.no-column' });
  const text = design({
    fields,
    rowkey: "host.terminated() + at.format('yyyyMMdd')",
    splits: { points: ['m', '\\xFF'] },
  });
  assert.match(
    text.emit('phoenix').text,
    /"host" VARCHAR NOT NULL,\n {2}"at" CHAR\(8\) NOT NULL,.*\nSPLIT ON \('m', X'FF'\);\n$/s,
  );
  assert.match(text.emit('phoenix-view').text, /^CREATE VIEW "t1" \(/);
});

test('a formula of Spark SQL, where Spark has the functions', () => {
  const { text } = design({ rowkey: "phone.md5().hex(4) + '-' + phone + '_' + n.decimal(4)" }).emit(
    'spark-sql',
  );
  assert.ok(text.includes("lpad(cast(cast(`n` as bigint) as string), 4, '0')"), text);
  assert.throws(
    () => design({ rowkey: 'phone.murmur().int32() + phone' }).emit('spark-sql'),
    (error) => {
      assert.ok(error instanceof rowscape.RowscapeError);
      assert.deepEqual([error.code, error.args], ['emit.no-code', { step: 'murmur', language: 'Spark SQL' }]);
      return true;
    },
  );
});

test('Spark SQL is told what it would read in another way, or nothing', () => {
  const ok = { name: 'ok', type: 'boolean' };
  const made = (/** @type {string} */ rowkey) =>
    design({ fields: [...design({}).fields, ok], rowkey }).emit('spark-sql').text;
  const expression = (/** @type {string} */ rowkey) => made(rowkey).split('\n').slice(1).join('\n');
  assert.match(made("at.format('yyyyMMdd')"), /^-- SET TIME ZONE 'UTC'$/m);
  assert.ok(expression("phone + 'a\\'").includes("'a\\\\'"), expression("phone + 'a\\'"));
  assert.ok(expression(`phone + '\${a}'`).includes("'\\u0024{a}'"));
  assert.doesNotMatch(expression('ok.boolean()'), /\bif\(/);
  assert.match(expression("salt(8).decimal(1) + '-' + salt(8, 1).decimal(1)"), /rand\(\).*rand\(\)/s);
  const refused = {
    salt: ["salt(8).decimal(1) + '-' + salt(8).decimal(1)", 'rest.md5().hex(2) + salt(8).decimal(1) + phone'],
    upper: ['phone.lower().upper()'],
    lower: ['phone.upper().lower()'],
  };
  for (const [step, formulas] of Object.entries(refused)) {
    for (const rowkey of formulas) {
      assert.throws(() => made(rowkey), { code: 'emit.no-code', args: { step, language: 'Spark SQL' } });
    }
  }
  assert.match(expression('phone.md5().HEX(4)'), /upper\(lower\(hex|upper\(substring\(lower\(hex/);
});

test('names of fields become names of the language, whatever they are', () => {
  const name = '<img src=x onerror=alert(1)>\n*/ \u2028';
  const fields = ['class', 'hex', 'key', name, '7', '电话', '👀'].map((one) => ({ name: one, type: 'text' }));
  const rowkey = fields.map((field) => `\`${field.name}\``).join(" + '-' + ");
  for (const { name: kind } of emitters()) {
    const { text } = /** @type {{ text: string }} */ (orProblem(() => design({ fields, rowkey }).emit(kind)));
    if (text) assert.ok(!/^[^#/-]*<img/m.test(text.replaceAll(/`[^`]*`/g, '')), text);
  }
});

/** @param {() => unknown} work */
function orProblem(work) {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof rowscape.RowscapeError, String(error));
    return {};
  }
}

test('a table is altered to another design of the same key, and rewritten to one of another', () => {
  const families = [{ name: 'd', versions: 5, minVersions: 3 }, { name: "o'ld" }];
  const from = design({ table: { name: 'ns:calls', families } });
  const to = design({
    table: { name: 'ns:calls', families: [{ name: 'd', versions: 2, minVersions: 1 }] },
    splits: { points: ['\\xFF'] },
  });
  const { file, text } = to.emit('alter-shell', { from });
  assert.equal(file, 'ns_calls-alter.hbase');
  // The shell sets the most versions first, which must not be fewer than the fewest.
  assert.deepEqual(
    text.split('\n').filter((line) => line && !line.startsWith('#')),
    [
      "snapshot 'ns:calls', 'ns_calls-before-alter'",
      "alter 'ns:calls', {NAME => 'd', MIN_VERSIONS => 1}",
      "alter 'ns:calls',",
      "  {NAME => 'd', MIN_VERSIONS => 1, VERSIONS => 2},",
      "  {NAME => 'o\\'ld', METHOD => 'delete'}",
      "major_compact 'ns:calls', 'd'",
      'split \'ns:calls\', "\\xFF"',
    ],
  );
  assert.equal(rowscape.migration(from, to).familyCommands, text.split('\n\n')[0].concat('\n'));
  const other = design({ rowkey: 'phone.md5().hex(4) + phone', table: { name: 'calls2' } });
  assert.match(other.emit('rewrite-java', { from }).text, /^ {8}String phone = text\(part\d+\);$/m);
  const refused = (
    /** @type {string} */ kind,
    /** @type {typeof to} */ one,
    /** @type {typeof to} */ old,
  ) => {
    try {
      one.emit(kind, { from: old });
    } catch (error) {
      return /** @type {{ code: string, args: Record<string, string> }} */ (error);
    }
    return assert.fail(kind);
  };
  assert.equal(refused('alter-shell', other, from).code, 'emit.other-key');
  assert.equal(refused('alter-java', to, to).code, 'emit.same-table');
  assert.equal(refused('rewrite-java', to, from).code, 'emit.same-keys');
  const hashed = design({ rowkey: 'phone.md5().hex(8)', table: { name: 'hashed' } });
  const { code, args } = refused('rewrite-java', other, hashed);
  assert.deepEqual([code, args.field], ['emit.underivable', 'phone']);
  const salted = design({ rowkey: 'salt(8).decimal(1) + phone', table: { name: 'salted' } });
  assert.equal(refused('rewrite-java', salted, from).code, 'emit.random-key');
  const ends = design({ rowkey: 'phone + n.decimal()', table: { name: 'ends' } });
  assert.equal(refused('rewrite-java', other, ends).code, 'emit.no-end');
  assert.throws(() => to.emit('alter-shell'), { code: 'emit.no-origin' });
  // @ts-expect-error: a name is no design
  assert.throws(() => to.emit('alter-shell', { from: 'old.json' }), rowscape.RowscapeError);
});

test('an unknown text is refused with those there are', () => {
  assert.throws(() => design({}).emit('cobol'), { code: 'emit.unknown' });
  assert.deepEqual(
    emitters()
      .filter(({ language }) => language === 'hbase shell')
      .map(({ name }) => name),
    ['shell', 'shell-file', 'shell-algorithm', 'alter-shell', 'scan-shell'],
  );
});

test('names that code has of its own, and names with gaps, leave readers and writers sound', (context) => {
  if (spawnSync('python3', ['--version']).status !== 0) return context.skip('no Python');
  const names = ['prefix', 'ranges', 'rows', 'row', 'table', 'each1', 'connection'];
  const fields = names.map((name) => ({ name, type: 'text', width: 2 }));
  const where = Object.fromEntries(names.map((name) => [name, 'ab']));
  const queries = ['{body} "x" */ \\u000a', 'between', 'one', 'one ranges', 'read', '{name}'].map((name) => ({
    name,
    where,
  }));
  const odd = parseDesign({ rowscape: 1, fields, rowkey: names.join(' + '), queries });
  for (const kind of ['reader-python', 'writer-python']) {
    const { text } = odd.emit(kind);
    const { status, stderr } = spawnSync('python3', ['-'], { input: text, encoding: 'utf8' });
    assert.equal(status, 0, `${kind}: ${stderr}`);
  }
});

test('requests to the REST gateway are a script that the shell reads, whatever the names', (context) => {
  if (process.platform === 'win32') return context.skip('no sh');
  const names = ["it's", '$(touch x)', '`touch x`', 'a\nb', '"', '漢'];
  const queries = names.map((name) => ({ name, where: { phone: { eq: name.replace('\n', '') } } }));
  const { file, text } = design({ table: { name: 'ns:calls' }, queries }).emit('scan-rest');
  assert.equal(file, 'ns_calls-queries.sh');
  assert.match(text, /^TABLE='ns%3Acalls'$/m);
  // The commands say what they were given, in place of requests.
  const commands = text.split('\n\n').slice(-names.length).join('\n');
  const said = 'scan() { echo "$1"; }\nget() { echo "$1"; }\n';
  const { status, stdout, stderr } = spawnSync('sh', ['-s'], {
    input: `${said}${commands}`,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout.trim().split('\n').length, names.length, stdout);
  assert.equal(spawnSync('sh', ['-n', '-s'], { input: text }).status, 0);
});

test('a writer in Python gives cells the timestamps of their fields', (context) => {
  if (spawnSync('python3', ['--version']).status !== 0) return context.skip('no Python');
  const cells = [
    { qualifier: 'dur', bytes: 4, timestamp: 'at' },
    { qualifier: { formula: 'n.uint16()' }, value: { formula: "phone + '!'" } },
  ];
  const { text } = design({ table: { name: 'calls', families: [{ name: 'd', cells }] } }).emit(
    'writer-python',
  );
  const driver = `${text}
class Table:
    def put(self, row, cells, timestamp=None):
        print(row, cells, timestamp)
put(Table(), "138", EPOCH + timedelta(milliseconds=1709640000123), 7, b"x")
`;
  const { stdout, stderr } = spawnSync('python3', ['-'], { input: driver, encoding: 'utf8' });
  assert.deepEqual(
    stdout.trim().split('\n').slice(1),
    ["b'138' {b'd:dur': b'x'} 1709640000123", "b'138' {b'd:\\x00\\x07': b'138!'} None"],
    stderr,
  );
});
