// Contents of the release artefacts: a CycloneDX list and the licence texts.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages } from '../check/licences.mjs';
import { ROOT, readJson } from '../run.mjs';

/** @import { Package } from '../check/licences.mjs' */

/** Files that hold a licence, or what it asks to be passed on. */
const LICENCE = /^(licen[cs]e|copying|notice|unlicense|copyright)/i;

/** @param {string} text */
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Packages in the artefacts, sorted by name. @param {string} [root] */
export const shipped = (root = ROOT) =>
  packages(root)
    .filter((one) => one.shipped)
    .sort((a, b) => (purl(a) < purl(b) ? -1 : 1));

/** Its address as a package URL. @param {Package} one */
const purl = ({ ecosystem, name, version }) =>
  `pkg:${ecosystem === 'npm' ? 'npm' : 'cargo'}/${name.replace('@', '%40')}@${version}`;

/**
 * A serial number that follows from the content, so that two builds write the same.
 * @param {string} content
 */
function serial(content) {
  const digits = sha256(content);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...groups, digits.slice(20, 32)].join('-')}`;
}

/**
 * The list as CycloneDX 1.5.
 * @param {string} version
 * @param {Package[]} inside
 */
export function bill(version, inside) {
  const components = inside.map((one) => ({
    type: 'library',
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    purl: purl(one),
    licenses: [{ expression: one.licence.replaceAll('/', ' OR ') }],
  }));
  const own = `pkg:npm/rowscape@${version}`;
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serial(JSON.stringify([version, components])),
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'rowscape',
        version,
        purl: own,
        licenses: [{ expression: 'MIT OR Apache-2.0' }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The texts of the licences, each once, under the names of those that have it. @param {Package[]} inside */
export function licences(inside) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const one of inside) {
    const files = readdirSync(one.folder)
      .filter((name) => LICENCE.test(name))
      .sort();
    const read = files.map((name) => join(one.folder, name)).map((path) => readFileSync(path, 'utf8'));
    const all = read.length ? read : [`${one.licence} (its package holds no text)\n`];
    for (const text of all) {
      const plain = text.replaceAll('\r\n', '\n').trim();
      texts.set(plain, [...(texts.get(plain) ?? []), `${one.name} ${one.version} (${one.licence})`]);
    }
  }
  const rule = '-'.repeat(100);
  const own = ['NOTICE', 'LICENSE-MIT', 'LICENSE-APACHE'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8').trim(),
  );
  const others = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return `${[...own, ...others].join(`\n\n${rule}\n\n`)}\n`;
}

/**
 * The versions that the tree states, by where they stand.
 * @param {string} [root]
 * @returns {Record<string, string | undefined>}
 */
export function versions(root = ROOT) {
  const first = (/** @type {string} */ name, /** @type {RegExp} */ pattern) => {
    const path = join(root, name);
    return existsSync(path) ? pattern.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  };
  const lock = readJson(join(root, 'package-lock.json'));
  return {
    'Cargo.toml': first('Cargo.toml', /^version = "(.+)"$/m),
    'Cargo.lock': first('Cargo.lock', /name = "rowscape"\nversion = "(.+)"/),
    'package.json': readJson(join(root, 'package.json'))?.version,
    'package-lock.json': lock?.packages['']?.version,
    'CITATION.cff': first('CITATION.cff', /^version: (.+)$/m),
    'CHANGELOG.md': first('CHANGELOG.md', /^## (?:Unreleased: )?(\d\S*)/m),
  };
}
