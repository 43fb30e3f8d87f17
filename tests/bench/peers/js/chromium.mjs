// A page in headless Chromium that was given a file, and the memory its renderer took at most.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../../../../scripts/setup/chromium.mjs';
import { serve } from './serve.mjs';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
const HTML =
  '<!doctype html><link rel="icon" href="data:,"><input type="file"><script type="module" src="/page.mjs"></script>';

/** Serves the page, its script and the folders below `mounts`. */
function site(script, mounts) {
  return createServer((request, response) => {
    const send = (type, body) => response.setHeader('content-type', type).end(body);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/') return send('text/html', HTML);
    if (path === '/page.mjs') return send('text/javascript', script);
    const mount = Object.keys(mounts).find((prefix) => path.startsWith(prefix));
    const file = mount && join(mounts[mount], normalize(path.slice(mount.length)));
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    return send(TYPES[extname(file)] ?? 'application/octet-stream', readFileSync(file));
  });
}

/** Peak resident megabytes of the largest renderer below this process; only Linux tells. */
function rendererPeakMB() {
  if (process.platform !== 'linux') return undefined;
  const read = (pid, name) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  const status = new Map(
    readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? [[pid, read(pid, 'status')]] : [])),
  );
  const parentOf = (pid) => /PPid:\s*(\d+)/.exec(status.get(pid) ?? '')?.[1];
  const isBelow = (pid) => {
    for (let at = pid; at && at !== '0'; at = parentOf(at)) if (at === String(process.pid)) return true;
    return false;
  };
  const peaks = [...status.keys()]
    .filter((pid) => isBelow(pid) && read(pid, 'cmdline').includes('--type=renderer'))
    .map((pid) => Number(/VmHWM:\s*(\d+)/.exec(status.get(pid))?.[1] ?? 0));
  return Math.max(0, ...peaks) / 1024;
}

/**
 * Opens a page with `script`, hands it `csv` through its file input, and serves the bench: each command goes to the
 * page's `run`.
 * @param {{ script: string, mounts: Record<string, string>, csv: string }} page
 * @param {(command: Record<string, unknown>) => Record<string, unknown>} [complete] what the page is told
 */
export async function serveFromChromium({ script, mounts, csv }, complete = (command) => command) {
  const server = site(script, mounts).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [...CHROMIUM_ARGS, '--js-flags=--expose-gc'],
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  page.on('console', (message) => message.type() === 'error' && console.error(`page: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`page: ${error.message}`));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.setInputFiles('input', resolve(csv));
  await serve(`Chromium ${browser.version()}`, async (command) => {
    const result = await page.evaluate((asked) => globalThis.run(asked), complete(command));
    return { ...result, peakMB: rendererPeakMB() };
  });
  await browser.close();
  server.close();
}
