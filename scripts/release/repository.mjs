// Names the public address of the sources in all manifests: the registries link to it, and npm's provenance
// needs it. The workflows that publish run this first.
//   node scripts/release/repository.mjs https://github.com/OWNER/rowscape
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram, program, ROOT, Told } from '../run.mjs';

/**
 * The text of each manifest with the address in it, in place of one that it had.
 * @type {Record<string, (text: string, address: string) => string>}
 */
export const MANIFESTS = {
  'package.json': (text, address) => {
    const { repository: _, ...manifest } = JSON.parse(text);
    const entries = Object.entries(manifest);
    entries.splice(entries.findIndex(([name]) => name === 'license') + 1, 0, [
      'repository',
      { type: 'git', url: `git+${address}.git` },
    ]);
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  },
  'Cargo.toml': (text, address) =>
    text
      .replace(/^repository = .*\n/m, '')
      .replace(/^license = .*\n/m, (line) => `${line}repository = "${address}"\n`),
  'bindings/python/pyproject.toml': (text, address) =>
    text
      .replace(/^\[project\.urls\]\n.*\n\n/m, '')
      .replace(/^\[tool\.maturin\]$/m, (line) => `[project.urls]\nSource = "${address}"\n\n${line}`),
  'CITATION.cff': (text, address) =>
    text
      .replace(/^repository-code: .*\n/m, '')
      .replace(/^type: software$/m, (line) => `${line}\nrepository-code: ${address}`),
};

/** @param {string} [given] */
export function nameRepository(given = '') {
  const address = given.replace(/\.git$|\/$/g, '');
  if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(address)) {
    throw new Told(
      `give the address of the repository, such as https://github.com/OWNER/rowscape, not “${given}”`,
    );
  }
  for (const [name, change] of Object.entries(MANIFESTS)) {
    const path = join(ROOT, name);
    writeFileSync(path, change(readFileSync(path, 'utf8'), address));
  }
}

if (isProgram(import.meta.url)) program(async () => nameRepository(process.argv[2]));
