// Builds dist/rowscape.html: the whole page in one file, which works opened from disk.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../run.mjs';

export const ONE_FILE = join(ROOT, 'dist', 'rowscape.html');
const WWW = join(ROOT, 'www');
/** Files that have a place of their own in the page. */
const APART = /\.(html|js|css|wasm|map)$|^later\.json$/;

/**
 * A script of the page with what stands in for the network before it.
 * @param {'page' | 'worker'} prelude
 * @param {string} entry
 * @param {string} base what `import.meta.url` is there
 */
async function script(prelude, entry, base) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(WWW, entry)],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    write: false,
    define: { 'import.meta.url': base },
    banner: { js: readFileSync(join(ROOT, 'scripts', 'build', 'one-file', `${prelude}.js`), 'utf8') },
    logLevel: 'warning',
  });
  return outputFiles[0].text.replaceAll('</script', '<\\/script');
}

/** @param {string | Uint8Array} content */
const packed = (content) => gzipSync(content, { level: 9 }).toString('base64');

/** @param {string} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Builds the file from the page.
 * @param {string} site the folder of the built page
 * @param {string} module path of the wasm module: here it is whole
 * @param {string} formats path of the module for packed files
 */
export async function buildOneFile(site, module, formats) {
  const names = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !APART.test(entry.name))
    .map((entry) => relative(site, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort();
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  const main = await script('page', 'main.js', 'document.baseURI');
  const worker = await script('worker', 'worker.js', 'self.rowscapeBase');
  const styles = ['styles.css', 'later.css'].map((name) => readFileSync(join(site, name), 'utf8')).join('');
  const icon = Buffer.from(files['icon.svg'] ?? '').toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src ${hash(main)} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `style-src ${hash(styles)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = {
    files: JSON.stringify(files),
    worker,
    module: readFileSync(module),
    formats: readFileSync(formats),
  };
  const blocks = Object.entries(data).map(
    ([id, content]) => `<script type="text/plain" id="${id}">${packed(content)}</script>`,
  );
  const html = readFileSync(join(site, 'index.html'), 'utf8')
    .replace(/(http-equiv="Content-Security-Policy" content=)"[^"]*"/, (_, start) => `${start}"${policy}"`)
    .replace('href="icon.svg"', () => `href="data:image/svg+xml;base64,${icon}"`)
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles}</style>`)
    .replace(/\s*<link rel="preload"[^>]*>/, '')
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace('</body>', () => `${blocks.join('\n')}\n<script>${main}</script>\n</body>`);
  writeFileSync(ONE_FILE, html);
}
