#!/usr/bin/env node
// The command line: the Rust program, with Node's files in place of the system's.
import { readFileSync } from 'node:fs';
import { host } from './host.js';
import { givenArgs } from './paths.js';

/** @type {{ initSync: (wasm: { module: Uint8Array }) => void, run: (args: string[], host: object) => number }} */
const { initSync, run } = await import(new URL('../wasm/cli.js', import.meta.url).href);
initSync({ module: readFileSync(new URL('../cli.wasm', import.meta.url)) });
process.exitCode = run(givenArgs(process.argv.slice(2)), host);
