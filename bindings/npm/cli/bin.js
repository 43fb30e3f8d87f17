#!/usr/bin/env node
// The command line: the Rust program, with Node's files in place of the system's.
import { givenArgs } from './paths.js';

/** Options that name a file to write: then a signal has something to clean up. */
const WRITES = /^(-[^-]*o|--(output|html|svg|sarif|save)(=|$))/;
const args = givenArgs(process.argv.slice(2));

if (args.some((arg) => WRITES.test(arg))) {
  const { guarded } = await import('./guarded.js');
  process.exitCode = await guarded(args);
} else {
  const [{ run }, { host }] = await Promise.all([import('./run.js'), import('./host.js')]);
  process.exitCode = run(args, host);
}
