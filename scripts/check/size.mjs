// Downloads stay small: each thing that is loaded, its size compressed, and the most it may have.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SITE, ships, sizes } from '../build/index.mjs';
import { NPM } from '../build/package.mjs';
import { isProgram, program, Told } from '../run.mjs';

const KB = 1024;

/** Files of the page that are fetched only when they are opened, or come in one with later.json. */
const LATER = /^(gallery|messages|rowscape)\/|^pkg\/formats\.wasm$/;
/** The records of an example. */
const RECORDS = /\.csv$/;

/** Files that the page fetches until its first example is drawn, beside that example's records. */
function untilDrawn() {
  const wanted = new Set(['index.html', 'icon.svg', 'styles.css', 'main.js', 'worker.js', 'pkg/first.wasm']);
  const first = JSON.parse(readFileSync(join(SITE, 'examples', 'index.json'), 'utf8'))[0];
  for (const name of ['index.json', first.design]) wanted.add(`examples/${name}`);
  // Scripts with those that they import at once.
  for (const name of wanted) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(SITE, name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) wanted.add(imported);
  }
  return wanted;
}

/** @param {string} folder @param {(name: string) => boolean} wanted compressed size of its files */
const of = (folder, wanted) =>
  sizes(folder)
    .filter(({ name }) => wanted(name))
    .reduce((sum, { gzip }) => sum + gzip, 0);

/** An entry of the npm package with all it imports at once, as a bundler makes it. @param {string} entry */
async function bundled(entry) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: [join(NPM, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['node:*'],
    splitting: true,
    outdir: 'out',
    metafile: true,
    write: false,
  });
  // Without what is imported later: a file of its own.
  const [first] = Object.entries(metafile.outputs).filter(([, { entryPoint }]) =>
    entryPoint?.endsWith(entry),
  );
  const wanted = new Set([first[0]]);
  for (const name of wanted) {
    const { imports } = metafile.outputs[name];
    for (const { path, kind } of imports) if (kind === 'import-statement') wanted.add(path);
  }
  const files = outputFiles.filter(({ path }) => [...wanted].some((name) => path.endsWith(basename(name))));
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

/**
 * The size contract: gzip KB of 1,024. Each limit leaves about 1% of room, for the next change.
 * @type {{ what: string, limit: number, size: () => number | Promise<number> }[]}
 */
