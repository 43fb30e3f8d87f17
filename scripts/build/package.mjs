// Builds dist/npm, what the npm package holds: the JavaScript of bindings/npm/, the wasm module and its
// bindings, declarations.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT, readJson, run } from '../run.mjs';
import { buildElement, instead, other } from './element.mjs';
import { namedIn } from './sentences.mjs';

export const NPM = join(ROOT, 'dist', 'npm');
const SOURCES = join(ROOT, 'bindings', 'npm');
/** Files that lie beside each other where figures are drawn. */
export const ELEMENT = ['element.js', 'element-here.js', 'rowscape-first.wasm', 'rowscape-rest.wasm'];
const GUNZIP = `/** Gzip that is damaged or ends too early. */
export class BrokenGzip extends Error {}
/** Unpacks gzip of any number of members. */
export function gunzip(
  packed: AsyncGenerator<Uint8Array>,
  again: (() => Promise<AsyncGenerator<Uint8Array>>) | null,
): AsyncGenerator<Uint8Array>;
`;

const PACKED_TEXT = `/** Turns a packed file into text, step by step. */
export interface Unpacker {
  step(): number;
  readonly from: number;
  readonly to: number;
  take(): Uint8Array;
  give(from: number, bytes: Uint8Array): void;
  stated(): string;
  choose(fields: string): boolean;
  wanted(): number | undefined;
  groupRows(): Float64Array;
  only(from: number, to: number): void;
  free(): void;
}
/** Where a file is read. */
export interface Bytes {
  size: number | null;
  read(from: number, to: number): Promise<Uint8Array>;
  end?(): Promise<void>;
}
/** A packed file is damaged, or is one that is not read. */
export class BrokenTable extends Error {
  problem: string;
}
/** Bytes by which packed files are told. */
export const MAGIC_BYTES: number;
export function isPacked(head: Uint8Array): boolean;
/** Pieces of bytes, one after the other. */
export function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer>;
export function bytesOfBlob(blob: Blob): Bytes;
export function bytesOfArray(bytes: Uint8Array): Bytes;
export function bytesOfPieces(pieces: AsyncGenerator<Uint8Array>, head: Uint8Array): Promise<Bytes>;
/** A packed file on its way to text. */
export class PackedText {
  static open(
    PackedFile: { open(head: Uint8Array, size?: number): Unpacker | undefined },
    head: Uint8Array,
    bytes: Bytes,
  ): Promise<PackedText | null>;
  stated: string | undefined;
  taken: number;
  total: number | null;
  choose(fields: readonly object[]): void;
  groupRows(): number[];
  only(from: number, to?: number): void;
  text(): AsyncGenerator<Uint8Array>;
  pieces(): AsyncGenerator<Uint8Array>;
  end(): Promise<void>;
}
`;

const OBSERVING = `/** Reads files of HBase. */
export function observeFiles(
  Observer: { open(files: string, options: string): any },
  files: readonly { path: string; data: Blob }[],
  options: object,
  how?: { onProgress?: (read: number, total: number) => void; signal?: AbortSignal },
): Promise<any>;
`;

const SLICES = `import type { Records } from './rowscape.js';
/** A slice of a file as another worker has read it. */
export interface Slice {
  records: Uint8Array;
  keys: Uint8Array[];
  bytes: number;
}
/** How far another worker is. */
export interface SliceProgress {
  bytes: number;
  rows: number;
}
/** Starts another worker on a slice; what is returned ends it. */
export type Start = (done: (slice: Slice | null) => void, far: (progress: SliceProgress) => void) => () => void;
/** Where the slices of a file end, and the share of the first. */
export interface Slices {
  cuts: number[];
  share: number;
}
export const MOST_WORKERS: number;
export function textSlices(
  read: (from: number, to: number) => Promise<Uint8Array>,
  size: number,
  most: { workers: number; step?: number },
): Promise<Slices | null>;
export function groupSlices(
  rows: readonly number[],
  most: { workers: number; step?: number },
): Slices | null;
/** Another worker, which reads a slice. */
export class OtherWorker {
  constructor(start: Start, counted: SliceProgress);
}
export function inSlices(
  others: OtherWorker[],
  readFirst: () => Promise<void>,
  intake: { readonly isWhole: boolean; takeSlice: (slice: Slice) => boolean },
  told: { tell: () => unknown; taken: (at: number, slice: Slice) => void },
): Promise<number>;
export function takeIn(records: Records, slice: Slice): boolean;
`;

/** A wasm module as `PACKED` of `inlined.js` has it. @param {Uint8Array} wasm */
const packed = (wasm) => JSON.stringify(gzipSync(wasm, { level: 9 }).toString('base64'));

/**
 * `keys.js`: with its module and sentences inside.
 * @param {string} folder of the module and its bindings
 * @param {Record<string, string>} sentences
 */
async function buildKeys(folder, sentences) {
  const { build } = await import('esbuild');
  const wasm = join(folder, 'rowscape.wasm');
  const named = namedIn(wasm);
  const kept = Object.fromEntries(Object.entries(sentences).filter(([code]) => named(code.split('#')[0])));
  await build({
    entryPoints: [join(SOURCES, 'keys.js')],
    outfile: join(NPM, 'keys.js'),
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    define: { PACKED: packed(readFileSync(wasm)) },
    plugins: [
      other(/^\.\/wasm\/rowscape\.js$/, join(folder, 'rowscape.js')),
      other(/^\.\/wasm\/inlined\.js$/, join(SOURCES, 'element', 'inlined.js')),
      instead(/^\.\/wasm\/sentences\.js$/, `export const sentences = ${JSON.stringify(kept)};`),
    ],
  });
}

