// The program, optimized.
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/run.mjs';

/** Its path: that of `ROWSCAPE`, or it is built. @returns {string} */
export function program() {
  if (process.env.ROWSCAPE) return process.env.ROWSCAPE;
  run('cargo', ['build', '--profile', 'work', '--locked', '--bin', 'rowscape'], { quiet: true });
  return join(ROOT, 'target', 'work', 'rowscape');
}
