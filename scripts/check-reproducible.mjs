// The wasm modules and their parts depend on the sources alone: a copy of the tree, elsewhere, builds to the same bytes.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXCERPTS, PKG } from './build.mjs';
import { PARTS, splitWasm } from './parts.mjs';
import { isProgram, program, ROOT, Told } from './run.mjs';
import { buildWasm } from './wasm.mjs';

/** What the module is made of, and the tests that Cargo.toml names. */
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml', 'src', 'messages', 'tools', 'benches'];
for (const name of ['all', 'cli', 'messages', 'wasm_node', 'wasm_browser']) SOURCES.push(`tests/${name}.rs`);

const WHOLE = 'rowscape_bg.wasm';

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
    const excerpts = EXCERPTS.map((one) => ({ ...one, folder: join(folder, one.name) }));
    await buildWasm(pkg, { root: folder, excerpts });
    const said = [];
    const built = [[join(PKG, WHOLE), join(pkg, WHOLE)]];
    for (const [at, excerpt] of excerpts.entries()) {
      await splitWasm(excerpt);
      for (const name of excerpt.path ? [WHOLE, ...PARTS] : [WHOLE])
        built.push([join(EXCERPTS[at].folder, name), join(excerpt.folder, name)]);
    }
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
