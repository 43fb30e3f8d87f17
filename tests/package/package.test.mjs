// The package as it is published: packed, installed in an empty folder, used.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { publint } from 'publint';
import { ROOT, run } from '../../scripts/run.mjs';
import { installed, program, runModule } from './tarball.mjs';

const { folder, remove } = installed();
after(remove);

/** The examples of a section of the README, each with the lines its comments promise. @param {string} heading */
function examples(heading) {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const section = readme.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  return [...section.matchAll(/```js\n(.*?)```/gs)].map(([, source]) => ({
    source,
    promised: [...source.matchAll(/console\.log\(.*\); *\/\/ (.*)$/gm)].map(([, line]) => line),
  }));
}

test('the examples of the README print what they say', () => {
  const all = examples('The npm package');
  assert.ok(all.length >= 2);
  all.forEach(({ source, promised }, index) => {
    const printed = runModule(folder, `example-${index}.mjs`, source);
    assert.deepEqual(printed.trimEnd().split('\n'), promised);
  });
});

const USE = `
const design = parseDesign({
  rowscape: 1,
  fields: [{ name: 'id', type: 'text' }],
  rowkey: "id.md5().hex(8) + '_' + id",
  splits: { algorithm: 'HexStringSplit', regions: 4 },
});
const key = design.encode({ id: 'user-1' });
console.log(bytes.toStringBinary(key), design.regionOf(key));
`;
const digits = createHash('md5').update('user-1').digest('hex').slice(0, 8);
const PRINTED = `${digits}_user-1 ${Math.floor(Number.parseInt(digits, 16) / 2 ** 30)}\n`;

test('it works in Node with no configuration', () => {
  const source = `import { bytes, parseDesign } from 'rowscape';${USE}`;
  assert.equal(runModule(folder, 'plain.mjs', source), PRINTED);
});

for (const [name, start] of /** @type {const} */ ([
  ['rowscape', "import { bytes, parseDesign } from 'rowscape';"],
  [
    'rowscape/slim',
    `import { bytes, initSync, parseDesign } from 'rowscape/slim';
     import { readFileSync } from 'node:fs';
     initSync(readFileSync('node_modules/rowscape/dist/npm/rowscape.wasm'));`,
  ],
])) {
  test(`${name} works bundled by esbuild with no configuration`, async () => {
    writeFileSync(join(folder, 'entry.mjs'), start + USE);
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: ['entry.mjs'],
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
      external: ['node:fs'],
      logLevel: 'error',
    });
    assert.equal(runModule(folder, 'bundled.mjs', outputFiles[0].text), PRINTED);
    const inlined = outputFiles[0].contents.length > 500_000;
    assert.equal(inlined, name === 'rowscape', `${outputFiles[0].contents.length} bytes`);
  });
}

test('slim starts from the address of the wasm file, and says when it is not wasm', () => {
  const source = `
    import { readFileSync } from 'node:fs';
    import { bytes, init, parseDesign, version, RowscapeError } from 'rowscape/slim';
    import { createRequire } from 'node:module';
    const path = createRequire(import.meta.url).resolve('rowscape/rowscape.wasm');
    for (const use of [version, () => parseDesign('{}'), () => bytes.toStringBinary(new Uint8Array())]) {
      try {
        use();
      } catch (error) {
        console.log(error.code, /call init/.test(error.message));
      }
    }
    try {
      await init(new Uint8Array([1, 2, 3]));
    } catch (error) {
      console.log(error instanceof RowscapeError, error.code);
    }
    await init(new Response(readFileSync(path), { headers: { 'content-type': 'application/wasm' } }));
    console.log(version());`;
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(
    runModule(folder, 'slim.mjs', source),
    `${'wasm.not-started true\n'.repeat(3)}true wasm.not-started\n${version}\n`,
  );
});

test('strict TypeScript accepts the declarations, and knows what the functions take', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { type Design, bytes, hash, ordered, parseDesign, phoenix, regions, salt, splitPoints } from 'rowscape';
     import { init } from 'rowscape/slim';
     const design: Design = parseDesign('{}', { table: 'calls' });
     const key: Uint8Array = design.encode({ id: 1n, at: new Date(), name: null });
     const keys = design.encodeColumns({ id: [1, 2], at: [new Date(), '2024-01-01'] });
     const first: Uint8Array | null = keys.at(0);
     for (const each of keys) console.log(each?.length);
     const points: Uint8Array[] = splitPoints({ algorithm: 'HexStringSplit', regions: 16 });
     const crc: number = hash.crc32('text') + hash.murmur3(key, 42);
     ordered.encode('int64', 5n, { descending: true });
     phoenix.toBytes('DECIMAL', { unscaled: '5', scale: 1 });
     salt.phoenixKey(key, 16);
     regions({ between: ['a', key], regions: 4 });
     init(fetch('rowscape.wasm'));
     // @ts-expect-error keys are bytes or text
     bytes.prefixStop(5);
     // @ts-expect-error no such type
     ordered.encode('int128', 5n);
     export { crc, first, points };`,
  );
  for (const module of ['nodenext', 'esnext']) {
    const resolution = module === 'esnext' ? 'bundler' : 'nodenext';
    const flags = [
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--module',
      module,
      '--lib',
      'es2022,dom,esnext.disposable',
    ];
    const types = ['--moduleResolution', resolution, '--types', '', 'use.ts'];
    run(process.execPath, [program('typescript/bin/tsc'), ...flags, ...types], { cwd: folder, quiet: true });
  }
});

test('publint finds nothing to say', async () => {
  const { messages } = await publint({
    pkgDir: join(folder, 'node_modules', 'rowscape'),
    strict: true,
    pack: false,
  });
  assert.deepEqual(messages, []);
});

test('it holds what it needs and nothing else', () => {
  const root = join(folder, 'node_modules', 'rowscape');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));
  const stray = files.filter(
    (name) =>
      !/^(dist[\\/]npm[\\/].*\.(js|d\.ts|wasm)|package\.json|(README|CHANGELOG|FINDINGS|FORMAT)\.md|LICENSE-\w+)$/.test(
        name,
      ) && !/^docs[\\/](cli\.md|embedding\.md|rowscape\.png)$/.test(name),
  );
  assert.deepEqual(stray, []);
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(dependencies, {});
});
