// Firefox and WebKit, driven by what they bring themselves: Marionette over a socket, WebKitWebDriver over HTTP. Both speak
// WebDriver's commands.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { which } from '../../../scripts/run.mjs';

/** @typedef {(name: string, parameters?: object) => Promise<any>} Command */
/** @typedef {{ name: string, version: string, command: Command, close: () => Promise<void> }} Driver */

/** How long a browser may take to start. */
const PATIENCE = 30_000;
/** How an element is named in WebDriver's answers. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Commands over HTTP: method and path, the element's id among the parameters in the path. @type {Record<string, [string, string]>} */
const PATHS = {
  Navigate: ['POST', '/url'],
  ExecuteScript: ['POST', '/execute/sync'],
  ExecuteAsyncScript: ['POST', '/execute/async'],
  FindElement: ['POST', '/element'],
  ElementClick: ['POST', '/element/{id}/click'],
  ElementSendKeys: ['POST', '/element/{id}/value'],
  SetWindowRect: ['POST', '/window/rect'],
  TakeScreenshot: ['GET', '/screenshot'],
  SetTimeouts: ['POST', '/timeouts'],
};

/** The browsers that are here. @returns {Record<string, (() => Promise<Driver>) | string>} how to start each, or why it can't be */
export function others() {
  const firefox = which('firefox-esr') ?? which('firefox');
  const webkit = which('WebKitWebDriver');
  const mini = [
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    '/usr/libexec/webkit2gtk-4.1/MiniBrowser',
  ].find((path) => existsSync(path));
  const screen = process.env.DISPLAY ? [] : ['xvfb-run', '-a'];
  const hasScreen = !screen.length || which('xvfb-run');
  return {
    Firefox: firefox
      ? () => startFirefox(firefox)
      : 'no firefox-esr or firefox here (Debian: apt-get install firefox-esr)',
    WebKit:
      webkit && mini && hasScreen
        ? () => startWebKit([...screen, webkit], mini)
        : 'no WebKitWebDriver here (Debian: apt-get install webkit2gtk-driver xvfb xauth)',
  };
}

/** A port that nothing listens on. @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/**
 * Tries until it works.
 * @template T
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function eventually(attempt) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** @param {string} path @returns {Promise<Driver>} */
async function startFirefox(path) {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), 'rowscape-firefox-'));
  writeFileSync(join(profile, 'user.js'), `user_pref('marionette.port', ${port});\n`);
  const browser = spawn(path, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
  });
  const socket = await eventually(
    () =>
      /** @type {Promise<import('node:net').Socket>} */ (
        new Promise((resolve, reject) => {
          const one = connect(port, '127.0.0.1', () => resolve(one)).on('error', reject);
        })
      ),
  );
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let held = Buffer.alloc(0);
  // A message is its length, a colon, and JSON; the first is a greeting.
  socket.on('data', (bytes) => {
    held = Buffer.concat([held, bytes]);
    for (;;) {
      const colon = held.indexOf(':');
      const length = Number(held.subarray(0, colon));
      if (colon < 0 || held.length < colon + 1 + length) return;
      const message = JSON.parse(held.subarray(colon + 1, colon + 1 + length).toString());
      held = held.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.reject(new Error(`${error.error}: ${error.message}`));
      else asked?.resolve(result);
    }
  });
  let last = 0;
  /** @type {Command} */
  const command = async (name, parameters = {}) => {
    const id = ++last;
    const text = JSON.stringify([0, id, `WebDriver:${name}`, parameters]);
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const result = await answer;
    return result && 'value' in result ? result.value : result;
  };
  const { capabilities } = await command('NewSession', {});
  return {
    name: 'Firefox',
    version: capabilities.browserVersion,
    command,
    async close() {
      const ended = new Promise((resolve) => browser.once('exit', resolve));
      socket.destroy();
      browser.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** @param {string[]} driver @param {string} browser @returns {Promise<Driver>} */
async function startWebKit([path, ...before], browser) {
  const port = await freePort();
  // In a group of its own, so that the screen goes with it.
  const running = spawn(path, [...before, `--port=${port}`], { stdio: 'ignore', detached: true });
  const root = `http://127.0.0.1:${port}`;
  const ask = async (/** @type {string} */ method, /** @type {string} */ at, /** @type {object} */ body) => {
    const response = await fetch(root + at, {
      method,
      ...(method === 'POST' && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  await eventually(() => ask('GET', '/status', {}));
  const options = { binary: browser, args: ['--automation'] };
  const alwaysMatch = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options };
  const { sessionId, capabilities } = await ask('POST', '/session', { capabilities: { alwaysMatch } });
  return {
    name: 'WebKit',
    version: capabilities.browserVersion,
    command(name, parameters = {}) {
      const [method, at] = PATHS[name];
      const { id, ...rest } = /** @type {{ id?: string }} */ (parameters);
      return ask(method, `/session/${sessionId}${at.replace('{id}', id ?? '')}`, rest);
    },
    async close() {
      const ended = new Promise((resolve) => running.once('exit', resolve));
      await ask('DELETE', `/session/${sessionId}`, {}).catch(() => {});
      process.kill(-Number(running.pid));
      await ended;
    },
  };
}
