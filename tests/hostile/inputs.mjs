// Input made to harm, or unlucky: each with the exit code and the words that answer it. Made from tables, so that a new member of the
// design, or a new option, is tried with all that others are. The command line gets all of them, the npm package and the page those
// that they can be given.
import { gzipSync } from 'node:zlib';

/**
 * @typedef {object} Hostile
 * @property {string} name
 * @property {'document' | 'generate' | 'records' | 'arguments'} what is hostile
 * @property {string[]} args of the command line; `{name}` in them is a file
 * @property {Record<string, string | Uint8Array>} files
 * @property {number} exit
 * @property {RegExp} words on standard error, or output where all is well
 * @property {{ fails?: boolean, words?: RegExp }} [npm] where the package answers otherwise: by an error, in other words
 * @property {{ fails?: boolean, words?: RegExp }} [page] the same of the page: it shows what it has of records with problems
 */

const FIELDS = [
  { name: 'phone', type: 'text' },
  { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm' },
];
/** A design that is right, with members of every kind. */
const DESIGN = {
  rowscape: 1,
  name: 'Phones',
  fields: FIELDS,
  lookup: { HOSTS: { a: 1 } },
  arrival: 'at',
  operation: { field: 'phone', read: ['GET'] },
  let: { month: "at.format('yyyyMM')" },
  rowkey: "phone.reverse() + '_' + month",
  splits: { points: ['3', '6'] },
  servers: 3,
  writes: 'append',
  table: {
    name: 't1',
    families: [{ name: 'd', compression: 'GZ', versions: 1, ttl: 60, cells: [{ qualifier: 'q', bytes: 4 }] }],
  },
  queries: [{ name: 'q', where: { phone: '105' }, order: 'at', limit: 5, rate: 1.5, deletes: false }],
  growth: { rowsNow: 5, rowsPerDay: 5, months: 12, arrivals: 'rising' },
  writesPerSecond: 5.5,
  cluster: { heapGB: 16, memstoreFraction: 0.4, flushMB: 128, maxRegionGB: 10, splitPolicy: 'Stepping' },
};
const RECORDS = 'phone,at\n105,2024-05-02 12:00\n999,2024-05-02 13:00\n';

/** @param {unknown} design */
const json = (design) => JSON.stringify(design);
/** The design with members set. @param {object} members */
const but = (members) => json({ ...DESIGN, ...members });
/** @template T @param {number} count @param {(index: number) => T} made */
const list = (count, made) => Array.from({ length: count }, (_, index) => made(index));
/** @param {number} count @param {(index: number) => unknown} made */
const members = (count, made) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, made(index)]));

/** Values of every kind of JSON. @type {[string, unknown][]} */
const VALUES = [
  ['null', null],
  ['boolean', true],
  ['negative', -1],
  ['fraction', 0.123456789],
  ['huge', 1e300],
  ['text', '\u001b[2J\u202e'],
  ['list', [[[]]]],
  ['object', { '\u0000': {} }],
];

/** Paths of the members of the design, each with the kinds of values it takes. @type {[string, string[]][]} */
const MEMBERS = [
  ['rowscape', []],
  ['name', ['text']],
  ['fields', []],
  // As a text it is another field: then the row key names one that there is not.
  ['fields.0.name', ['text']],
  ['fields.0.type', []],
  ['fields.1.format', []],
  ['fields.0.from', []],
  ['lookup', []],
  ['lookup.HOSTS', []],
  ['lookup.HOSTS.a', ['negative']],
  ['arrival', []],
  ['operation', []],
  ['operation.read', []],
  ['let', []],
  ['let.month', []],
  ['rowkey', []],
  ['splits', []],
  ['splits.points', []],
  ['splits.points.0', []],
  ['servers', []],
  ['writes', []],
  ['table', []],
  ['table.name', []],
  ['table.families', []],
  ['table.families.0', []],
  ['table.families.0.name', []],
  ['table.families.0.compression', []],
  ['table.families.0.versions', []],
  ['table.families.0.ttl', []],
  ['table.families.0.cells.0', []],
  ['table.families.0.cells.0.bytes', []],
  ['queries', []],
  ['queries.0', []],
  ['queries.0.name', ['text']],
  ['queries.0.where', []],
  ['queries.0.order', []],
  ['queries.0.limit', []],
  ['queries.0.rate', ['fraction', 'huge']],
  ['queries.0.deletes', ['boolean']],
  ['growth', []],
  ['growth.rowsPerDay', []],
  ['growth.months', []],
  ['growth.arrivals', []],
  ['writesPerSecond', ['fraction']],
  ['cluster.heapGB', []],
  ['cluster.splitPolicy', []],
];

