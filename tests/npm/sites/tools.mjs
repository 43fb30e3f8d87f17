// The documentation tools that the tests of figures build sites with, kept outside the tree: ~/.cache/rowscape-sites.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { begin, beginNpm, timed, which } from '../../../scripts/run.mjs';
import { apt, canApt } from '../../../scripts/setup/apt.mjs';

const CACHE = process.env.ROWSCAPE_SITES ?? join(homedir(), '.cache', 'rowscape-sites');

const PYTHON = ['mkdocs-material==9.8.1', 'sphinx==9.0.4'];
const MDBOOK = '0.5.4';
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

/** Replacement versions for packages that the registry lacks. @type {Record<string, Record<string, string>>} */
const INSTEAD = { docusaurus: { '@docsearch/core': '4.7.0', '@docsearch/react': '4.7.0' } };

/** The programs of the Python packages. @param {string} name */
export const python = (name) => join(CACHE, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin', name);
/** mdBook's program. */
export const mdbook = join(CACHE, 'mdbook', 'bin', 'mdbook');
/** A folder of npm packages. @param {string} name */
export const node = (name) => join(CACHE, name);

async function setUpPython() {
  const found = which('python3') ?? which('python');
  if (!found) throw new Error('there is no Python');
  const venv = join(CACHE, 'venv');
  const make = () => begin(found, ['-m', 'venv', '--clear', venv], { quiet: true });
  await make().catch((error) => {
    // Debian has it in a package of its own.
    if (!canApt()) throw error;
    apt(['python3-venv']);
    return make();
  });
  const install = ['install', '--quiet', '--disable-pip-version-check', '--no-compile', ...PYTHON];
  await begin(python('pip'), install, { quiet: true });
}

/** From crates.io, without its server and its search, in a build that compiles quickly. */
async function setUpMdbook() {
  const args = ['install', 'mdbook', '--version', MDBOOK, '--no-default-features', '--debug', '--quiet'];
  const env = { CARGO_PROFILE_DEV_DEBUG: 'false', CARGO_INCREMENTAL: '0' };
  const target = join(CACHE, 'mdbook', 'target');
  const places = ['--root', join(CACHE, 'mdbook'), '--target-dir', target];
  await begin('cargo', [...args, ...places], { env, cwd: CACHE, quiet: true });
  rmSync(target, { recursive: true });
}

/** @param {string} name */
async function setUpNode(name) {
  const folder = node(name);
  mkdirSync(folder, { recursive: true });
  const wanted = { private: true, dependencies: NODE[name], overrides: INSTEAD[name] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted));
  const quiet = ['--silent', '--no-audit', '--no-fund'];
  await beginNpm(['install', ...quiet, '--prefix', folder], { quiet: true });
}

/** Inputs of each tool: a change installs it again. @type {Record<string, [string, () => Promise<void>]>} */
const TOOLS = {
  python: [PYTHON.join(' '), setUpPython],
  mdbook: [MDBOOK, setUpMdbook],
  vitepress: [JSON.stringify(NODE.vitepress), () => setUpNode('vitepress')],
  docusaurus: [JSON.stringify(NODE.docusaurus), () => setUpNode('docusaurus')],
};

/** Installs what is not there, side by side. Returns why a tool can't be had, by its name. */
export async function setUpTools() {
  mkdirSync(CACHE, { recursive: true });
  /** @type {Record<string, string>} */
  const missing = {};
  const each = Object.entries(TOOLS).map(async ([name, [wanted, install]]) => {
    const mark = join(CACHE, `${name}.installed`);
    if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
    try {
      await timed(`installing ${name}`, install);
      writeFileSync(mark, wanted);
    } catch (error) {
      missing[name] = `${name} can't be installed: ${error instanceof Error ? error.message : error}`;
    }
  });
  await Promise.all(each);
  return missing;
}
