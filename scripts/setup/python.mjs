// Python packages that write files of other formats for tests, in a folder of their own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { begin, ROOT, timed, which } from '../run.mjs';
import { apt, canApt } from './apt.mjs';

/** Packages that write files, pinned. */
const PACKAGES = [
  'pyarrow==26.0.1',
  'fastavro==1.13.1',
  'duckdb==2.0.1',
  'cramjam==2.14.0',
  'zstandard==0.25.0',
  'backports.zstd==1.8.0',
];
const FOLDER = join(ROOT, '.cache', 'formats');
const VENV = join(FOLDER, 'venv');
const STAMP = join(FOLDER, 'packages');

/** The Python that has them. */
export const PYTHON = join(
  VENV,
  process.platform === 'win32' ? 'Scripts' : 'bin',
  process.platform === 'win32' ? 'python.exe' : 'python3',
);

/** Installs them unless they are there. Returns the Python that has them; null where there is none at all. */
export async function setUpFormats() {
  const wanted = PACKAGES.join(' ');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return PYTHON;
  const found = which('python3') ?? which('python');
  if (!found) return null;
  await timed('Python packages', async () => {
    mkdirSync(FOLDER, { recursive: true });
    const make = () => begin(found, ['-m', 'venv', '--clear', VENV], { quiet: true });
    await make().catch((error) => {
      // Debian has it in a package of its own.
      if (!canApt()) throw error;
      apt(['python3-venv']);
      return make();
    });
    const how = ['--quiet', '--disable-pip-version-check', '--no-compile', '--only-binary=:all:'];
    await begin(PYTHON, ['-m', 'pip', 'install', ...how, ...PACKAGES], { quiet: true });
  });
  writeFileSync(STAMP, wanted);
  return PYTHON;
}
