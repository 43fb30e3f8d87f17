// The packed tarball in every place people use it, with no configuration: npm run test:package
// The tools are installed once into ~/.cache/rowscape-matrix.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { npm, ROOT, run } from '../../../scripts/run.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { coloursOf, drawn } from '../../browser/chromium/figures.mjs';
import { DESIGN, RECORDS } from '../../browser/chromium/orders.mjs';
import { installed } from '../package/tarball.mjs';

const CACHE = process.env.ROWSCAPE_MATRIX ?? join(homedir(), '.cache', 'rowscape-matrix');
const TOOLS = {
  vite: '8.3.8',
  webpack: '5.112.2',
  rollup: '4.68.7',
  '@rollup/plugin-node-resolve': '16.0.3',
  '@arethetypeswrong/cli': '0.18.5',
  deno: '2.9.6',
  bun: '1.4.5',
};

/** Installs the tools, once. */
function tools() {
  const wanted = JSON.stringify({ private: true, dependencies: TOOLS });
  const mark = join(CACHE, 'installed.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), wanted);
  npm(['install', '--silent', '--no-audit', '--no-fund', '--prefix', CACHE], { quiet: true });
  writeFileSync(mark, wanted);
}

/** @param {string} path below the tools' node_modules */
const tool = (path) => join(CACHE, 'node_modules', path);

/** A program that an npm package ships for this machine. @param {string} name */
function binary(name) {
  const found = ['', '.exe'].map((end) => tool(`.bin/${name}${end}`)).find(existsSync);
  assert.ok(found, `${name} is not installed`);
  return found;
}

/** @type {ReturnType<typeof installed>} */
let app;
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let host;
before(async () => {
  tools();
  app = installed();
  browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(join(app.folder, name, '..'), { recursive: true });
    writeFileSync(join(app.folder, name), content);
  }
  host = await serve({ root: app.folder });
});
after(async () => {
  await browser?.close();
  await host?.close();
  app?.remove();
});

