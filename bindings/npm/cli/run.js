// The Rust program, ready to run.
import { readFileSync } from 'node:fs';

/** @type {{ initSync: (wasm: { module: Uint8Array }) => void, run: (args: string[], host: object) => number }} */
const { initSync, run } = await import(new URL('../wasm/cli.js', import.meta.url).href);
initSync({ module: readFileSync(new URL('../cli.wasm', import.meta.url)) });

export { run };