const LIMITS = [
  {
    what: 'page until its first drawing',
    // 434 until plans counted rows that records share, and files could hold one kind of records.
    limit: 450,
    size: () => {
      const wanted = untilDrawn();
      return of(SITE, (name) => wanted.has(name));
    },
  },
  {
    what: 'page all in',
    // 960 until `suggest` came: 85 KB, in the part that is loaded later; then its section, the bar, the questions,
    // what to open first, and the sheet of what is taken away. 1,090 until a search rested more often and code that
    // reads and writes tables was exported. 1,190 until Scala, requests to the REST gateway and bulk loads were. 1,268 until
    // the page opened summaries, and files after a compaction were sized. 1,300 until plans counted rows that records share, files held
    // one kind, families a share of the rows, and the rows to come of keys that repeat were estimated; 1,378 until keys were searched by
    // what identifies records, keys that follow time were seen, and fixes were held against what they may harm. 1,401 until queries were
    // proposed and fixes proven on all records in the core, and split points that Ruby computes were read. 1,420 until key builders in Java
    // and Scala were read by type (40 KB), in place of a guess that was often wrong, and row keys by the core. 1,493 until keys were
    // suggested for several kinds of records. 1,508 until functions of exported readers took the values of all conditions, and formulas
    // took texts to pieces and read numbers from digests. 1,528 until columns could be NULL and keys were suggested for tables of Phoenix.
    // 1,565 until lists of prefixes and two numbers in one were planned and exported, and bursts seen in files larger than memory.
    limit: 1592,
    size: () => of(SITE, (name) => !LATER.test(name) && !RECORDS.test(name)),
  },
  // 580 until judgement came: writes at several lengths of interval, fixes applied before they are offered,
  // plans up to the limit: 30 KB. 660 until `suggest` came, whose search takes 92 KB, and the
  // judgement of existing tables. 780 until a search rested more often and code that reads and writes tables was exported.
  // 892 until Scala, requests to the REST gateway and bulk loads were, and summaries were files, which are counted, merged and reported on.
  // 1,034 until rows of records, files of kinds, families of few rows and the growth of repeated keys came. 1,130 until split points that Ruby computes were read.
  // 1,143 until first designs were; 1,176 until exported readers took the values of all conditions, and seven steps of formulas came.
  // 1,192 until columns could be NULL and keys were suggested for tables of Phoenix; 1,219 until lists of prefixes, two numbers in one
  // and sampled windows came.
  { what: 'entry .', limit: 1247, size: () => bundled('index.js') },
  // 313 until columns could be NULL; 317 until there were two numbers in one.
  { what: 'entry ./keys', limit: 320, size: () => bundled('keys.js') },
  {
    what: 'figure element beside its module',
    // 50 until the sentences of verdicts told a time from all times.
    limit: 55,
    size: () => of(NPM, (name) => name === 'element.js'),
  },
  {
    what: 'figures until they are drawn',
    // 310 was wanted; verdicts at several lengths of interval took 9 KB. The module's data can't be divided
    // between its parts: 4% more came when it was no longer linked for figures alone. 350 until verdicts told
    // faults of the keys themselves; 365 until code that reads tables was exported, whose text is such data; 408 until it took the values of all conditions;
    // 412 until lists of prefixes were planned.
    limit: 416,
    size: () => of(NPM, (name) => ['element.js', 'rowscape-first.wasm'].includes(name)),
  },
  {
    what: 'figure element with its module inside',
    // 680 until code that reads tables was exported. 732 until Scala, requests to the REST gateway and bulk loads were, whose texts
    // are data of its module. 844 until keys and scans were cut as a design that was guessed of them says.
    // 858 until exported readers took the values of all conditions; 871 until columns could be NULL, and tables of Phoenix were advised;
    // 890 until files of row keys were records; 903 until lists of prefixes and two numbers in one were planned and exported.
    limit: 916,
    size: () => of(NPM, (name) => name === 'standalone.js'),
  },
  // 800 until `suggest` came, which searches keys and tells about them: 87 KB, fetched with the package alone; 900
  // until migrate, sweep, size, grow and table did: 70 KB; 1,000 until code that reads and writes tables was exported;
  // 1,112 until Scala, requests to the REST gateway and bulk loads were, and summaries were files; 1,226
  // until files after a compaction were sized; 1,344 until it guessed designs and read key
  // builders in Java and Scala; 1,442 until it observed HFiles and logs, which came with the readers of packed files; 1,636 until it
  // collected dumps of counters, read them, and held predictions against them; 1,731 until it read Phoenix's SQL;
  // 1,807 until it found the parts of row keys in their bytes; 1,900 until lists of prefixes and two numbers in one came;
  // 1,920 until it opened files on the page, drew cards, explained findings and read the conditions and indexes of Phoenix.
  { what: 'module of the command line', limit: 1952, size: () => of(NPM, (name) => name === 'cli.wasm') },
  // Fetched once such a file is opened; in the npm package and the page in one file it lies inside, unread.
  // 260 until it read HFiles and logs, and observed tables in them; 333 until it read dumps of counters;
  // 394 until it read Phoenix's SQL; 488 until it found the parts of row keys; 606 until it read Phoenix's conditions and indexes,
  // and went on in dumps that are cut off.
  { what: 'module for packed files', limit: 618, size: () => of(NPM, (name) => name === 'formats.wasm') },
];

/** Prints the table; throws when something is above its limit. */
export async function checkSize() {
  if (!ships()) throw new Told('What was built last does not ship: npm run build');
  /** @type {Record<string, { KB: number, 'at most': number }>} */
  const table = {};
  for (const { what, limit, size } of LIMITS) {
    table[what] = { KB: Math.round(((await size()) / KB) * 10) / 10, 'at most': limit };
  }
  console.table(table);
  const over = Object.entries(table).filter(([, row]) => row.KB > row['at most']);
  if (over.length) {
    throw new Told(`Too large: ${over.map(([what]) => what).join(', ')}. See which file grew: npm run build`);
  }
  const [drawn, page] = LIMITS.map(({ what }) => table[what].KB);
  return `compressed: page ${drawn} KB until it draws, ${page} KB all in`;
}

if (isProgram(import.meta.url)) program(checkSize);