/** The design with another value at a path. @param {string} path @param {unknown} value */
function changed(path, value) {
  const design = structuredClone(DESIGN);
  const names = path.split('.');
  const last = /** @type {string} */ (names.pop());
  /** @type {any} */
  let parent = design;
  for (const name of names) parent = parent[name];
  parent[last] = value;
  return json(design);
}

/** Every member of a design with values it does not take. @returns {Hostile[]} */
const wrongValues = () =>
  MEMBERS.flatMap(([path, taken]) =>
    VALUES.filter(([kind]) => !taken.includes(kind)).map(([kind, value]) => {
      const name = /** @type {string} */ (
        path
          .split('.')
          .filter((part) => !/^\d$/.test(part))
          .at(-1)
      );
      return {
        name: `${path} is ${kind}`,
        what: 'document',
        args: ['lint', '{design.json}'],
        files: { 'design.json': changed(path, value) },
        exit: 2,
        words: new RegExp(`design\\.json.*${name}`, 's'),
      };
    }),
  );

/** Documents that say too much of something. @type {[string, string, RegExp][]} */
const TOO_MUCH = [
  [
    'tables',
    json({
      rowscape: 1,
      fields: FIELDS,
      tables: list(2000, (index) => ({ name: `t${index}`, rowkey: 'phone' })),
    }),
    /found 2,000 tables/,
  ],
  [
    'fields',
    but({ fields: list(100_000, (index) => ({ name: `f${index}`, type: 'text' })) }),
    /100,000 fields/,
  ],
  [
    'columns of a field',
    but({ fields: [{ ...FIELDS[0], from: list(5000, (index) => `c${index}`) }, FIELDS[1]] }),
    /5,000 columns of a field/,
  ],
  [
    'named formulas',
    but({ let: members(10_000, (index) => (index ? `m${index - 1}` : 'phone')) }),
    /10,000 named formulas/,
  ],
  [
    'formulas that name themselves',
    but({ let: members(1000, (index) => `m${index ^ 1}`) }),
    /refers to itself.*and 4\d\d more problems/s,
  ],
  ['lookup tables', but({ lookup: members(1000, () => ({ a: 1 })) }), /1,000 lookup tables/],
  ['lookup entries', but({ lookup: { A: members(200_000, (index) => index) } }), /200,000 entries/],
  [
    'values that read',
    but({ operation: { field: 'phone', read: list(20_000, String) } }),
    /20,000 values that mean a read/,
  ],
  ['parts', but({ rowkey: Array(1000).fill('phone').join('+') }), /101 parts of a formula/],
  ['steps', but({ rowkey: `phone${'.reverse()'.repeat(900)}` }), /101 steps of a part/],
  ['calls', but({ rowkey: `${"join('',".repeat(500)}phone${')'.repeat(500)}` }), /nested more than 32/],
  ['characters', but({ rowkey: `'${'a'.repeat(1e6)}'` }), /1,?000,?0\d\d characters/],
  [
    'names that grow',
    but({
      let: { a: 'phone+phone', b: 'a+a', c: 'b+b+b+b', d: 'c+c+c+c', e: 'd+d+d+d+d+d+d+d', f: 'e+e+e+e' },
      rowkey: 'f+f',
    }),
    /more than 1000 values/,
  ],
  [
    'families',
    but({ table: { name: 't', families: list(1000, (index) => ({ name: `f${index}` })) } }),
    /1,000 column families/,
  ],
  [
    'cells',
    but({
      table: {
        name: 't',
        families: [{ name: 'd', cells: list(100_000, (index) => ({ qualifier: `q${index}`, bytes: 1 })) }],
      },
    }),
    /100,000 cells/,
  ],
  [
    'bad cells',
    but({
      table: {
        name: 't',
        families: [{ name: 'd', cells: list(9000, () => ({ qualifier: '\\xab', bytes: -1 })) }],
      },
    }),
    /and 17,950 more problems/,
  ],
  ['queries', but({ queries: list(20_000, (index) => ({ name: `q${index}` })) }), /20,000 queries/],
  ['conditions', but({ queries: [{ name: 'q', where: members(10_000, () => 1) }] }), /10,000 conditions/],
  [
    'unknown fields',
    but({ queries: list(900, () => ({ name: 'q', where: members(90, () => 1) })) }),
    /and 80,950 more problems/,
  ],
  [
    'values asked for',
    but({ queries: [{ name: 'q', where: { phone: { in: list(300_000, String) } } }] }),
    /300,000 values of all/,
  ],
  [
    'regions',
    but({ splits: { algorithm: 'UniformSplit', regions: 2 ** 40 } }),
    /at most 1000000|above the limit/,
  ],
  [
    'bytes of split points',
    but({ splits: { algorithm: 'UniformSplit', regions: 900_000, last: '\\xFF'.repeat(2000) } }),
    /bytes/,
  ],
  ['equal split points', but({ splits: { points: Array(100_000).fill('a') } }), /a/],
  ['days', but({ splits: { dates: ['0001-01-01', '9999-12-31'], every: '1d' } }), /at most 1000000/],
  ['unknown members', but(members(100_000, () => 1)), /and 99,950 more problems/],
  ['a long name', but({ name: 'n'.repeat(1e6) }), /1,000,000 characters of a name/],
  [
    'a long field',
    but({ fields: [{ name: 'f'.repeat(1e5), type: 'text' }, ...FIELDS] }),
    /100,000 characters of a name/,
  ],
  ['values of JSON', `{"rowscape":1,"x":[${'0,'.repeat(2_000_000)}0]}`, /2,000,001 JSON values/],
  ['nesting', `{"rowscape":1,"x":${'['.repeat(1e6)}`, /101 levels/],
  ['nested objects', `{"rowscape":1,"x":${'{"a":'.repeat(1e5)}`, /101 levels/],
  ['bytes', `${json(DESIGN)}${' '.repeat(2 ** 26)}`, /bytes of a document/],
  ['members given twice', `{${'"a":1,'.repeat(100_000)}"rowscape":1}`, /and 99,949 more problems/],
  ['growth', but({ growth: { rowsPerDay: 2 ** 53 - 1, months: 120 } }), /growth/],
];