const PAGE = (/** @type {string} */ script) =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title></title><rowscape-figure src="/design.json" data="/orders.csv"></rowscape-figure><rowscape-figure src="/design.json" data="/orders.csv" view="queries"></rowscape-figure><script type="module" src="${script}"></script>`;
const FILES = {
  'design.json': JSON.stringify(DESIGN),
  'orders.csv': RECORDS,
  'public/design.json': JSON.stringify(DESIGN),
  'public/orders.csv': RECORDS,
  // Where bundlers begin: the functions, and the element.
  'main.js': `import * as all from 'rowscape';
    import * as keys from 'rowscape/keys';
    const made = [all, keys].map(({ parseDesign }) =>
      String.fromCharCode(...parseDesign(${JSON.stringify(DESIGN)}).encode({ customer: 'bob', at: '2024-05-01 00:00' })));
    document.title = [...new Set(made)].join(' and ');`,
  'element.js': `import './main.js'; import 'rowscape/element';`,
  'standalone.js': `import './main.js'; import 'rowscape/standalone';`,
  'index.html': PAGE('/element.js'),
  'use.mjs': `import { parseDesign } from 'rowscape';
    import * as keys from 'rowscape/keys';
    const design = parseDesign(${JSON.stringify(DESIGN)});
    const { report } = await design.analyze(${JSON.stringify(RECORDS)});
    const region = keys.parseDesign(${JSON.stringify(DESIGN)}).regionOf('bob');
    console.log(report.regions.map(({ rows }) => rows).join(' '), region);`,
};
const KEY = 'bob_202405010000';

/** Opens a bundled page and looks at what it made. @param {string} address */
async function look(address) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  /** @type {string[]} */
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => document.title);
  assert.equal(await page.title(), KEY);
  await drawn(page, 2);
  assert.ok((await coloursOf(page)) >= 2, 'not blank');
  assert.deepEqual(wrong, []);
  await page.close();
}

/** Serves what a bundler made of `entry`, in a page of its own. @param {string} out @param {string} script */
async function lookAt(out, script) {
  writeFileSync(join(app.folder, out, 'index.html'), PAGE(`/${out}/${script}`));
  await look(`${host.url}${out}/`);
}

test('Node', () => {
  assert.equal(run(process.execPath, ['use.mjs'], { cwd: app.folder, quiet: true }), '60 0 60 1\n');
});

test('Deno', () => {
  const args = ['run', '--allow-read', '--node-modules-dir=manual', '--no-remote', 'use.mjs'];
  assert.equal(run(binary('deno'), args, { cwd: app.folder, quiet: true }), '60 0 60 1\n');
});

test('Bun', () => {
  assert.equal(run(binary('bun'), ['use.mjs'], { cwd: app.folder, quiet: true }), '60 0 60 1\n');
});

test('Vite: functions and the element with its wasm file', async () => {
  run(process.execPath, [tool('vite/bin/vite.js'), 'build', '--outDir', 'vite-out', '--base', '/vite-out/'], {
    cwd: app.folder,
    quiet: true,
  });
  await look(`${host.url}vite-out/`);
});

test('webpack: functions and the element with its wasm file', async () => {
  writeFileSync(
    join(app.folder, 'webpack.mjs'),
    `import { createRequire } from 'node:module';
     const webpack = createRequire(${JSON.stringify(join(CACHE, 'package.json'))})('webpack');
     const done = (error, stats) => { if (error || stats.hasErrors()) throw error ?? new Error(stats.toString()); };
     webpack({ mode: 'production', context: ${JSON.stringify(app.folder)}, entry: './element.js',
       output: { path: ${JSON.stringify(join(app.folder, 'webpack-out'))}, filename: 'main.js' },
       performance: { hints: false } }, done);`,
  );
  run(process.execPath, ['webpack.mjs'], { cwd: app.folder, quiet: true });
  await lookAt('webpack-out', 'main.js');
});

/** Files of the element that these bundlers don't take along: copied, as docs/embedding.md says. @param {string} out */
function copyParts(out) {
  for (const name of ['rowscape-first.wasm', 'rowscape-rest.wasm'])
    copyFileSync(
      join(app.folder, 'node_modules', 'rowscape', 'dist', 'npm', name),
      join(app.folder, out, name),
    );
}

for (const [entry, how] of [
  ['standalone', 'with everything inside'],
  ['element', 'with its wasm files copied beside'],
]) {
  test(`esbuild: functions and the element ${how}`, async () => {
    const { build } = await import('esbuild');
    const out = `esbuild-${entry}`;
    await build({
      absWorkingDir: app.folder,
      entryPoints: [`${entry}.js`],
      outfile: `${out}/main.js`,
      format: 'esm',
      bundle: true,
      minify: true,
      logLevel: 'error',
    });
    if (entry === 'element') copyParts(out);
    await lookAt(out, 'main.js');
  });

  test(`Rollup: functions and the element ${how}`, async () => {
    const linked = join(app.folder, 'node_modules', '@rollup');
    if (!existsSync(linked)) symlinkSync(tool('@rollup'), linked);
    const plugin = tool('@rollup/plugin-node-resolve/dist/es/index.js');
    const out = `rollup-${entry}`;
    const config = `import resolve from ${JSON.stringify(plugin)};
      export default { input: '${entry}.js', plugins: [resolve()], output: { dir: '${out}', format: 'es' } };`;
    writeFileSync(join(app.folder, 'rollup.config.mjs'), config);
    const args = [tool('rollup/dist/bin/rollup'), '--silent', '-c', 'rollup.config.mjs'];
    run(process.execPath, args, { cwd: app.folder, quiet: true });
    if (entry === 'element') copyParts(out);
    await lookAt(out, `${entry}.js`);
  });
}

test('a static host, a module script and no bundler', async () => {
  const npmFolder = '/node_modules/rowscape/dist/npm';
  mkdirSync(join(app.folder, 'plain'), { recursive: true });
  const script = FILES['main.js']
    .replace("'rowscape'", `'${npmFolder}/index.js'`)
    .replace("'rowscape/keys'", `'${npmFolder}/keys.js'`);
  writeFileSync(join(app.folder, 'plain', 'main.js'), `${script}\nimport '${npmFolder}/element.js';`);
  await lookAt('plain', 'main.js');
});

test('the types are right for every way modules are resolved', () => {
  const tarball = readdirSync(join(app.folder, '..')).find((name) => name.endsWith('.tgz'));
  const args = [
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    './rowscape.wasm',
    './rowscape-first.wasm',
    './rowscape-rest.wasm',
    '--format',
    'ascii',
    '--no-color',
  ];
  run(
    process.execPath,
    [tool('@arethetypeswrong/cli/dist/index.js'), join(app.folder, '..', String(tarball)), ...args],
    {
      quiet: true,
    },
  );
});

test('a server that renders pages can import the element, which does nothing there', () => {
  writeFileSync(join(app.folder, 'server.mjs'), `await import('rowscape/element'); console.log('rendered');`);
  assert.equal(run(process.execPath, ['server.mjs'], { cwd: app.folder, quiet: true }), 'rendered\n');
});

test('the tarball is that of this tree', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packed = JSON.parse(
    readFileSync(join(app.folder, 'node_modules', 'rowscape', 'package.json'), 'utf8'),
  );
  assert.equal(packed.version, version);
});
