// The native program as the JavaScript tests run it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../scripts/run.mjs';

/** Where it is, built for tests. */
export const NATIVE = join(
  ROOT,
  'target',
  'debug',
  process.platform === 'win32' ? 'rowscape.exe' : 'rowscape',
);
if (!existsSync(NATIVE)) run('cargo', ['build', '--locked', '--quiet', '--bin', 'rowscape']);
