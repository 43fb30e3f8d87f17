// The wasm modules and their parts depend on the sources alone: a copy of the tree, elsewhere, builds to the
// same bytes.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make, wasmFiles, wasmSteps } from '../build/index.mjs';
import { isProgram, program, ROOT, Told } from '../run.mjs';

/** Files that the modules are made of. Cargo.toml names tests and benchmarks: their files must be there. */
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml', 'src', 'data', 'bindings', 'tests'];
const LEFT_OUT =
  /[\\/](node_modules|out|venv|target|peers|bench[\\/]data|tests[\\/](data|npm|oracle|browser|fuzz))$/;

/** Steps that make the module of `rowscape/keys` alone: a second build takes a minute, that of all modules eight. */
const KEYS = ['compile: keys', 'module: keys'];

/**
 * Builds a second time in a folder of another name and compares.
 * @param {boolean} onlyKeys compares the module of `rowscape/keys` alone
 */
export async function checkReproducible(onlyKeys) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rowscape-again-')));
  try {
    for (const name of SOURCES) {
      const from = join(ROOT, name);
      if (existsSync(from))
        cpSync(from, join(folder, name), { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    }
    const dist = join(folder, 'dist');
    const steps = wasmSteps({ root: folder, dist });
    const ofKeys = Object.entries(steps).filter(([name]) => KEYS.includes(name));
    // The keys are compiled after other modules, which are not made here.
    const alone = ofKeys.map(([name, step]) => [
      name,
      { ...step, after: step.after.filter((before) => KEYS.includes(before)) },
    ]);
    await make(onlyKeys ? Object.fromEntries(alone) : steps);
    const paths = (
      /** @type {ReturnType<typeof wasmFiles>} */ { whole, npm, page, figures, keys, cli, formats },
    ) =>
      onlyKeys
        ? [join(keys, 'rowscape.wasm')]
        : [
            whole,
            npm,
            ...Object.values(page),
            ...Object.values(figures),
            ...[keys, cli, formats].map((one) => join(one, 'rowscape.wasm')),
          ];
    const said = [];
    const again = paths(wasmFiles(dist));
    for (const [at, path] of paths(wasmFiles(join(ROOT, 'dist'))).entries()) {
      const [one, two] = [path, again[at]].map((file) => readFileSync(file));
      said.push(one.length);
      if (one.equals(two)) continue;
      const from = one.findIndex((byte, index) => byte !== two[index]);
      throw new Told(
        `Two builds of ${path} differ (${one.length} and ${two.length} bytes, from byte ${from} on).`,
      );
    }
    return `${said.join(', ')} bytes, the same twice`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (isProgram(import.meta.url)) {
  program(async () => console.log(await checkReproducible(process.argv.includes('--keys'))));
}
