#!/usr/bin/env node
// The command line: the Rust program, with Node's files in place of the system's.
import { givenArgs, nameFiles } from './paths.js';

const args = givenArgs(process.argv.slice(2));

if (nameFiles(args)) {
  const { guarded } = await import('./guarded.js');
  process.exitCode = await guarded(args);
} else {
  const [{ run }, { host }] = await Promise.all([import('./run.js'), import('./host.js')]);
  process.exitCode = run(args, host);
}
