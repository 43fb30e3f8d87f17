// Runs bindings/wasm/tests: node.rs under Node and browser.rs in headless Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { begin, isProgram, program, ROOT, run, Told } from '../run.mjs';
import { CHROMIUM_ARGS, findChromium } from '../setup/chromium.mjs';
import { TEST_RUNNER, WASM, wasmCargo } from '../setup/toolchain.mjs';

/** Milliseconds the tests in the browser may take. */
const PATIENCE = 120_000;

/** What compiles the two. @returns {Parameters<typeof begin>} */
function compiling() {
  const { cargo, env } = wasmCargo();
  const args = ['test', '--locked', '--no-run', '--package', 'rowscape-wasm', '--tests', '--target', WASM];
  // Few and short tests: compiling them well takes longer than running them as they are.
  const plain = { CARGO_PROFILE_TEST_OPT_LEVEL: '0', CARGO_PROFILE_TEST_DEBUG: 'false' };
  return [cargo, args, { env: { ...env, ...plain }, quiet: true }];
}

/** Compiles the two beside something else. */
export const beginCompiling = () => begin(...compiling());

/** Builds the two and returns the paths of their wasm. @returns {Record<string, string>} */
function build() {
  const [cargo, args, options] = compiling();
  const messages = run(cargo, [...args, '--message-format=json-render-diagnostics'], options)
    .split('\n')
    .filter(Boolean);
  const built = messages.map((line) => JSON.parse(line)).filter((message) => message.executable);
  return Object.fromEntries(built.map(({ target, executable }) => [target.name, executable]));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Waits until a program has said something. The rest of its output is read on: with nobody to read it, it would stop.
 * @param {import('node:stream').Readable} output
 * @param {string} words
 */
function told(output, words) {
  return new Promise((resolve, reject) => {
    let said = '';
    output.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      if (said.includes(words)) resolve(undefined);
    });
    output.on('end', () => reject(new Told(`The test runner stopped:\n${said}`)));
  });
}

/** The test runner serves a page that runs the tests; Chromium opens it. @param {string} wasm */
async function inChromium(wasm) {
  const address = `127.0.0.1:${await freePort()}`;
  const env = { ...process.env, NO_HEADLESS: '1', WASM_BINDGEN_TEST_ADDRESS: address };
  const runner = spawn(TEST_RUNNER, [wasm], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  try {
    await told(runner.stdout, address);
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(error.message));
    await page.goto(`http://${address}/`);
    const output = page.locator('#output', { hasText: /test result: |no tests to run/ });
    await output.waitFor({ timeout: PATIENCE });
    const said = await output.innerText();
    console.log(said.trim());
    if (!said.includes('test result: ok'))
      throw new Told('bindings/wasm/tests/browser.rs fails in Chromium.');
  } finally {
    await browser.close();
    runner.kill();
  }
}

/** Builds and runs both. */
export async function testWasm() {
  const tests = build();
  run(TEST_RUNNER, [tests.node]);
  await inChromium(tests.browser);
}

if (isProgram(import.meta.url)) program(testWasm);
