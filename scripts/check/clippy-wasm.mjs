// Clippy for the entry point of JavaScript, on the target it is built for: .ci/run alone, as it compiles
// every crate once more.
import { begin, program } from '../run.mjs';
import { WASM, wasmCargo } from '../setup/toolchain.mjs';

async function main() {
  const { cargo, env } = wasmCargo();
  if (cargo !== 'cargo') return console.log("clippy wasm: skipped, Debian's Rust for wasm has no clippy");
  const args = ['clippy', '--locked', '--package', 'rowscape-wasm', '--target', WASM];
  for (const features of [[], ['--no-default-features', '--features', 'keys']])
    await begin(cargo, [...args, ...features, '--', '-Dwarnings'], { env, quiet: true });
}

program(main);