/** @returns {Hostile[]} */
const tooMuch = () =>
  TOO_MUCH.map(([name, text, words]) => ({
    name: `too much: ${name}`,
    what: 'document',
    args: ['lint', '{design.json}'],
    files: { 'design.json': text },
    exit: 2,
    words,
  }));

/** A document that ends too early, at many places. @returns {Hostile[]} */
const cutDocuments = () =>
  list(40, (index) => {
    const text = json(DESIGN);
    const end = 1 + Math.floor((index * (text.length - 2)) / 40);
    return {
      name: `a document cut at byte ${end}`,
      what: 'document',
      args: ['lint', '{design.json}'],
      files: { 'design.json': text.slice(0, end) },
      exit: 2,
      words: /not valid JSON/,
    };
  });

/** Hostile inputs of `generate`. @type {[string, object, number, RegExp][]} */
const GENERATE = [
  ['a billion rows', { rows: 1e9 }, 2, /1,000,000,000 records are too many/],
  ['more than numbers hold', { rows: 1e19 }, 2, /are too many/],
  ['negative rows', { rows: -1 }, 2, /generated records/],
  [
    'wide texts',
    { rows: 1e7, fields: [{ name: 'phone', from: { text: '#'.repeat(60_000) } }] },
    2,
    /bytes of generated records/,
  ],
  [
    'a text of a megabyte',
    { rows: 1, fields: [{ name: 'phone', from: { text: '#'.repeat(1e6) } }] },
    2,
    /1,000,000 bytes of a value/,
  ],
  [
    'weights of many',
    { rows: 1, fields: [{ name: 'phone', from: { entity: { count: 1e7 + 1, digits: 9, zipf: 9 } } }] },
    2,
    /entities/,
  ],
  ['a steep curve', { rows: 1, rhythm: { curve: Array(2000).fill(1) } }, 2, /curve/],
  ['no weights', { rows: 1, rhythm: { weights: Array(24).fill(0) } }, 2, /rhythm/],
  ['an empty choice', { rows: 1, fields: [{ name: 'phone', from: { choice: [] } }] }, 2, /list at least one/],
  [
    'many choices',
    { rows: 1, fields: [{ name: 'phone', from: { choice: list(200_000, String) } }] },
    2,
    /200,000 values/,
  ],
  [
    'shares in shares',
    { rows: 1, fields: [{ name: 'phone', from: { shares: { rest: [[{ shares: {} }, 1]] } } }] },
    2,
    /shares/,
  ],
  ['a span of ages', { rows: 1, span: '99999999d' }, 2, /duration/],
  ['no time', { rows: 1, start: '\u001b' }, 2, /ISO 8601/],
  [
    'digits',
    { rows: 1, fields: [{ name: 'phone', from: { entity: { count: 1, digits: 400 } } }] },
    2,
    /digits/,
  ],
  ['an unknown member', { rows: 1, rows2: 1 }, 2, /generated records/],
  ['a large profile', { rows: 1e6, profile: 1e6 }, 2, /profile/],
];

