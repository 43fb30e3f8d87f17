// The program as it is released, but linked quickly.
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/run.mjs';

/**
 * Its path: that of `ROWSCAPE`, or it is built. Bounds are for the program as it is released; a debug build is several times as slow.
 * @returns {string}
 */
export function program() {
  if (process.env.ROWSCAPE) return process.env.ROWSCAPE;
  const env = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' };
  const folder = join(ROOT, 'target', 'hostile');
  run('cargo', ['build', '--release', '--locked', '--bin', 'rowscape', '--target-dir', folder], {
    env,
    quiet: true,
  });
  return join(folder, 'release', 'rowscape');
}
