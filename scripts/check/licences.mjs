// The licence of every dependency is one of those allowed here, and none that is shipped has a known
// vulnerability.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProgram, program, ROOT, run, Told } from '../run.mjs';
import { WASM } from '../setup/toolchain.mjs';

/** @returns {Set<string>} the licences deny.toml allows */
function allowedLicences() {
  const list = /^allow = (\[[^\]]*\])/m.exec(readFileSync(join(ROOT, '.cargo', 'deny.toml'), 'utf8'));
  if (!list) throw new Told('the list of licenses is missing in .cargo/deny.toml; add allow = [ "MIT", … ]');
  return new Set(JSON.parse(list[1]));
}

const ALLOWED = allowedLicences();
const OSV = 'https://api.osv.dev/v1/querybatch';
/** Milliseconds to wait for the advisory database. */
const PATIENCE = 10_000;

/**
 * @typedef {{ ecosystem: 'crates.io' | 'npm', name: string, version: string, licence: string, shipped: boolean, folder: string }} Package folder: where its files are
 */

/**
 * True if allowed licences satisfy an SPDX expression. AND binds closer than OR.
 * @param {string} expression
 * @returns {boolean}
 */
export function allowed(expression) {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner) return allowed(expression.replace(inner[0], allowed(inner[1]) ? 'MIT' : 'refused'));
  return expression
    .replaceAll('/', ' OR ')
    .split(/\s+OR\s+/)
    .some((all) => all.split(/\s+AND\s+/).every((one) => ALLOWED.has(one.trim())));
}

/**
 * The crates of the lock file; those that a wasm module or the program is linked from are shipped.
 * @param {string} root
 * @returns {Package[]}
 */
function crates(root) {
  const args = ['metadata', '--locked', '--format-version=1'];
  const cargo = (/** @type {string[]} */ rest) => run('cargo', rest, { cwd: root, quiet: true });
  const metadata = JSON.parse(cargo(args));
  const tree = ['tree', '--locked', '--edges', 'normal,no-proc-macro', '--prefix', 'none', '--format', '{p}'];
  const wasm = [...tree, '--package', 'rowscape-wasm', '--features', 'cli', '--target', WASM];
  const linked = cargo(tree) + cargo(wasm);
  const shipped = new Set(linked.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')));
  return metadata.packages
    .filter((/** @type {{ source: string | null }} */ { source }) => source)
    .map(
      (
        /** @type {{ name: string, version: string, license?: string, manifest_path: string }} */ {
          name,
          version,
          license,
          manifest_path,
        },
      ) => ({
        ecosystem: 'crates.io',
        name,
        version,
        licence: license ?? 'none stated',
        shipped: shipped.has(`${name} v${version}`),
        folder: dirname(manifest_path),
      }),
    );
}

/** Packages that the page bundles. */
const BUNDLED = /^(@lit\/|@lit-labs\/|lit(-|$)|fflate$)/;

/**
 * The npm packages of the lock file; those the page bundles are shipped.
 * @param {string} root
 * @returns {Package[]}
 */
function npmPackages(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path]) => path)
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        ecosystem: 'npm',
        name,
        version,
        licence: license ?? 'none stated',
        shipped: BUNDLED.test(name),
        folder: join(root, path),
      };
    });
}

/** All dependencies of a tree, what only builds and tests it included. @param {string} [root] */
export const packages = (root = ROOT) => [...crates(root), ...npmPackages(root)];

/** @param {Package} dependency */
const named = ({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`;

/**
 * The known advisories, or why they are not known.
 * @param {Package[]} packages
 * @returns {Promise<{ dependency: Package, ids: string[] }[] | string>}
 */
async function advisories(packages) {
  const queries = packages.map(({ ecosystem, name, version }) => ({ package: { ecosystem, name }, version }));
  try {
    const answer = await fetch(OSV, {
      method: 'POST',
      body: JSON.stringify({ queries }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!answer.ok) return `${OSV} answers ${answer.status}`;
    /** @type {{ results: { vulns?: { id: string }[] }[] }} */
    const { results } = await answer.json();
    return results.flatMap(({ vulns = [] }, at) =>
      vulns.length ? [{ dependency: packages[at], ids: vulns.map(({ id }) => id) }] : [],
    );
  } catch {
    return `${OSV} can't be reached`;
  }
}

/** Throws when a licence is not allowed or something shipped is vulnerable; else says what was looked at. */
export async function checkLicences() {
  const all = packages();
  const refused = all.filter(({ licence }) => !allowed(licence));
  if (refused.length) {
    const list = refused.map((one) => `  ${named(one)}: ${one.licence}`).join('\n');
    throw new Told(`Licenses that are not listed in .cargo/deny.toml:\n${list}`);
  }
  const found = await advisories(all);
  const looked = `${all.length} licences`;
  if (typeof found === 'string') return `${looked}; advisories not checked: ${found}`;
  for (const { dependency, ids } of found) console.log(`  ${named(dependency)}: ${ids.join(', ')}`);
  const shipped = found.filter(({ dependency }) => dependency.shipped);
  if (shipped.length) {
    throw new Told(
      `Known vulnerabilities in what is shipped: ${shipped.map(({ dependency }) => named(dependency)).join('; ')}`,
    );
  }
  return `${looked}; advisories: none in what is shipped, ${found.length} in tools`;
}

if (isProgram(import.meta.url)) program(async () => console.log(await checkLicences()));