/** @returns {Hostile[]} */
const generated = () =>
  GENERATE.map(([name, generate, exit, words]) => ({
    name: `generate: ${name}`,
    what: 'generate',
    args: ['analyze', '{design.json}'],
    files: { 'design.json': but({ generate }) },
    exit,
    words,
  }));

/** Files of records. @type {[string, string | Uint8Array, number, RegExp, Pick<Hostile, 'npm' | 'page'>?][]} */
const DATA = [
  ['nothing', '', 0, /no record/, { npm: { fails: true } }],
  ['zeros', new Uint8Array(1e6), 2, /does not look like text/, { page: { fails: false } }],
  ['zeros, packed', gzipSync(new Uint8Array(1e8)), 2, /does not look like text/, { page: { fails: false } }],
  ['blank lines, packed', gzipSync('\n'.repeat(5e7)), 0, /no record/, { npm: { fails: true } }],
  [
    'a packed file that is cut',
    gzipSync(RECORDS.repeat(1000)).subarray(0, 60),
    2,
    /compressed data is damaged/,
    { page: { fails: false } },
  ],
  [
    'a packed file with other bytes',
    Buffer.concat([Buffer.from([31, 139]), Buffer.alloc(5000, 7)]),
    2,
    /compressed data is damaged/,
    { page: { words: /gzip file is damaged/ } },
  ],
  ['only a mark of bytes', '\ufeff', 0, /no record/, { npm: { fails: true } }],
  ['no such columns', 'a,b\n1,2\n', 2, /field phone/, { page: { fails: false } }],
  ['a quote that stays open', `phone,at\n"${'1,2024-05-02 12:00\n'.repeat(1e5)}`, 0, /never closed/],
  ['a long line', `phone,at\n${'1'.repeat(17 << 20)},2024-05-02 12:00\n1,2024-05-02 12:00\n`, 0, /16 MiB/],
  [
    'many columns',
    `phone,at,${'c,'.repeat(1e5)}\n1,2024-05-02 12:00\n`,
    0,
    /header has the name c more than once/,
    { npm: { words: /the header has no field c_65535/ } },
  ],
  [
    'ragged rows',
    `phone,at\n1,2024-05-02 12:00\n1,2024-05-02 12:00\n${'1,2\n1,2,3\n'.repeat(5e4)}`,
    0,
    /3 fields instead of 2/,
  ],
  ['dates that are none', `phone,at\n${'1,2024-99-99 99:99\n'.repeat(1e5)}`, 0, /None of the 100,000 rows/],
  ['deep JSON', `{"phone":${'['.repeat(1e5)}}\n`, 0, /the line is not valid JSON/, { npm: { fails: true } }],
  ['a wide value', `phone,at\n${'1'.repeat(1e5)},2024-05-02 12:00\n`, 0, /The only row has no row key/],
];

