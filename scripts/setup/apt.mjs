// Debian's packages, where this may install them.
import { run, which } from '../run.mjs';

/** True if packages can be installed without a prompt: Debian or a derivative, as root. */
export const canApt = () => process.getuid?.() === 0 && which('apt-get') !== undefined;

/** Installs packages. @param {string[]} packages */
export function apt(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env, quiet: true });
  // Another installation may be under way: it is waited for, in seconds.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  run('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    quiet: true,
  });
}