/**
 * The reader of packed files: with its module inside, loaded once such a file is read.
 * @param {string} folder of the module and its bindings
 */
async function buildFormats(folder) {
  const { build } = await import('esbuild');
  await build({
    bundle: true,
    format: 'esm',
    target: 'es2022',
    entryPoints: [join(SOURCES, 'element', 'formats.js')],
    outfile: join(NPM, 'wasm', 'formats.js'),
    define: { PACKED: packed(readFileSync(join(folder, 'rowscape.wasm'))) },
  });
  writeFileSync(
    join(NPM, 'wasm', 'formats.d.ts'),
    "import type { Unpacker } from './packed.js';\n/** Reads packed files. */\n" +
      'export const PackedFile: { open(head: Uint8Array, size?: number): Unpacker | undefined };\n' +
      '/** The parts that are found in row keys, as JSON. */\n' +
      'export const guessKeys: (bytes: Uint8Array, name: string, keys: boolean, header?: boolean) => string;\n' +
      '/** The design of statements of Phoenix, and the problems, as JSON. */\n' +
      'export const phoenixDesign: (text: string) => string;\n' +
      '/** Reads files of HBase. */\n' +
      'export const Observer: { open(files: string, options: string): {\n' +
      '  step(): number; readonly file: number; readonly from: number; readonly to: number; readonly read: number; readonly total: number;\n' +
      '  give(from: number, bytes: Uint8Array): void; fail(error: string): void; answer(): string; free(): void;\n' +
      '} | undefined };\n',
  );
  copyFileSync(join(ROOT, 'www', 'worker', 'packed.js'), join(NPM, 'wasm', 'packed.js'));
  writeFileSync(join(NPM, 'wasm', 'packed.d.ts'), PACKED_TEXT);
  copyFileSync(join(ROOT, 'www', 'design', 'sql.js'), join(NPM, 'wasm', 'sql.js'));
  writeFileSync(join(NPM, 'wasm', 'sql.d.ts'), 'export const mayBeSql: (text: string) => boolean;\n');
  copyFileSync(join(ROOT, 'www', 'worker', 'observe-files.js'), join(NPM, 'wasm', 'observe-files.js'));
  writeFileSync(join(NPM, 'wasm', 'observe-files.d.ts'), OBSERVING);
  copyFileSync(join(ROOT, 'www', 'worker', 'slices.js'), join(NPM, 'wasm', 'slices.js'));
  writeFileSync(join(NPM, 'wasm', 'slices.d.ts'), SLICES);
}

/** @param {ReturnType<typeof import('./index.mjs').wasmFiles>} files of the wasm modules */
export async function buildPackage(files) {
  rmSync(NPM, { recursive: true, force: true });
  mkdirSync(join(NPM, 'wasm'), { recursive: true });
  cpSync(SOURCES, NPM, { recursive: true, filter: (path) => !/\.json$|[\\/]element$/.test(path) });
  for (const name of ['rowscape.js', 'rowscape.d.ts'])
    copyFileSync(join(files.bindings, name), join(NPM, 'wasm', name));
  copyFileSync(join(files.cli, 'rowscape.js'), join(NPM, 'wasm', 'cli.js'));
  copyFileSync(join(files.cli, 'rowscape.wasm'), join(NPM, 'cli.wasm'));
  copyFileSync(join(files.formats, 'rowscape.js'), join(NPM, 'wasm', 'formats-bindings.js'));
  copyFileSync(join(files.formats, 'rowscape.wasm'), join(NPM, 'formats.wasm'));
  await buildFormats(files.formats);
  const wasm = readFileSync(files.npm);
  writeFileSync(join(NPM, 'rowscape.wasm'), wasm);
  for (const part of /** @type {const} */ (['first', 'rest']))
    copyFileSync(files.figures[part], join(NPM, `rowscape-${part}.wasm`));
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(SOURCES, 'element', 'inlined.js')],
    outfile: join(NPM, 'wasm', 'inlined.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    define: { PACKED: packed(wasm) },
  });
  await build({
    entryPoints: [join(ROOT, 'www', 'worker', 'gunzip.js')],
    outfile: join(NPM, 'wasm', 'gunzip.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
  });
  writeFileSync(join(NPM, 'wasm', 'gunzip.d.ts'), GUNZIP);
  writeFileSync(
    join(NPM, 'wasm', 'inlined.d.ts'),
    '/** The bytes of the wasm module. */\nexport function wasmModule(): Uint8Array<ArrayBuffer>;\n',
  );
  // Sentences that only the page says are left out. A sentence with a number in it has another form for one.
  const [messages, forms] = ['en.json', 'en.plurals.json'].map((name) =>
    Object.entries(readJson(join(ROOT, 'data', 'messages', name))).filter(
      ([code]) => !code.startsWith('page.'),
    ),
  );
  const ones = forms.flatMap(([code, { by, one }]) => [
    [`${code}#by`, by],
    [`${code}#one`, one],
  ]);
  const sentences = Object.fromEntries([...messages, ...ones]);
  writeFileSync(
    join(NPM, 'wasm', 'sentences.js'),
    `/** The English sentences by code. */\nexport const sentences = ${JSON.stringify(sentences)};\n`,
  );
  writeFileSync(join(NPM, 'wasm', 'sentences.d.ts'), 'export const sentences: Record<string, string>;\n');
  await buildKeys(files.keys, sentences);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [tsc, '-p', join(SOURCES, 'tsconfig.json')]);
  const figures = files.figures.whole;
  await buildElement(NPM, packed(readFileSync(figures)), namedIn(figures));
}
