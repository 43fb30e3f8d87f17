// A design on the same records has the same figures in the page, in its slices and counted, in npm, its threads and its summaries as
// on the command line. tests/cli/parity.rs compares the ways of the command line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as core from '#core';
import { mergeSummaries, parseDesign } from '../../../dist/npm/index.js';
import { tablesOf } from '../../../www/design/document.js';
import { sliceOf, takeIn } from '../../../www/worker/slices.js';
import { NATIVE } from '../../native.mjs';
import { given } from './threads.mjs';

/** @typedef {{ verdict: object, findings: object[], report: Record<string, any> }} Answer */

const ROOT = new URL('../../../', import.meta.url);
core.initSync({ module: readFileSync(new URL('dist/wasm/whole.wasm', ROOT)) });

const folder = mkdtempSync(join(tmpdir(), 'rowscape-parity-'));
after(() => rmSync(folder, { recursive: true }));

/** Records of a design. */
const ROWS = 900;
/** Bytes of a file that two threads read. */
const LARGE = 33 << 20;
const PARTS = 3;
/** Records of which each fills a step of reading in that file. */
const FEW = 100;

/** Designs of the gallery, each with other members, and lines behind its records. @type {[string, object?, string?][]} */
const FEW_CASES = [
  [
    'i3-host-event-time',
    { operation: { field: 'event', read: ['login', 'order'] } },
    'host001,soon,login,4\nhost002,1638290481900,order,many\n',
  ],
  ['i5-log-types', { writes: 'counter', writesPerSecond: 500_000, servers: 3 }],
  ['j2-customers-and-orders-in-one-table', {}, '4,customer,,yesterday\n?,order,o-2,1709251200000\n'],
  ['k2-pages-of-values', {}, 'u001,1,0,yesterday\nu003,2,?,1740787200000\n'],
  ['c6-room-for-a-year'],
  ['e5-salt-byte'],
  ['i6-five-minute-rows'],
];

/** All of the gallery with `ROWSCAPE_PARITY=1`. @type {[string, object?, string?][]} */
const CASES = process.env.ROWSCAPE_PARITY
  ? readdirSync(new URL('data/gallery/', ROOT))
      .filter((name) => name.endsWith('.json') && name !== 'index.json')
      .map((name) => [name.slice(0, -'.json'.length)])
  : FEW_CASES;

/** Figures by cell that the command line does not print. */
const OF_JAVASCRIPT = ['report.keyBytes', 'report.reads', 'report.servers.load'];
/** Sentences that the page makes itself of code and arguments. */
const OF_SENTENCES = /\.(title|message|detail|why|remedy)$/;
/** Members that counts can lack, or know otherwise: the rows of records, and of times only the first and the last of all. */
const COUNTED = [
  'report.refused.first',
  'report.keys.duplicates.quarters',
  'report.keys.duplicates.examples[].rows',
  'report.time.first',
  'report.time.last',
  'findings[].args.row',
  'findings[].detail',
  'findings[].message',
];
/** Members that follow from the options of npm: equal intervals, and twice as many frequent values. */
const OF_OPTIONS = ['report.time', 'report.heat', 'report.moments', 'report.busiest', 'report.servers'];

/** Plain JSON. @param {unknown} value */
const plain = (value) =>
  JSON.parse(
    JSON.stringify(value, (_, inner) =>
      ArrayBuffer.isView(inner) ? [.../** @type {any} */ (inner)] : inner,
    ),
  );

/**
 * The first path at which two answers differ, with both; none of `leave`, in which `[]` stands for any place.
 * @param {any} expected
 * @param {any} found
 * @param {(string | RegExp)[]} leave
 * @param {string} path
 * @returns {string | null}
 */
function difference(expected, found, leave, path = '') {
  const place = path.replace(/\[\d+\]/g, '[]');
  if (leave.some((one) => (typeof one === 'string' ? one === place : one.test(place)))) return null;
  const are = [expected, found].every((value) => typeof value === 'object' && value !== null);
  if (
    !are ||
    Array.isArray(expected) !== Array.isArray(found) ||
    (Array.isArray(found) && expected.length !== found.length)
  )
    return Object.is(expected ?? null, found ?? null)
      ? null
      : `${path}: ${JSON.stringify(found)}, on the command line ${JSON.stringify(expected)}`;
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const under = Array.isArray(found) ? `${path}[${name}]` : path ? `${path}.${name}` : name;
    const wrong = difference(expected[name], found[name], leave, under);
    if (wrong) return wrong;
  }
  return null;
}

/** The records that lie beside a design. @param {string} slug @param {object[]} fields */
function kept(slug, fields) {
  const records = new core.Records({ format: 'csv', fields });
  records.push(readFileSync(new URL(`data/gallery/${slug}.csv`, ROOT)));
  records.finish();
  return records;
}

