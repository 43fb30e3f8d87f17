// A static file server for the built page, on this machine only.
//   node scripts/build/serve.mjs [folder] [--port 8000] [--base /some/where/] [--open]
import { spawn } from 'node:child_process';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isProgram, program, ROOT, Told } from '../run.mjs';

const TYPES = /** @type {Record<string, string>} */ ({
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
});

/**
 * The file a request means, or undefined: nothing outside the folder, also not by a link.
 * @param {string} root
 * @param {string} base
 * @param {string} url
 */
function fileOf(root, base, url) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/)[0]);
    if (!path.startsWith(base)) return;
    const asked = resolve(root, `.${sep}${path.slice(base.length)}`);
    const file = realpathSync(path.endsWith('/') ? join(asked, 'index.html') : asked);
    return file.startsWith(root + sep) && statSync(file).isFile() ? file : undefined;
  } catch {
    return;
  }
}

/**
 * @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean} Handler
 */

/**
 * Serves a folder.
 * @param {{ root: string | URL, port?: number, base?: string, first?: Handler }} options port 0: any free one; base: the path it
 *   appears under; first: answers a request itself, or says that it did not
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve({ root, port = 0, base = '/', first }) {
  const folder = realpathSync(root instanceof URL ? fileURLToPath(root) : root);
  const server = createServer((request, response) => {
    if (first?.(request, response)) return;
    const file = fileOf(folder, base, request.url ?? '/');
    if (!file) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  });
  await new Promise((listening, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', () => listening(undefined));
  });
  const { port: taken } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${taken}${base}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed(undefined));
        server.closeAllConnections();
      }),
  };
}

/** Opens the address in the person's browser, where there is a screen. @param {string} url */
export function open(url) {
  const opener = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[
    /** @type {string} */ (process.platform)
  ] ?? ['xdg-open'];
  const screen = opener[0] !== 'xdg-open' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!screen || process.env.CI) return;
  spawn(opener[0], [...opener.slice(1), url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

/** Serves at the wanted port, or at any when that is taken. @param {Parameters<typeof serve>[0]} options */
export async function serveAnyway(options) {
  try {
    return await serve(options);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error;
    return serve({ ...options, port: 0 });
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '8000' },
      base: { type: 'string', default: '/' },
      open: { type: 'boolean', default: false },
    },
  });
  const base = `/${values.base.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Told(`--port must be a number from 0 to 65535, not ${values.port}.`);
  const { url } = await serveAnyway({ root: positionals[0] ?? join(ROOT, 'dist', 'site'), port, base });
  console.log(`Rowscape: ${url}   (Ctrl+C to stop)`);
  if (values.open) open(url);
}

if (isProgram(import.meta.url)) program(main);
