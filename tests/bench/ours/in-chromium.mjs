// Rowscape's wasm in a worker of a page in headless Chromium: node in-chromium.mjs CSV
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveFromChromium } from '../peers/js/chromium.mjs';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const [csv] = process.argv.slice(2);
await serveFromChromium({
  script: readFileSync(folder('page.mjs'), 'utf8'),
  mounts: { '/ours/': folder('.'), '/wasm/': folder('../../../dist/wasm') },
  csv,
});
