// The package as it is published: packed, installed in an empty folder, used.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { publint } from 'publint';
import { ships } from '../../../scripts/build/index.mjs';
import { ROOT, run } from '../../../scripts/run.mjs';
import { installed, program, runModule } from './tarball.mjs';

const { folder, remove } = installed();
after(remove);

/** The examples of the page on the package, each with the lines its comments promise. */
function examples() {
  const text = readFileSync(join(ROOT, 'docs', 'npm.md'), 'utf8');
  return [...text.matchAll(/```js\n(.*?)```/gs)].map(([, source]) => ({
    source,
    promised: [...source.matchAll(/console\.log\(.*\); *\/\/ (.*)$/gm)].map(([, line]) => line),
  }));
}

test('the examples of docs/npm.md print what they say', () => {
  const all = examples();
  assert.ok(all.length >= 2);
  all.forEach(({ source, promised }, index) => {
    const printed = runModule(folder, `example-${index}.mjs`, source);
    assert.deepEqual(printed.trimEnd().split('\n'), promised);
  });
});

test('the suggestion in the README is what the command prints', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, line, said] = /```sh\nnpx rowscape (suggest .*)\n```\n\n```text\n(.*?)```/s.exec(readme) ?? [];
  const args = Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);
  const bin = join(folder, 'node_modules', 'rowscape', 'dist', 'npm', 'cli', 'bin.js');
  const { stdout } = spawnSync(process.execPath, [bin, ...args], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(stdout.slice(0, said.length), said);
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
  ['rowscape/keys', "import { bytes, parseDesign } from 'rowscape/keys';"],
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
    if (!ships()) return;
    const { length } = outputFiles[0].contents;
    // In one file lies what is otherwise imported later, too: the module for packed files.
    if (name === 'rowscape/slim') assert.ok(length < 1_060_000, `${length} bytes`);
    assert.equal(length > 1_060_000, name === 'rowscape', `${length} bytes`);
  });
}

test('keys makes, reads and places the row keys that the whole package does, and refuses in the same words', () => {
  const made = `
    import { bytes, hash, ordered, parseDesign, phoenix, regionOf, regions, RowscapeError, salt, splitPoints } from 'ENTRY';
    import { readdirSync, readFileSync } from 'node:fs';
    const folder = ${JSON.stringify(join(ROOT, 'data', 'gallery'))};
    const shown = (bytes) => bytes && Buffer.from(bytes).toString('hex');
    const tried = (work) => {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof RowscapeError)) throw error;
        return [error.code, error.message, ...error.problems.map((one) => one.message)];
      }
    };
    const VALUES = { text: 'ab12cd34ef56', integer: '1234567', float: '1.5', time: '1356998400000', bytes: 'cafe', boolean: 'true', decimal: '12.5', uuid: '123e4567-e89b-12d3-a456-426614174000' };
    let keys = 0;
    for (const name of readdirSync(folder).sort()) {
      const document = readFileSync(folder + '/' + name, 'utf8');
      if (!name.endsWith('.json') || !document.includes('"rowscape"')) continue;
      const design = tried(() => parseDesign(document));
      if (Array.isArray(design)) {
        console.log(name, design);
        continue;
      }
      const record = Object.fromEntries(design.fields.map(({ name, type }) => [name, type === 'time' ? new Date(Number(VALUES.time)) : VALUES[type]]));
      const key = tried(() => design.encode(record));
      const asHex = Array.isArray(key) ? key : shown(key);
      console.log(name, design.rowkey, asHex, JSON.stringify(tried(() => design.splitPoints.map(shown))));
      if (Array.isArray(key)) continue;
      keys++;
      console.log(JSON.stringify(tried(() => design.decode(key))), tried(() => design.regionOf(key)));
    }
    for (const wrong of ['', '{', '{}', '{"rowscape":2}', '{"rowscape":1,"fields":[{"name":"a","type":"txt"}],"rowkey":"b"}', '{"rowscape":1,"fields":[{"name":"a","type":"text"}],"rowkey":"a.md6() + ","splits":{"algorithm":"Hex"},"queries":[{"where":{"z":1}}]}'])
      console.log(tried(() => parseDesign(wrong)));
    console.log(bytes.toStringBinary(ordered.encode('numeric', '12.5')), hash.murmur3('a'), shown(phoenix.toBytes('BIGINT', 7n)), shown(salt.phoenixKey('k', 16)));
    console.log(splitPoints({ algorithm: 'HexStringSplit', regions: 4 }).map(shown), regions({ salts: 3 }), regionOf(['b'], 'c'));
    console.log(keys > 50);`;
  const [whole, keys] = ['rowscape', 'rowscape/keys'].map((entry, at) =>
    runModule(folder, `entry-${at}.mjs`, made.replace('ENTRY', entry)),
  );
  assert.match(whole, /true\n$/);
  assert.equal(keys, whole);
});

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

// The bindings for tests declare the command line, too.
const skip = !ships();
/** Folder of the types of Node. */
const TYPE_ROOTS = join(ROOT, 'node_modules', '@types');

test('strict TypeScript accepts the declarations, and knows what the functions take', { skip }, () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { type Design, type DesignDocument, bytes, hash, ordered, parseDesign, phoenix, regions, salt, splitPoints } from 'rowscape';
     import { type KeyDesign, parseDesign as parseKeys } from 'rowscape/keys';
     import { init } from 'rowscape/slim';
     const small: KeyDesign = parseKeys('{}');
     const made: Uint8Array = small.encode({ id: 1n });
     // @ts-expect-error that is no part of rowscape/keys
     small.plan({ where: {} });
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
     const document: DesignDocument = { rowscape: 1, fields: [{ name: 'id', type: 'text' }], rowkey: 'id', splits: { points: ['5'] } };
     parseDesign(document).plan({ where: { id: 'a' } });
     const same: DesignDocument = parseDesign(document).toJSON();
     // @ts-expect-error no such type of a field
     parseDesign({ rowscape: 1, fields: [{ name: 'id', type: 'txt' }], rowkey: 'id' } satisfies DesignDocument);
     // @ts-expect-error no such member
     parseDesign({ rowscape: 1, fields: [], rowkeys: 'id' } satisfies DesignDocument);
     // @ts-expect-error keys are bytes or text
     bytes.prefixStop(5);
     // @ts-expect-error no such type
     ordered.encode('int128', 5n);
     export { crc, first, made, points, same };`,
  );
  // Also where nobody declares a DOM.
  for (const [module, libraries, types] of [
    ['nodenext', 'es2022,dom,esnext.disposable', ''],
    ['esnext', 'es2022,dom,esnext.disposable', ''],
    ['nodenext', 'es2022,esnext.disposable', 'node'],
  ]) {
    const resolution = module === 'esnext' ? 'bundler' : 'nodenext';
    const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', module, '--lib', libraries];
    const typed = ['--moduleResolution', resolution, '--types', types, '--typeRoots', TYPE_ROOTS, 'use.ts'];
    run(process.execPath, [program('typescript/bin/tsc'), ...flags, ...typed], { cwd: folder, quiet: true });
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
      !/^(dist[\\/]npm[\\/].*\.(js|d\.ts|wasm)|package\.json|(README|CHANGELOG)\.md|LICENSE-\w+)$/.test(
        name,
      ) && !/^(dist[\\/]rowscape\.html|docs[\\/]([\w-]+\.md|before-after\.svg))$/.test(name),
  );
  assert.deepEqual(stray, []);
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(dependencies, {});
});
