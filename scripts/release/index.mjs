// npm run release: all artefacts of a release, built twice from clean clones of the last commit, with
// checksums.
//   --dry-run   also where package.json and Cargo.toml name no repository, which publishing needs
//   --here      builds nothing: puts together what this tree has built, once (to try this script)
// Publishing is done by hand from dist/release, as it says at the end.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProgram, npm, program, ROOT, readJson, run, Told, timed } from '../run.mjs';
import { bill, licences, shipped, versions } from './inside.mjs';
import { packed } from './tar.mjs';

const OUT = join(ROOT, 'dist', 'release');

/** The one version that all files state. @returns {string} */
export function version() {
  const stated = versions();
  const wanted = stated['Cargo.toml'] ?? '';
  const others = Object.entries(stated).filter(([, one]) => one !== wanted);
  if (others.length || !wanted) {
    const list = others.map(([name, one]) => `  ${name}: ${one ?? 'none'}`).join('\n');
    throw new Told(`Cargo.toml has version ${wanted}, but\n${list}`);
  }
  return wanted;
}

/**
 * Puts the artefacts of a built tree into a folder.
 * @param {string} tree
 * @param {string} out
 * @param {string} number the version
 */
function collect(tree, out, number) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', out, tree], { quiet: true });
  // The build already compiled its contents; `cargo publish` compiles them again.
  const target = join(tree, 'target');
  const args = ['package', '--locked', '--no-verify', '--allow-dirty', '--target-dir', target];
  run('cargo', [...args, '--manifest-path', join(tree, 'Cargo.toml')], { cwd: tree, quiet: true });
  const crate = `rowscape-${number}.crate`;
  copyFileSync(join(target, 'package', crate), join(out, crate));
  writeFileSync(
    join(out, `rowscape-site-${number}.tar.gz`),
    packed(join(tree, 'dist', 'site'), `rowscape-site-${number}`),
  );
  const single = join(tree, 'dist', 'rowscape.html');
  if (existsSync(single)) copyFileSync(single, join(out, `rowscape-${number}.html`));
  const inside = shipped(tree);
  writeFileSync(join(out, `rowscape-${number}.cdx.json`), bill(number, inside));
  writeFileSync(join(out, 'LICENSES.txt'), licences(inside));
  writeFileSync(join(out, 'SHA256SUMS'), sums(out));
}

/** As `sha256sum` writes and checks it. @param {string} folder */
function sums(folder) {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  const digest = (/** @type {string} */ name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return names
    .sort()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join('');
}

/**
 * Clones the last commit, builds it, and puts its artefacts into a folder.
 * @param {string} folder
 * @param {string} out
 * @param {string} number
 */
function buildClone(folder, out, number) {
  run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, folder]);
  run(process.execPath, [join(folder, 'scripts', 'setup', 'index.mjs')], { cwd: folder });
  run(process.execPath, [join(folder, 'scripts', 'build', 'index.mjs')], { cwd: folder });
  collect(folder, out, number);
}

/**
 * Throws unless both manifests say where the sources are: npm's provenance and the pages of both registries
 * need it.
 */
export function requireRepository() {
  const missing = [
    readJson(join(ROOT, 'package.json')).repository ? '' : 'package.json',
    /^repository = /m.test(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8')) ? '' : 'Cargo.toml',
  ].filter(Boolean);
  if (missing.length)
    throw new Told(
      `${missing.join(' and ')} name no repository; node scripts/release/repository.mjs ADDRESS names the public address of the sources, ` +
        'or try without: npm run release -- --dry-run',
    );
}

async function release() {
  const number = version();
  if (!process.argv.includes('--dry-run')) requireRepository();
  if (process.argv.includes('--here')) collect(ROOT, OUT, number);
  else {
    if (run('git', ['status', '--porcelain'], { quiet: true })) {
      console.log('Uncommitted changes are not included.');
    }
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'rowscape-release-')));
    try {
      await timed('Building the release', () => buildClone(join(place, 'first'), OUT, number));
      const again = join(place, 'again');
      await timed('Building it again', () => buildClone(join(place, 'second-clone'), again, number));
      const [first, second] = [OUT, again].map((folder) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
      if (first !== second) {
        const other = second.split('\n');
        const differ = first.split('\n').filter((line) => !other.includes(line));
        throw new Told(`Two builds differ:\n${differ.join('\n')}`);
      }
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  console.log(`${OUT}\n\n${readFileSync(join(OUT, 'SHA256SUMS'), 'utf8')}
To publish, by hand: npm publish dist/release/rowscape-${number}.tgz; cargo publish; the rest belongs to the release's page.`);
}

if (isProgram(import.meta.url)) program(release);
