// Row keys suggested by the worker, asked as the page asks it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { withBrowser } from './harness.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { SearchProgress, Suggestions } from '../../../www/types.d.ts' */

const { open, address } = withBrowser();
// The page in one file has no worker beside it.
const skip = Boolean(process.env.ROWSCAPE_PAGE);

/** The client of the worker, as a script beside it. */
const { outputFiles } = await build({
  stdin: {
    contents: "export { Engine } from './www/state/engine.js';",
    resolveDir: fileURLToPath(new URL('../../../', import.meta.url)),
  },
  bundle: true,
  format: 'esm',
  write: false,
});
const prepare = (/** @type {Page} */ page) =>
  page.route('**/client.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: outputFiles[0].text }),
  );

const FIELDS = [
  { name: 'host', type: 'text' },
  { name: 'at', type: 'time', format: 'epoch-seconds' },
  { name: 'line', type: 'integer' },
];
const STUDY = JSON.stringify({
  rowscape: 1,
  fields: FIELDS,
  arrival: 'at',
  servers: 4,
  queries: [{ name: 'a host', where: { host: 'web-1', at: { from: '1700000000', to: '1700000600' } } }],
});

/**
 * Asks a new worker for suggestions about records of its own; stops when so much is done, and then asks for a row.
 * @param {{ client: string, fields: object[], study: string, rows: number, stopAt: number }} asked
 */
async function suggested({ client, fields, study, rows, stopAt }) {
  const { Engine } = /** @type {typeof import('../../../www/state/engine.js')} */ (await import(client));
  const engine = new Engine();
  const lines = Array.from(
    { length: rows },
    (_, row) => `web-${(row * 7919) % 40},${1_700_000_000 + row},${row}\n`,
  );
  const file = new File([`host,at,line\n${lines.join('')}`], 'lines.csv');
  const source = { kind: 'file', name: 'lines.csv', files: [file] };
  const { input } = await engine.ask('guess', { source });
  await engine.ask('read', { source, input: { ...input, fields }, document: study, table: 0 });
  /** @type {SearchProgress[]} */
  const told = [];
  let [last, longest, stopped] = [performance.now(), 0, 0];
  /** @type {{ found?: Suggestions, cancelled?: boolean }} */
  const answer = await engine
    .ask('suggest', { study, options: { tables: 1 } }, (/** @type {SearchProgress} */ progress) => {
      const now = performance.now();
      [last, longest] = [now, Math.max(longest, now - last)];
      told.push(progress);
      if (!stopped && progress.done >= stopAt) {
        stopped = now;
        engine.cancel();
      }
    })
    .then((found) => ({ found }))
    .catch(({ cancelled }) => ({ cancelled }));
  const waited = stopped ? performance.now() - stopped : 0;
  // The worker is the same, with its records.
  const row = await engine.ask('row', { index: 7 }).catch((/** @type {Error} */ { message }) => message);
  engine.end();
  return { ...answer, told, longest, waited, row };
}

test('the worker suggests row keys and tells how far it is', { skip }, async (t) => {
  const { page, close } = await open({ prepare });
  const asked = { client: `${address()}client.js`, fields: FIELDS, study: STUDY, rows: 3000, stopAt: 2 };
  const { found, told, row, longest } = await page.evaluate(suggested, asked);
  assert.ok(found?.suggestions.length);
  assert.equal(found.rows, 3000);
  assert.ok(found.suggestions[0].rowkeys[0].includes('host'));
  assert.deepEqual(row, ['web-33', '1700000007', '7']);
  assert.ok(told.length > 2 && told.every(({ stage, done }) => stage === 'search' && done >= 0 && done <= 1));
  t.diagnostic(`longest silence: ${longest.toFixed(0)} ms`);
  await close();
});

test('a search that is cancelled ends soon, and the worker keeps its records', { skip }, async (t) => {
  const { page, close } = await open({ prepare });
  const asked = { client: `${address()}client.js`, fields: FIELDS, study: STUDY, rows: 100_000, stopAt: 0.1 };
  const { found, cancelled, waited, row } = await page.evaluate(suggested, asked);
  assert.deepEqual([found, cancelled], [undefined, true]);
  // A worker that did not obey would be ended, and its records with it.
  assert.deepEqual(row, ['web-33', '1700000007', '7']);
  t.diagnostic(`cancelled after ${waited.toFixed(0)} ms`);
  await close();
});