/** A case as files: the document, all records, and the parts of these. @param {[string, object?, string?]} of */
function written([slug, members = {}, lines = '']) {
  const gallery = JSON.parse(readFileSync(new URL(`data/gallery/${slug}.json`, ROOT), 'utf8'));
  const { generate, ...design } = { ...gallery, ...members };
  const { fields } = tablesOf(design)[0];
  const made = generate
    ? core.Records.generate({ ...generate, rows: Math.min(generate.rows, ROWS) }, fields)
    : kept(slug, fields);
  const header = `${fields.map(({ name }) => name).join()}\n`;
  const rows = Array.from({ length: made.rows }, (_, row) => made.row(row));
  const text = rows.map((row) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join()}\n`);
  text.push(lines);
  // Parts are counted under the same splits.
  const document = core.fixedSplits(made, JSON.stringify(design));
  made.free();
  const size = Math.ceil(text.length / PARTS);
  const parts = Array.from(
    { length: PARTS },
    (_, part) => header + text.slice(part * size, (part + 1) * size).join(''),
  );
  writeFileSync(join(folder, 'design.json'), document);
  writeFileSync(join(folder, 'records.csv'), header + text.join(''));
  // A column that no design reads makes the file large enough for threads.
  const filler = 'x'.repeat(Math.ceil(LARGE / text.length));
  const wide = text
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => `${line},${filler}\n`);
  writeFileSync(join(folder, 'large.csv'), `${header.trimEnd()},filler\n${wide.join('')}`);
  return { document, design: JSON.parse(document), csv: header + text.join(''), parts };
}

/** The answer of the command line. @param {number} table @returns {Answer} */
function native(table) {
  const args = ['analyze', '--json', '--table', String(table), 'design.json', 'records.csv'];
  const { stdout, stderr, status } = spawnSync(NATIVE, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, stderr);
  const { verdict, findings, report } = JSON.parse(stdout);
  return { verdict, findings, report };
}

/** Ready to read records. @param {string} document @param {number} table */
function reader(document, table) {
  const design = JSON.parse(document);
  const { fields, kinds } = tablesOf(design)[table];
  const records = new core.Records({ format: 'csv', fields });
  if (kinds) records.ofKinds(document, table);
  records.nextFile('records.csv');
  return records;
}

/** The answer of the page to records. @param {core.Records} records @param {string} document @param {number} table */
function shown(records, document, table) {
  records.finish();
  const analysis = new core.Analysis(records, document, table);
  try {
    const findings = analysis.findings(document, table);
    const report = analysis.report({}, document, table);
    return plain({ verdict: report.verdict, findings, report });
  } finally {
    analysis.free();
    records.free();
  }
}

/** Each way to analyze, with what may differ. @type {Record<string, { leave?: (string | RegExp)[], of: (made: ReturnType<typeof written>, table: number) => unknown }>} */
const HOSTS = {
  page: {
    leave: [OF_SENTENCES],
    of({ document, csv }, table) {
      const records = reader(document, table);
      records.push(Buffer.from(csv));
      return shown(records, document, table);
    },
  },
  'page, in slices': {
    leave: [OF_SENTENCES],
    async of({ document, csv }, table) {
      const bytes = Buffer.from(csv);
      const cut = bytes.lastIndexOf('\n', bytes.length / 2) + 1;
      const records = reader(document, table);
      records.push(bytes.subarray(0, cut));
      records.encode(document, table, 2 * records.rows);
      const head = reader(document, table);
      head.push(bytes.subarray(0, cut));
      const other = head.apartFrom(cut);
      assert.ok(other);
      async function* rest() {
        yield bytes.subarray(cut);
      }
      const asked = { document, table, budget: Infinity, taken: () => bytes.length };
      const slice = await sliceOf(other, rest(), asked, () => {});
      assert.ok(slice && takeIn(records, slice));
      return shown(records, document, table);
    },
  },
  'page, counted': {
    leave: [OF_SENTENCES, ...COUNTED],
    of({ document, csv }, table) {
      const records = reader(document, table);
      const stream = new core.Stream(records, document, table);
      stream.push(Buffer.from(csv));
      stream.finish();
      const report = plain(stream.report());
      const { findings } = shown(stream.sample(), document, table);
      return { verdict: report.verdict, findings, report };
    },
  },
  npm: {
    leave: OF_OPTIONS,
    async of({ design, csv }, table) {
      const { report, findings } = await parseDesign(design, { table }).analyze(csv);
      return plain({ verdict: report.verdict, findings, report });
    },
  },
  'npm, two threads': {
    leave: OF_OPTIONS,
    async of({ design }, table) {
      const before = given();
      const file = await openAsBlob(join(folder, 'large.csv'));
      const { report, findings } = await parseDesign(design, { table }).analyze(file, { threads: 2 });
      // Rows as long as a step of reading are left to one thread.
      assert.equal(given() - before, report.keys.count < FEW ? 0 : 1);
      return plain({ verdict: report.verdict, findings, report });
    },
  },
  'npm, summary of three parts': {
    leave: COUNTED,
    async of({ design, parts }, table) {
      const of = parseDesign(design);
      const summaries = await Promise.all(
        parts.map((csv, part) => of.summarize(csv, { name: `part-${part}.csv` })),
      );
      const { report, findings } = mergeSummaries(summaries).analyze({ table });
      return plain({ verdict: report.verdict, findings, report });
    },
  },
};

for (const of of CASES)
  test(`every host has the figures of the command line: ${of[0]}`, async () => {
    const made = written(of);
    const wrong = [];
    for (const table of tablesOf(made.design).keys()) {
      const expected = native(table);
      for (const [host, { leave = [], of: asked }] of Object.entries(HOSTS)) {
        const path = difference(expected, await asked(made, table), [...OF_JAVASCRIPT, ...leave]);
        if (path) wrong.push(`${host}, ${of[0]}, table ${table}: ${path}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
