// The wasm modules and their parts depend on the sources alone: a copy of the tree, elsewhere, builds to the same bytes.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIGURES, KEYS, PKG } from './build.mjs';
import { PARTS, splitForFigures, splitForPage } from './parts.mjs';
import { isProgram, program, ROOT, Told } from './run.mjs';
import { buildWasm } from './wasm.mjs';

/** What the module is made of, and the tests that Cargo.toml names. */
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml', 'src', 'messages', 'tools', 'benches'];
for (const name of ['all', 'cli', 'messages', 'wasm_node', 'wasm_browser']) SOURCES.push(`tests/${name}.rs`);

const WHOLE = 'rowscape_bg.wasm';
const MODULES = [WHOLE, ...PARTS];

/** Builds a second time in a folder of another name and compares. */
export async function checkReproducible() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rowscape-again-')));
  try {
    const wanted = (/** @type {string} */ path) => !/[\\/](node_modules|data|out|venv|target)$/.test(path);
    for (const name of SOURCES) {
      if (existsSync(join(ROOT, name)))
        cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: wanted });
    }
    const pkg = join(folder, 'pkg');
    const parts = [FIGURES, KEYS].map((part) => ({ ...part, folder: join(folder, part.name) }));
    const [figures, keys] = parts.map((part) => part.folder);
    await buildWasm(pkg, { root: folder, parts });
    await splitForPage(pkg);
    await splitForFigures(figures);
    const said = [];
    const built = [
      ...MODULES.map((name) => [join(PKG, name), join(pkg, name)]),
      ...MODULES.map((name) => [join(FIGURES.folder, name), join(figures, name)]),
      [join(KEYS.folder, WHOLE), join(keys, WHOLE)],
    ];
    for (const pair of built) {
      const [one, two] = pair.map((path) => readFileSync(path));
      said.push(one.length);
      if (one.equals(two)) continue;
      const at = one.findIndex((byte, index) => byte !== two[index]);
      throw new Told(
        `Two builds of ${pair[0]} differ (${one.length} and ${two.length} bytes, from byte ${at} on).`,
      );
    }
    return `${said.join(', ')} bytes, the same twice`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (isProgram(import.meta.url)) program(async () => console.log(await checkReproducible()));
