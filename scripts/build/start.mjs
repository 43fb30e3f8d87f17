// npm start: the page, built in seconds and rebuilt with every edit; nothing of this ships.
//   node scripts/build/start.mjs [--port 8000] [--no-open]
// One module, compiled quickly and left whole. The server adds a script to the page that reloads it after a
// build.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { program, ROOT, since, Told, timed } from '../run.mjs';
import { checkTools, setUpPackages } from '../setup/index.mjs';
import { setUpBindgen, setUpWasmTarget } from '../setup/toolchain.mjs';
import { bindings } from './bindings.mjs';
import { NOTHING } from './index.mjs';
import { compiled, DEVELOPMENT, DEVELOPMENT_FORMATS } from './modules.mjs';
import { bundles, copyFiles, FORMATS, PARTS } from './page.mjs';
import { open, serveAnyway } from './serve.mjs';

const DEV = join(ROOT, 'dist', 'dev');
const SITE = join(DEV, 'site');
const WASM = join(DEV, 'wasm');
const PACKED = join(DEV, 'formats');
/** Folders and files that the module is compiled from. */
const RUST = ['src', 'bindings/wasm', 'data/schema', 'Cargo.toml'];
/** Those that the page is bundled or copied from. */
const PAGE = ['www', 'data'];
/** Milliseconds in which edits count as one: editors write a file more than once. */
const PAUSE = 30;

const RELOAD = `new EventSource('reload').onmessage = () => location.reload();\n`;

/** Puts the modules into the page. */
function placeModule() {
  mkdirSync(join(SITE, 'pkg'), { recursive: true });
  copyFileSync(join(WASM, 'whole.wasm'), join(SITE, 'pkg', PARTS.first));
  writeFileSync(join(SITE, 'pkg', PARTS.rest), NOTHING);
  copyFileSync(join(PACKED, 'whole.wasm'), join(SITE, 'pkg', FORMATS));
}

/** Bundles that are built again in milliseconds. */
async function openBundles() {
  const { context } = await import('esbuild');
  /** @type {import('esbuild').Plugin} */
  const core = {
    name: 'bindings of npm start',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^#core$/ }, () => ({ path: join(WASM, 'rowscape.js') }));
      onResolve({ filter: /^#formats$/ }, () => ({ path: join(PACKED, 'rowscape.js') }));
    },
  };
  const opened = await Promise.all(
    bundles(SITE).map((one) =>
      context({ ...one, plugins: [...(one.plugins ?? []), core], sourcemap: 'linked' }),
    ),
  );
  return async () => {
    await Promise.all(opened.map((one) => one.rebuild()));
  };
}

/** The page's document, marked as what it is, and the script that reloads it. */
function developmentPage() {
  /** @type {Set<import('node:http').ServerResponse>} */
  const pages = new Set();
  /** @type {import('./serve.mjs').Handler} */
  const first = ({ url = '/' }, response) => {
    const path = url.split(/[?#]/)[0];
    if (path === '/reload') {
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        .write('\n');
      pages.add(response.on('close', () => pages.delete(response)));
    } else if (path === '/reload.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(RELOAD);
    } else if (path === '/' || path === '/index.html') {
      const text = readFileSync(join(SITE, 'index.html'), 'utf8')
        .replace('<html', '<html data-build="development"')
        .replace('</head>', '<script type="module" src="reload.js"></script></head>');
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
        .end(text);
    } else return false;
    return true;
  };
  const reload = () => {
    for (const page of pages) page.write('data: built\n\n');
  };
  return { first, reload };
}

/**
 * Does a piece of work after edits, one at a time; an edit in the middle of it leads to another.
 * @param {string[]} places of the project
 * @param {() => Promise<void>} work
 */
function afterEdits(places, work) {
  let [wanted, busy] = [false, false];
  const begin = async () => {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      await new Promise((later) => setTimeout(later, PAUSE));
      wanted = false;
      try {
        await work();
      } catch (error) {
        // Compilers have said what is wrong.
        if (!(error instanceof Told) && !(/** @type {any} */ (error).errors)) console.error(error);
        console.log('The page is unchanged.');
      }
    }
    busy = false;
  };
  const seen = (/** @type {string | null} */ name) =>
    name === null || !/(^|[\\/])\.|~$|\.sw.$|target/.test(name);
  for (const place of places) {
    const path = join(ROOT, place);
    if (existsSync(path)) watch(path, { recursive: true }, (_, name) => void (seen(name) && begin()));
  }
}

async function main() {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8000' }, 'no-open': { type: 'boolean', default: false } },
  });
  const start = performance.now();
  checkTools();
  const module = async () => {
    await setUpWasmTarget();
    return timed('wasm modules', async () => [
      await compiled(DEVELOPMENT, { quiet: true }),
      await compiled(DEVELOPMENT_FORMATS, { quiet: true }),
    ]);
  };
  const [[linked, packed]] = await Promise.all([module(), setUpBindgen(), setUpPackages()]);
  await timed('bindings', async () => {
    await bindings(linked, WASM);
    await bindings(packed, PACKED);
  });
  rmSync(SITE, { recursive: true, force: true });
  const bundle = await openBundles();
  await timed('page', async () => {
    placeModule();
    copyFiles(SITE);
    await bundle();
  });
  const { first, reload } = developmentPage();
  const { url } = await serveAnyway({ root: SITE, port: Number(values.port), first });
  afterEdits(PAGE, async () => {
    const begun = performance.now();
    await bundle();
    copyFiles(SITE);
    reload();
    console.log(`page: ${since(begun)}`);
  });
  afterEdits(RUST, async () => {
    const begun = performance.now();
    const read = () => Buffer.concat([linked, packed].map((path) => readFileSync(path)));
    const before = read();
    await compiled(DEVELOPMENT);
    await compiled(DEVELOPMENT_FORMATS);
    if (before.equals(read())) return console.log(`wasm module: unchanged after ${since(begun)}`);
    await bindings(linked, WASM);
    await bindings(packed, PACKED);
    placeModule();
    await bundle();
    reload();
    console.log(`wasm module: ${since(begun)}`);
  });
  console.log(
    `\nRowscape: ${url}   (development build after ${since(start)}; edits appear by themselves; Ctrl+C stops it)`,
  );
  if (!values['no-open']) open(url);
}

program(main);
