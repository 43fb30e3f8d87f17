// Builds dist/npm, what the npm package holds: the JavaScript of package/, the wasm module and its glue, declarations.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildElement } from './element.mjs';
import { PARTS } from './parts.mjs';
import { ROOT, readJson, run } from './run.mjs';

export const NPM = join(ROOT, 'dist', 'npm');
const SOURCES = join(ROOT, 'package');
/** What lies beside each other where figures are drawn. */
export const ELEMENT = ['element.js', 'element-here.js', 'rowscape-first.wasm', 'rowscape-rest.wasm'];
const GUNZIP = `/** Gzip that is damaged or ends too early. */
export class BrokenGzip extends Error {}
/** What was packed, in any number of members. */
export function gunzip(
  packed: AsyncGenerator<Uint8Array>,
  again: (() => Promise<AsyncGenerator<Uint8Array>>) | null,
): AsyncGenerator<Uint8Array>;
`;

/** A wasm module as `PACKED` of `inlined.js` has it. @param {Uint8Array} wasm */
const packed = (wasm) => JSON.stringify(gzipSync(wasm, { level: 9 }).toString('base64'));

/**
 * @param {string} pkg folder of the wasm module and its glue
 * @param {string} figures the same of figures, with the module's parts
 * @param {string} cli the same of the command line
 */
export async function buildPackage(pkg, figures, cli) {
  rmSync(NPM, { recursive: true, force: true });
  mkdirSync(join(NPM, 'wasm'), { recursive: true });
  cpSync(SOURCES, NPM, { recursive: true, filter: (path) => !/\.json$|[\\/]element$/.test(path) });
  for (const name of ['rowscape.js', 'rowscape.d.ts']) copyFileSync(join(pkg, name), join(NPM, 'wasm', name));
  if (existsSync(cli)) {
    copyFileSync(join(cli, 'rowscape_cli.js'), join(NPM, 'wasm', 'cli.js'));
    copyFileSync(join(cli, 'rowscape_cli_bg.wasm'), join(NPM, 'cli.wasm'));
  }
  const wasm = readFileSync(join(pkg, 'rowscape_bg.wasm'));
  writeFileSync(join(NPM, 'rowscape.wasm'), wasm);
  for (const part of PARTS) copyFileSync(join(figures, part), join(NPM, `rowscape-${part}`));
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
  // What only the page says is left out. A sentence with a number in it has another form for one.
  const [messages, forms] = ['en.json', 'en.plurals.json'].map((name) =>
    Object.entries(readJson(join(ROOT, 'messages', name))).filter(([code]) => !code.startsWith('page.')),
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
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [tsc, '-p', join(SOURCES, 'tsconfig.json')]);
  await buildElement(NPM, packed(readFileSync(join(figures, 'rowscape_bg.wasm'))));
}
