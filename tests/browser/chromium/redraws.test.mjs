// A view is drawn again when a slice of the state changes that it names (`static reads`). One that reads another would go stale.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../../../scripts/run.mjs';
import { about, SITE, withBrowser } from './harness.mjs';
import { SCENES } from './scenes.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Together these draw every view with all that it shows. */
const NAMES = [
  'message-store',
  'wrong-formula',
  'all-refused',
  'applied',
  'records-type',
  'queries',
  'storage',
  'growth',
  'servers',
  'regions',
  'vary',
  'compare',
  'migrate',
  'existing',
  'export-figure',
  'gallery-entry',
  'glossary',
];

/** Opens what no scene opens. @param {Page} page */
async function opened(page) {
  await page.locator('formula-parts button.open').first().click();
  await page.locator('formula-parts .opened .about').first().waitFor();
  await about(page, 'source');
  await page.locator('details.values summary').click();
  await page.locator('values-view table').first().waitFor();
}

/** The store, with a state that notes which keys are read while a view is updated. */
const STORE = `
  import * as store from 'plain:store';
  export const { sliceOf, subscribe } = store;
  const { requestAnimationFrame: plainFrame } = globalThis;
  /** The keys read by the views that are being updated, the innermost last. */
  const updating = [];
  globalThis.noted = { sliceOf, updating, keys: {}, changes: 0 };
  export const state = new Proxy(store.state, {
    get(target, key) {
      updating.at(-1)?.add(key);
      return target[key];
    },
  });
  export const change = (changes) => {
    globalThis.noted.changes++;
    store.change(changes);
  };
  // Drawing that an update defers to the next frame belongs to the same view.
  globalThis.requestAnimationFrame = (draw) => {
    const keys = updating.at(-1);
    return plainFrame((time) => {
      updating.push(keys);
      draw(time);
      updating.pop();
    });
  };`;
const VIEW = `
  import { View as Plain } from 'plain:view';
  export * from 'plain:view';
  export class View extends Plain {
    performUpdate() {
      const { keys, updating } = globalThis.noted;
      keys[this.localName] ??= new Set();
      updating.push(keys[this.localName]);
      super.performUpdate();
      updating.pop();
    }
  }`;

/** Puts these two in place of the modules of the page. @type {import('esbuild').Plugin} */
const noting = {
  name: 'noting',
  setup({ onResolve, onLoad }) {
    const files = { 'plain:store': 'state/store.js', 'plain:view': 'elements/shared/view.js' };
    onResolve({ filter: /^plain:/ }, ({ path }) => ({
      path: join(ROOT, 'www', files[/** @type {keyof typeof files} */ (path)]),
      suffix: '?plain',
    }));
    for (const [filter, contents] of /** @type {const} */ ([
      [/state[\\/]store\.js$/, STORE],
      [/shared[\\/]view\.js$/, VIEW],
    ]))
      onLoad({ filter }, ({ suffix }) => (suffix ? undefined : { contents, resolveDir: ROOT }));
  },
};

const folder = mkdtempSync(join(tmpdir(), 'rowscape-redraws-'));
before(async () => {
  cpSync(fileURLToPath(SITE), folder, { recursive: true });
  await build({
    entryPoints: [join(ROOT, 'www', 'main.js')],
    outdir: folder,
    bundle: true,
    format: 'esm',
    splitting: true,
    target: 'es2022',
    conditions: ['page'],
    plugins: [noting],
    logLevel: 'warning',
  });
});
after(() => rmSync(folder, { recursive: true }));
const browser = withBrowser(folder);

/** Keys that views read in an update, of slices that they do not name. */
function unnamed() {
  const { keys: read, sliceOf } = /** @type {any} */ (globalThis).noted;
  return Object.entries(read).flatMap(([tag, keys]) => {
    const named = new Set(['language', .../** @type {any} */ (customElements.get(tag)).reads]);
    return Array.from(keys).flatMap((key) => {
      const slice = sliceOf.get(key);
      return named.has(slice) ? [] : [`<${tag}> reads '${key}', but does not name its slice '${slice}'`];
    });
  });
}

/** Milliseconds for a state to come: two pages at a time, on a machine that does other things, too. */
const PATIENCE = 60_000;
/** Longer than a view waits before it changes by itself (`SPOKEN_AFTER` of the formula's editor), in milliseconds. */
const QUIET = 1000;

/** Waits until the state has not changed for a while, and no view has yet to be drawn: some put it off to a later frame. @param {number} quiet */
async function settled(quiet) {
  const { noted } = /** @type {any} */ (globalThis);
  const waiting = () =>
    Array.from(document.querySelectorAll('*')).some((one) => /** @type {any} */ (one).isUpdatePending);
  for (let before = -1; before !== noted.changes || waiting(); ) {
    before = noted.changes;
    await new Promise((later) => setTimeout(later, quiet));
  }
}

/** Views that show something else once they are drawn again; nothing when the state changed meanwhile. */
async function stale() {
  const { noted } = /** @type {any} */ (globalThis);
  const changes = noted.changes;
  const views = Array.from(document.querySelectorAll('*')).filter((one) => 'requestUpdate' in one);
  const before = views.map((one) => one.innerHTML);
  for (const one of views) /** @type {any} */ (one).requestUpdate();
  for (const one of views) await /** @type {any} */ (one).updateComplete;
  if (changes !== noted.changes) return undefined;
  return views.flatMap((one, at) => {
    const now = one.innerHTML;
    if (now === before[at]) return [];
    const from = Math.max(0, Array.from(now).findIndex((letter, place) => letter !== before[at][place]) - 60);
    return [
      `<${one.localName}> is stale: ${before[at].slice(from, from + 200)} -> ${now.slice(from, from + 200)}`,
    ];
  });
}

describe('each view names the slices that it reads, and none is stale', { concurrency: 2 }, () => {
  for (const [name, act] of Object.entries({ ...SCENES, opened })) {
    if (act !== opened && !NAMES.includes(name)) continue;
    test(name, async () => {
      const { page, close } = await browser.open();
      page.setDefaultTimeout(PATIENCE);
      await act(page);
      await page.evaluate(settled, QUIET);
      assert.deepEqual(await page.evaluate(unnamed), []);
      let found = await page.evaluate(stale);
      // On a busy machine an answer of the worker can come later than the state was thought to be settled.
      for (let tries = 0; !found && tries < 5; tries += 1) {
        await page.evaluate(settled, QUIET);
        found = await page.evaluate(stale);
      }
      assert.deepEqual(found, []);
      await close();
    });
  }
});
