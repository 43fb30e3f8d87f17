// HFiles and write-ahead logs that HBase's own classes write, cell by cell against what HBase's own reader finds in them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NPM } from '../../scripts/build/package.mjs';
import { bytesOfArray, PackedText } from '../../www/worker/packed.js';
import { startJava } from './jvm.mjs';
import { HERE } from './maven.mjs';

/** Rows of a file in a short run, and in a full one. */
const ROWS = { short: 400, full: 8000 };
/** Classes of codecs; ZSTD has two framings. */
const CODECS = {
  blocks: 'org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec',
  frames: 'rowscape.oracle.PlainZstd',
};

/** The configuration with a codec for ZSTD, in a folder of its own. @param {string} folder @param {string} codec */
function configuration(folder, codec) {
  mkdirSync(folder);
  const property = (/** @type {string} */ name, /** @type {string} */ value) =>
    `<property><name>${name}</name><value>${value}</value></property>`;
  const codecs = [
    property('hbase.io.compress.zstd.codec', codec),
    property('hbase.io.compress.snappy.codec', 'org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec'),
  ];
  writeFileSync(join(folder, 'hbase-site.xml'), `<configuration>${codecs.join('')}</configuration>\n`);
  return folder;
}

/** The fields of a record. @param {string} line */
function fields(line) {
  const found = Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
  return found;
}

/** A time in milliseconds; numbers that are no times stay as they are. @param {string} text */
const millis = (text) => (/^-?\d+$/.test(text) ? text : String(Date.parse(text.replace(' ', 'T'))));

/** A record as a line of the list beside the file. @param {string} record */
function lineOf(record) {
  const all = fields(record);
  const row = all[0].replaceAll(' ', '\\x20');
  const [family, qualifier, kind, bytes] = all.slice(-4);
  const cell = (/** @type {string} */ time) =>
    `${row} ${family} .${qualifier} ${millis(time)} ${kind} ${bytes}`;
  if (all.length === 6) return cell(all[1]);
  const [, time, cellTime, table, region, sequence] = all;
  return `${cell(cellTime)} ${millis(time)} ${table} ${region} ${sequence}`;
}

/**
 * Judges the reader of HFiles and logs.
 * @param {string} folder
 * @param {{ seed: number, short: boolean }} how
 * @returns {Promise<Omit<import('./emitted.mjs').Judged, 'id'> & { wrongFound: boolean }>}
 */
export async function judgeStoreFiles(folder, { seed, short }) {
  const rows = String(short ? ROWS.short : ROWS.full);
  const written = join(folder, 'store');
  mkdirSync(written);
  for (const [name, codec] of Object.entries(CODECS)) {
    const classes = [configuration(join(folder, name), codec), join(HERE, 'target', 'classes')].join(
      delimiter,
    );
    const args = ['-Doracle.log=OFF', 'rowscape.oracle.StoreFiles', written, String(seed), rows];
    await startJava(folder, name === 'frames' ? [...args, 'zstd'] : args, { classes }).ended;
  }
  const { PackedFile } = await import(join(NPM, 'wasm', 'formats.js'));
  const verdict = {
    compared: { 'cells of HFiles': 0, 'cells of logs': 0, 'files of HBase': 0 },
    differences: 0,
    told: [],
  };
  /** @type {string[]} */
  const told = verdict.told;
  let wrongFound = false;
  for (const name of readdirSync(written).filter((name) => /\.(hfile|wal)$/.test(name))) {
    const listed = join(written, name.replace(/\.\w+$/, '.cells'));
    if (!existsSync(listed)) continue;
    const bytes = new Uint8Array(readFileSync(join(written, name)));
    const packed = await PackedText.open(PackedFile, bytes, bytesOfArray(bytes));
    if (!packed) throw new Error(`${name} is not told`);
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of packed.pieces()) text += decoder.decode(piece, { stream: true });
    const read = text.split('\n').slice(1, -1).map(lineOf).sort();
    const expected = readFileSync(listed, 'utf8').split('\n').slice(0, -1).sort();
    const differing = expected.flatMap((line, at) =>
      line === read[at] ? [] : [`${line}, read as ${read[at]}`],
    );
    if (read.length !== expected.length) differing.push(`${read.length} cells instead of ${expected.length}`);
    verdict.compared[name.endsWith('.wal') ? 'cells of logs' : 'cells of HFiles'] += read.length;
    verdict.compared['files of HBase'] += 1;
    verdict.differences += differing.length;
    if (differing.length) told.push(`${name}: ${differing[0]}`);
    wrongFound ||= expected.length > 1 && `${expected[0]}0` !== read[0];
  }
  return { ...verdict, wrongFound };
}
