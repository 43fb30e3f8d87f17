// A peer in headless Chromium: node in-chromium.mjs CSV papa|udsv|expert|duckdb
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { serveFromChromium } from './chromium.mjs';

const [csv, name] = process.argv.slice(2);
const bundle = await build({
  entryPoints: [fileURLToPath(new URL('page.mjs', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
  minify: true,
  logLevel: 'error',
});
const mounts = { '/duckdb/': dirname(createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm')) };
await serveFromChromium({ script: bundle.outputFiles[0].text, mounts, csv }, () => ({ name }));
