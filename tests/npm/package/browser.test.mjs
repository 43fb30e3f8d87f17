// The package from a static host, with no bundler, under a strict Content Security Policy.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { installed } from './tarball.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let host;
/** @type {ReturnType<typeof installed>} */
let app;
before(async () => {
  app = installed();
  browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  host = await serve({ root: app.folder, base: '/docs/' });
});
after(async () => {
  await browser?.close();
  await host?.close();
  app?.remove();
});

const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const NO_WASM = "default-src 'none'; script-src 'self'";
const KEY = `parseDesign({ rowscape: 1, fields: [{ name: 'id', type: 'text' }], rowkey: 'id.reverse()' })`;
const ENCODED = `String.fromCharCode(...${KEY}.encode({ id: 'abc' }))`;

/**
 * The output of a page with this script.
 * @param {string} name
 * @param {string} policy
 * @param {string} script
 */
async function says(name, policy, script) {
  const meta = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  writeFileSync(
    join(app.folder, `${name}.html`),
    `<!doctype html>${meta}<script type="module" src="${name}.js"></script>`,
  );
  const report = 'const say = (text) => { document.title = text; };\n';
  writeFileSync(join(app.folder, `${name}.js`), report + script);
  const page = await browser.newPage();
  await page.goto(`${host.url}${name}.html`);
  await page.waitForFunction(() => document.title);
  const title = await page.title();
  await page.close();
  return title;
}

const PACKAGE = './node_modules/rowscape/dist/npm';

test('a module script needs no bundler', async () => {
  const script = `import { parseDesign } from '${PACKAGE}/index.js'; say(${ENCODED});`;
  assert.equal(await says('plain', STRICT, script), 'cba');
});

test('slim fetches the wasm file it is told', async () => {
  const script = `import { init, parseDesign } from '${PACKAGE}/slim.js';
    await init(new URL('${PACKAGE}/rowscape.wasm', import.meta.url)); say(${ENCODED});`;
  assert.equal(await says('slim', STRICT, script), 'cba');
});

test('a web worker can use it', async () => {
  const worker = `import { parseDesign } from '${PACKAGE}/index.js'; postMessage(${ENCODED});`;
  writeFileSync(join(app.folder, 'worker.js'), worker);
  const script = `new Worker('worker.js', { type: 'module' }).onmessage = ({ data }) => say(data);`;
  assert.equal(await says('workers', STRICT, script), 'cba');
});

test('a policy that forbids wasm is named, with what to add to it', async () => {
  const script = `import('${PACKAGE}/index.js').catch((error) => say(error.code + ': ' + error.message));`;
  assert.match(await says('blocked', NO_WASM, script), /^wasm\.blocked: .*'wasm-unsafe-eval'/);
});

test('suggest tells a page how far it is, lets it draw, and stops when it is told to', async () => {
  const study = {
    rowscape: 1,
    fields: [
      { name: 'host', type: 'text' },
      { name: 'at', type: 'time', format: 'epoch-seconds' },
    ],
    arrival: 'at',
    queries: [{ name: 'a host', where: { host: 'web-1' } }],
  };
  const script = `import { suggest } from '${PACKAGE}/index.js';
    const seconds = Array.from({ length: 20_000 }, (_, second) => second);
    const columns = { host: seconds.map((second) => 'web-' + (second % 40)), at: seconds };
    const study = ${JSON.stringify(study)};
    let [steps, frames, searching] = [0, 0, true];
    const frame = () => { frames++; if (searching) requestAnimationFrame(frame); };
    frame();
    const onProgress = () => { steps++; };
    const { suggestions } = await suggest(study, columns, { tables: 1, onProgress });
    searching = false;
    const stop = new AbortController();
    const stopped = await suggest(study, columns, { signal: stop.signal, onProgress: () => stop.abort('enough') })
      .catch((reason) => reason);
    say([suggestions[0].rowkeys[0].includes('host'), steps > 2, frames > 2, stopped].join(' '));`;
  assert.equal(await says('suggest', STRICT, script), 'true true true enough');
});
