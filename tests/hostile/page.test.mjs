// Hostile input for the page: its worker answers each in words, within four seconds of the processor and 256 MiB of the
// module's memory.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../scripts/build/serve.mjs';
import { openBrowser } from '../../scripts/setup/chromium.mjs';
import { describe } from '../../www/text/sentences.js';
import { HOSTILE, SOUND } from './inputs.mjs';

/** Processor time of all threads of the browser's pages together. */
const SECONDS = 4;
const MEBIBYTES = 256;
/** Moments of the heatmap, as on the page. */
const TIME_BUCKETS = 250;

/** Contents that the server gives as `hostile/NAME`. @type {Map<string, string | Uint8Array>} */
const given = new Map();
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {import('playwright-core').Page} */
let page;
/** @type {import('playwright-core').CDPSession} */
let system;

before(async () => {
  browser = await openBrowser();
  const root = new URL('../../dist/site/', import.meta.url);
  site = await serve({
    root,
    first(request, response) {
      const content = given.get(request.url?.split('/hostile/')[1] ?? '');
      if (content === undefined) return false;
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content);
      return true;
    },
  });
  system = await browser.newBrowserCDPSession();
  page = await browser.newPage();
  // A file of the site, without the policy of the page: a script of this test runs before that of the worker.
  await page.goto(`${site.url}styles.css`);
  await page.evaluate(startWorker);
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Starts the worker of the page, as the page does, but with an ear for the memory of its module. Runs in the browser. */
async function startWorker() {
  const at = (/** @type {string} */ name) => new URL(name, location.href).href;
  const script = `
    const memories = [];
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...given) => {
      const instance = await instantiate(...given);
      if (instance.exports.memory) memories.push(instance.exports.memory);
      return instance;
    };
    addEventListener('message', (event) => {
      if (event.data.type !== 'memory') return;
      event.stopImmediatePropagation();
      postMessage({ id: event.data.id, given: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) });
    });
    await import(${JSON.stringify(at('worker.js'))});
    postMessage({ begun: true });`;
  const blob = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(blob, { type: 'module' });
  let next = 1;
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  await new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.begun) resolve(undefined);
      else if (data.wanted) {
        void WebAssembly.compileStreaming(fetch(at('pkg/rest.wasm'))).then((module) =>
          worker.postMessage({ type: 'rest', module }),
        );
      } else if (data.id && !data.progress) waiting.get(data.id)?.(data);
    };
  });
  const parts = [at('pkg/first.wasm'), at('pkg/rest.wasm')];
  worker.postMessage({ type: 'first', module: null, parts });
  const ask = (/** @type {string} */ type, /** @type {object} */ asked = {}) =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      worker.postMessage({ id, type, ask: asked });
    });
  Object.assign(globalThis, { ask, worker });
}

/**
 * Asks the worker as the page does when such an input is opened. Runs in the browser.
 * @param {{ what: string, timeBuckets: number }} input
 */
async function answered({ what, timeBuckets }) {
  const { ask } = /** @type {any} */ (globalThis);
  const content = async (/** @type {string} */ name) => (await fetch(`hostile/${name}`)).blob();
  const document = await (await content('design')).text();
  const files = what === 'records' ? [new File([await content('records')], 'records')] : [];
  /** @type {any[]} */
  const problems = [];
  /** @param {string} type @param {object} asked */
  const told = async (type, asked) => {
    const { given, error } = await ask(type, asked);
    if (error) problems.push({ ...error, fails: true });
    return given;
  };
  const steps = async () => {
    const checked = await told('checkDesign', { document });
    problems.push(
      ...(checked?.problems ?? []).map((/** @type {any} */ problem) => ({ ...problem, fails: true })),
    );
    if (!checked?.design || what === 'document') return;
    const { fields, generate, splits } = checked.design;
    if (what === 'generate') {
      const asked = { spec: generate ?? JSON.parse(document).generate, fields };
      await told('generates', asked);
      if (!problems.length) await told('generate', asked);
      return;
    }
    const source = { kind: 'file', name: 'records', files };
    const declared = fields.map((/** @type {any} */ { name }) => name);
    const guess = await told('guess', { source, declared });
    problems.push(...(guess?.problems ?? []));
    if (!guess?.fields.length) return;
    const read = await told('read', { source, input: { ...guess.input, fields }, document, table: 0 });
    problems.push(...(read?.problems.first ?? []));
    if (!read) return;
    await told('analyze', { document, table: 0 });
    const report = await told('report', { splits: JSON.stringify(splits), timeBuckets });
    return report?.verdict;
  };
  const verdict = await steps();
  const mebibytes = (await ask('memory')).given / 2 ** 20;
  return { problems: problems.slice(0, 1000), verdict, mebibytes };
}

/** Seconds of the processor that pages have taken so far. */
async function spent() {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0), 0);
}

/** @param {import('./inputs.mjs').Hostile} input */
async function answer({ what, files }) {
  given.set('design', files['design.json']);
  given.set('records', files.records ?? '');
  const once = async () => {
    const begun = await spent();
    const answer = await page.evaluate(answered, { what, timeBuckets: TIME_BUCKETS });
    return { ...answer, seconds: (await spent()) - begun };
  };
  const first = await once();
  if (first.mebibytes <= MEBIBYTES && !first.problems.some(({ fatal }) => fatal)) return first;
  // Memory that it took before is no part of this answer.
  await page.evaluate(() => /** @type {any} */ (globalThis).worker.terminate());
  await page.evaluate(startWorker);
  return once();
}

test('what the inputs are changed from is sound', async () => {
  const files = { 'design.json': SOUND.design, records: SOUND.records };
  const { problems } = await answer(/** @type {any} */ ({ what: 'records', files }));
  assert.deepEqual(problems, []);
});

const inputs = HOSTILE.filter(({ what }) => what !== 'arguments');

test(`hostile input for the page, ${inputs.length} times`, async (all) => {
  assert.ok(inputs.length >= 400);
  for (const input of inputs)
    await all.test(input.name, async () => {
      const { problems, verdict, seconds, mebibytes } = await answer(input);
      const text = [...problems, verdict ?? []].flat().map(describe).join('\n');
      assert.ok(!problems.some(({ fatal }) => fatal), text);
      const { fails = input.exit !== 0, words = input.words } = input.page ?? {};
      assert.match(`design.json ${text}`, words);
      assert.equal(
        problems.some((problem) => problem.fails),
        fails,
        text.slice(0, 200),
      );
      assert.ok(seconds <= SECONDS, `${seconds.toFixed(1)} s`);
      assert.ok(mebibytes <= MEBIBYTES, `${mebibytes.toFixed(0)} MiB`);
    });
});