/** @returns {Hostile[]} */
const data = () =>
  DATA.map(([name, bytes, exit, words, others]) => ({
    name: `records: ${name}`,
    what: 'records',
    args: ['analyze', '{design.json}', '{records}'],
    files: { 'design.json': json(DESIGN), records: bytes },
    exit,
    words,
    ...others,
  }));

/** Arguments. @type {[string[], number, RegExp][]} */
const ARGS = [
  [[], 2, /missing command/],
  [['\u001b]0;x\u0007'], 2, /unknown command/],
  [['analyze'], 2, /missing design/],
  [['analyze', '{design.json}', '/dev/null/x'], 3, /no such file/],
  [['analyze', '{design.json}', '/'], 3, /folder/],
  [['lint', '/nowhere'], 3, /no such file/],
  [['lint', '{records}'], 2, /design/],
  [['lint', '{design.json}', '--memory', '1'], 2, /--memory 1/],
  [['lint', '{design.json}', '--memory', 'NaN'], 2, /--memory NaN/],
  [['lint', '{design.json}', '--memory', '-1G'], 2, /--memory -1G/],
  [['lint', '{design.json}', '--memory', '1e9G'], 2, /--memory/],
  [['lint', '{design.json}', '--memory'], 2, /memory/],
  [['lint', '{design.json}', '--table', '99999999999999999999'], 2, /99999999999999999999/],
  [['lint', '{design.json}', '--sarif', '/nowhere/x'], 3, /no such file/],
  [['lint', '{design.json}', '--color', 'x'.repeat(1e5)], 2, /--color/],
  [['lint', '{design.json}', `--${'x'.repeat(1e5)}`], 2, /option/],
  [['splits', '--algorithm', 'HexStringSplit', '--regions', '0'], 2, /region/i],
  [['splits', '--algorithm', 'HexStringSplit', '--regions', '9999999999'], 2, /region/i],
  [['splits', '--algorithm', 'UniformSplit', '--regions', '-1'], 2, /region/i],
  [['plan', '{design.json}', '--query', '{'], 2, /JSON/],
  [['plan', '{design.json}', '--query', '['.repeat(1e5)], 2, /101 levels/],
  [['plan', '{design.json}', '--query', '{"where":{"nope":1}}'], 2, /nope/],
  [['explain', '{design.json}', '\\x'.repeat(1e4)], 2, /./],
  [['explain', 'RS999'], 2, /RS999/],
  [['decode', '{design.json}', 'a'.repeat(1e5)], 1, /./],
  [['decode', '{design.json}', '', '--hex'], 1, /./],
  [['decode', '{design.json}', 'zz', '--hex'], 1, /hexadecimal/],
  [['emit', '{design.json}', '--as', 'cobol'], 2, /cobol/],
  [['compare', '{design.json}'], 2, /./],
  [['encode', '{design.json}', '{records}', '--json', '--hex'], 2, /one form/],
];

/** @returns {Hostile[]} */
const args = () =>
  ARGS.map(([words, exit, said]) => ({
    name: `arguments: ${words.join(' ').slice(0, 60)}`,
    what: 'arguments',
    args: words,
    files: { 'design.json': json(DESIGN), records: RECORDS },
    exit,
    words: said,
  }));

/** All inputs. @type {Hostile[]} */
export const HOSTILE = [
  ...wrongValues(),
  ...tooMuch(),
  ...cutDocuments(),
  ...generated(),
  ...data(),
  ...args(),
];
/** A design and records that nothing is wrong with: what the inputs are changed from. */
export const SOUND = { design: json(DESIGN), records: RECORDS };
