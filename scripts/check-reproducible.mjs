// The wasm module depends on the sources alone: a copy of the tree, elsewhere, builds to the same bytes.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PKG } from './build.mjs';
import { isProgram, program, ROOT, Told } from './run.mjs';
import { buildWasm } from './wasm.mjs';

/** What the module is made of, and the tests that Cargo.toml names. */
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml', 'src', 'messages', 'tools', 'benches'];
for (const name of ['all', 'cli', 'messages', 'wasm_node', 'wasm_browser']) SOURCES.push(`tests/${name}.rs`);

/** Builds a second time in a folder of another name and compares. */
export async function checkReproducible() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rowscape-again-')));
  try {
    const wanted = (/** @type {string} */ path) => !/[\\/](node_modules|data|out|venv|target)$/.test(path);
    for (const name of SOURCES) {
      if (existsSync(join(ROOT, name)))
        cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: wanted });
    }
    const again = join(folder, 'pkg');
    await buildWasm(again, { root: folder });
    const [first, second] = [PKG, again].map((pkg) => readFileSync(join(pkg, 'rowscape_bg.wasm')));
    if (first.equals(second)) return `${first.length} bytes, the same twice`;
    const at = first.findIndex((byte, index) => byte !== second[index]);
    throw new Told(
      `Two builds of the wasm module differ (${first.length} and ${second.length} bytes, from byte ${at} on).`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (isProgram(import.meta.url)) program(async () => console.log(await checkReproducible()));
