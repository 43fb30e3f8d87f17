// The tarball npm publishes, installed where a person would.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, ROOT, run } from '../../../scripts/run.mjs';

/**
 * Packs the package and installs it in a new folder.
 * @returns {{ folder: string, remove: () => void }}
 */
export function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-'));
  const quiet = ['--silent', '--no-audit', '--no-fund'];
  npm(['pack', ...quiet, '--ignore-scripts', '--pack-destination', folder], { quiet: true });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const install = ['install', ...quiet, '--ignore-scripts', '--offline', '--prefix', app];
  npm([...install, join(folder, String(tarball))], { quiet: true });
  return { folder: app, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Runs a module in the folder with no other files of the project in reach; what it prints.
 * @param {string} folder
 * @param {string} name of the file
 * @param {string} source
 */
export function runModule(folder, name, source) {
  const path = join(folder, name);
  writeFileSync(path, source);
  return run(process.execPath, [path], { cwd: folder, quiet: true });
}

/** A program of the project's own npm packages. @param {string} path below node_modules */
export const program = (path) => join(ROOT, 'node_modules', path);
